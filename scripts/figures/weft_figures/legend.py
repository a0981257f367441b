"""A legend within the axes, where it covers nothing; the axes grow where there is no such place."""

import numpy

GAP = 3  # Points between the legend and what is drawn.
PLACES = 24  # Tried along each side.
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


def free_place(axes, size, points):
    """The lower left corner of a free place of that size, in pixels, or nothing. Corners of the
    axes come first, then sides, then what is nearest to the upper right."""
    area, gap = axes.bbox, GAP / 72 * axes.figure.dpi
    width, height = size
    xs = numpy.linspace(area.x0 + gap, area.x1 - width, PLACES)
    ys = numpy.linspace(area.y0 + gap, area.y1 - height, PLACES)
    if xs[0] > xs[-1] or ys[0] > ys[-1]:
        return None
    places = [(xs[i], ys[j]) for i in range(PLACES) for j in range(PLACES)]

    def rank(place):
        at_sides = (place[0] in (xs[0], xs[-1])) + (place[1] in (ys[0], ys[-1]))
        return -at_sides, xs[-1] - place[0] + ys[-1] - place[1]

    for x, y in sorted(places, key=rank):
        inside = ((points[:, 0] > x - gap) & (points[:, 0] < x + width + gap)
                  & (points[:, 1] > y - gap) & (points[:, 1] < y + height + gap))
        if not inside.any():
            return x, y
    return None


def grow(figure, axes):
    """More room above the curves: the axes grow, and the curves keep their size."""
    low, high = axes.transData.inverted().transform(
        [(axes.bbox.x0, axes.bbox.y0), (axes.bbox.x0, axes.bbox.y0 + axes.bbox.height
                                        * (1 + GROWTH))])[:, 1]
    figure.set_figheight(figure.get_figheight() + GROWTH * axes.bbox.height / figure.dpi)
    axes.set_ylim(low, high)


def place_legend(figure, axes, handles, after_growth):
    """Adds the legend with as many columns as find a place first; calls `after_growth` where the
    axes had to grow."""
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
            place = free_place(axes, size, points)
            if place is None:
                continue
            corner = axes.transAxes.inverted().transform(place)
            axes.legend(handles=handles, loc="lower left", ncol=columns, bbox_to_anchor=corner
                        ).set_in_layout(False)
            if growths:
                after_growth()
            return
        grow(figure, axes)
        figure.draw_without_rendering()
    raise ValueError("no place for the legend")
