# SPDX-License-Identifier: Apache-2.0
"""
A plot in SVG, with nothing but the standard library.

    plot = Plot("title", "x axis", "y axis", log_x=True)
    plot.line("name", [1, 2, 3], [4, 5, 6])
    plot.points("name", [1, 2, 3], [4, 5, 6])
    plot.band(97, 103)
    plot.save(path)
"""
import html
import math

WIDTH, HEIGHT = 820, 500
LEFT, RIGHT, TOP, BOTTOM = 80, 190, 56, 60
COLOURS = ["#1f5fa8", "#c8442c", "#2e8b57", "#8a5bb0", "#b8860b", "#4d4d4d", "#d0588f", "#00868b"]
MARKS = ["circle", "square", "triangle", "diamond"]


def short(value):
    """12500 as 12.5k; small and large numbers stay readable on an axis."""
    if value == 0:
        return "0"
    for unit, scale in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= scale:
            return f"{value / scale:.4g}{unit}"
    return f"{value:.4g}"


class Axis:
    def __init__(self, values, log, pixels, pad=0.04):
        low, high = min(values), max(values)
        if log:
            low, high = math.log10(low), math.log10(high)
        room = (high - low or abs(high) or 1) * pad
        self.low, self.high, self.log, self.pixels = low - room, high + room, log, pixels

    def at(self, value):
        v = math.log10(value) if self.log else value
        return self.pixels * (v - self.low) / (self.high - self.low)

    def ticks(self):
        values = self._log_ticks() if self.log else self._linear_ticks()
        return [v for v in values if -1e-6 <= self.at(v) <= self.pixels + 1e-6]

    def _log_ticks(self):
        decades = self.high - self.low
        steps = [1] if decades > 4 else [1, 2, 5] if decades > 1 else [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9]
        return [s * 10.0 ** e for e in range(math.floor(self.low), math.ceil(self.high) + 1) for s in steps]

    def _linear_ticks(self):
        raw = (self.high - self.low) / 7
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(s * power for s in (1, 2, 5, 10) if s * power >= raw)
        return [step * i for i in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


class Plot:
    def __init__(self, title, x_label, y_label, log_x=False, log_y=False, from_zero=False):
        self.title, self.x_label, self.y_label = title, x_label, y_label
        self.log_x, self.log_y, self.from_zero = log_x, log_y, from_zero
        self.series, self.bands, self.names = [], [], {}

    def line(self, name, xs, ys):
        self._add(name, xs, ys, True)

    def points(self, name, xs, ys):
        self._add(name, xs, ys, False)

    def band(self, low, high):
        """A shaded range of y."""
        self.bands.append((low, high))

    def _add(self, name, xs, ys, joined):
        pairs = [(x, y) for x, y in zip(xs, ys) if y is not None]
        if pairs:
            self.series.append((name, pairs, joined))

    def _axes(self):
        xs = [x for _, pairs, _ in self.series for x, _ in pairs]
        ys = [y for _, pairs, _ in self.series for _, y in pairs] + [b for band in self.bands for b in band]
        if self.from_zero and not self.log_y:
            ys.append(0)
        return Axis(xs, self.log_x, WIDTH - LEFT - RIGHT), Axis(ys, self.log_y, HEIGHT - TOP - BOTTOM)

    def save(self, path):
        x, y = self._axes()
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                 f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
                 f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
        parts += self._frame(x, y)
        for i, (name, pairs, joined) in enumerate(self.series):
            parts += self._series(i, pairs, joined, x, y) + self._legend(i, name)
        path.write_text("\n".join(parts + ["</svg>"]) + "\n")

    def _frame(self, x, y):
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        parts = [f'<text x="{LEFT}" y="28" font-size="15">{html.escape(self.title)}</text>']
        for low, high in self.bands:
            top = bottom - y.at(high)
            parts.append(f'<rect x="{LEFT}" y="{top:.1f}" width="{right - LEFT}" '
                         f'height="{y.at(high) - y.at(low):.1f}" fill="#eaf3e6"/>')
        for v in x.ticks():
            at = LEFT + x.at(v)
            parts.append(f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{bottom}" stroke="#e4e4e4"/>'
                         f'<text x="{at:.1f}" y="{bottom + 18}" text-anchor="middle">{short(v)}</text>')
        for v in y.ticks():
            at = bottom - y.at(v)
            parts.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{right}" y2="{at:.1f}" stroke="#e4e4e4"/>'
                         f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{short(v)}</text>')
        middle = (TOP + bottom) / 2
        parts.append(f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}" fill="none" '
                     f'stroke="#888"/>')
        parts.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 18}" text-anchor="middle">'
                     f'{html.escape(self.x_label)}</text>')
        parts.append(f'<text x="20" y="{middle}" text-anchor="middle" transform="rotate(-90 20 {middle})">'
                     f'{html.escape(self.y_label)}</text>')
        return parts

    def _series(self, i, pairs, joined, x, y):
        colour = COLOURS[i % len(COLOURS)]
        at = [(LEFT + x.at(a), HEIGHT - BOTTOM - y.at(b)) for a, b in pairs]
        parts = []
        if joined:
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in at)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        return parts + [mark(MARKS[i % len(MARKS)], a, b, colour, 3.2 if joined else 2.4) for a, b in at]

    def _legend(self, i, name):
        left, top = WIDTH - RIGHT + 16, TOP + 12 + 20 * i
        return [mark(MARKS[i % len(MARKS)], left, top - 4, COLOURS[i % len(COLOURS)], 4),
                f'<text x="{left + 12}" y="{top}">{html.escape(name)}</text>']


def mark(kind, x, y, colour, size):
    corners = {
        "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        "triangle": [(0, -1.3), (1.2, 1), (-1.2, 1)],
        "diamond": [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)],
    }
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{colour}"/>'
    points = " ".join(f"{x + size * a:.1f},{y + size * b:.1f}" for a, b in corners[kind])
    return f'<polygon points="{points}" fill="{colour}"/>'
