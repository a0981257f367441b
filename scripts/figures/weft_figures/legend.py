"""A legend within the axes, where it covers nothing; the axes grow where no area is free."""

import numpy

GAP = 3  # Points between the legend and what is drawn.
POSITIONS = 24  # Tried along each side.
GROWTH = 0.06  # Of the height of the axes, each time.
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


def place_legend(figure, axes, handles, after_growth):
    """Adds the legend with the fewest columns for which there is a free area; calls `after_growth`
    where the axes had to grow."""
    sizes = {}
    for columns in (1, 2, 3):
        legend = axes.legend(handles=handles, loc="lower left", ncol=columns)
        legend.set_in_layout(False)
        figure.draw_without_rendering()
        box = legend.get_window_extent()
        sizes[columns] = box.width, box.height
        legend.remove()
    for growths in range(MOST_GROWTHS):
        points = obstacles(axes)
        for columns, size in sizes.items():
            found = free_corner(axes, size, points)
            if found is None:
                continue
            corner = axes.transAxes.inverted().transform(found)
            axes.legend(handles=handles, loc="lower left", ncol=columns, bbox_to_anchor=corner
                        ).set_in_layout(False)
            if growths:
                after_growth()
            return
        grow(figure, axes)
        figure.draw_without_rendering()
    raise ValueError("no free area for the legend")
