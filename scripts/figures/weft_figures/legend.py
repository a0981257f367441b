"""A legend within the axes, where it covers nothing; names are wrapped where they are longer than
the axes are wide, and the axes grow where no area is free."""

import textwrap

import numpy

GAP = 3  # Points between the legend and what is drawn.
MOST_LETTERS = 200  # Most letters of a name; a longer one loses its middle.
POSITIONS = 24  # Positions that are tried along each side.
GROWTH = 0.06  # Part of the axes' height that is added each time.
MOST_GROWTHS = 60


def obstacles(axes):
    """Points of all that is drawn, in pixels, close to each other along lines."""
    points = []
    for line in axes.lines:
        path = line.get_transform().transform(line.get_xydata())
        path = path[numpy.isfinite(path).all(axis=1)]
        for start, end in zip(path, path[1:]):
            number = int(numpy.hypot(*(end - start)) / 2) + 2
            points.append(numpy.linspace(start, end, number))
        points.append(path)
    return numpy.vstack(points)


def free_corner(axes, size, points):
    """The lower left corner of a free area of that size, in pixels, or nothing. Corners of the
    axes are tried first, then sides, then what is nearest to the upper right."""
    area, gap = axes.bbox, GAP / 72 * axes.figure.dpi
    width, height = size
    xs = numpy.linspace(area.x0 + gap, area.x1 - width, POSITIONS)
    ys = numpy.linspace(area.y0 + gap, area.y1 - height, POSITIONS)
    if xs[0] > xs[-1] or ys[0] > ys[-1]:
        return None
    corners = [(xs[i], ys[j]) for i in range(POSITIONS) for j in range(POSITIONS)]

    def rank(corner):
        at_sides = (corner[0] in (xs[0], xs[-1])) + (corner[1] in (ys[0], ys[-1]))
        return -at_sides, xs[-1] - corner[0] + ys[-1] - corner[1]

    for x, y in sorted(corners, key=rank):
        inside = ((points[:, 0] > x - gap) & (points[:, 0] < x + width + gap)
                  & (points[:, 1] > y - gap) & (points[:, 1] < y + height + gap))
        if not inside.any():
            return x, y
    return None


def grow(figure, axes):
    """More space above the curves: the axes grow, and the curves keep their size."""
    low, high = axes.transData.inverted().transform(
        [(axes.bbox.x0, axes.bbox.y0), (axes.bbox.x0, axes.bbox.y0 + axes.bbox.height
                                        * (1 + GROWTH))])[:, 1]
    figure.set_figheight(figure.get_figheight() + GROWTH * axes.bbox.height / figure.dpi)
    axes.set_ylim(low, high)


def shortened(name):
    """A name as it can be drawn: with its middle left out if it is too long, without control
    characters."""
    half = MOST_LETTERS // 2
    name = "".join(letter if letter.isprintable() else " " for letter in name)
    if len(name) <= MOST_LETTERS:
        return name
    return f"{name[:half]} \N{HORIZONTAL ELLIPSIS} {name[-half:]}"


def add_legend(axes, handles, names, columns, **place):
    """A legend whose names are shown as they are: Matplotlib would read what is between dollars as
    mathematics, and leave out a handle whose name begins with an underscore."""
    legend = axes.legend(handles, ["name"] * len(handles), loc="lower left", ncol=columns, **place)
    legend.set_in_layout(False)
    for text, name in zip(legend.get_texts(), names):
        text.set_parse_math(False)
        text.set_text(name)
    return legend


def size_of(figure, axes, handles, names, columns):
    """The size of a legend, in pixels."""
    legend = add_legend(axes, handles, names, columns)
    figure.draw_without_rendering()
    box = legend.get_window_extent()
    legend.remove()
    return box.width, box.height


def wrapped(figure, axes, handles, names):
    """The names in as many lines as they need for a legend of one column to be within the axes."""
    most = axes.bbox.width - 2 * GAP / 72 * figure.dpi
    width = max(map(len, names), default=0)
    lines = names
    while (needed := size_of(figure, axes, handles, lines, 1)[0]) > most and width > 1:
        width = min(width - 1, int(width * most / needed) + 2)
        lines = [textwrap.fill(name, width) or name for name in names]
    return lines


def place_legend(figure, axes, handles, after_growth):
    """Adds the legend with the fewest columns for which there is a free area; calls `after_growth`
    where the axes had to grow."""
    names = [shortened(handle.get_label()) for handle in handles]
    names = wrapped(figure, axes, handles, names)
    sizes = {columns: size_of(figure, axes, handles, names, columns) for columns in (1, 2, 3)}
    for growths in range(MOST_GROWTHS):
        points = obstacles(axes)
        for columns, size in sizes.items():
            found = free_corner(axes, size, points)
            if found is None:
                continue
            corner = axes.transAxes.inverted().transform(found)
            add_legend(axes, handles, names, columns, bbox_to_anchor=corner)
            if growths:
                after_growth()
            return
        grow(figure, axes)
        figure.draw_without_rendering()
    raise ValueError("no free area for the legend")
