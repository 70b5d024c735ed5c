"""The figure of Bland and Altman: how far two judges are apart, over how much they give; geometry of an SVG picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from airbench_edge.report.agreement.model import Point, Reading

WIDTH, HEIGHT = 720, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 128, 12, 34
_LOW, _HIGH = 1.0, 10.0


class Dot(NamedTuple):
    """Answers that have the same two scores."""

    x: float
    y: float
    radius: float
    words: str


class Level(NamedTuple):
    """A horizontal line; ``kind`` is ``zero``, ``official`` for the mean or ``official-interval`` for a limit."""

    y: float
    kind: str
    words: str


class Tick(NamedTuple):
    """A value on an axis."""

    at: float
    words: str


class Figure(NamedTuple):
    """All of it, in the units of a picture of ``WIDTH`` by ``HEIGHT``."""

    dots: list[Dot]
    levels: list[Level]
    across: list[Tick]
    upward: list[Tick]
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    bottom: int = HEIGHT - _BOTTOM


def bland_altman(reading: Reading) -> Figure:
    """Draw the answers of a reading, the mean difference and the limits of agreement.

    The area of a dot grows with the number of its answers.
    """
    whole = reading.parts[-1]
    limits = whole.agreement.limits
    ends = [
        *(abs(point.difference) for point in reading.points),
        *([abs(limits.low), abs(limits.high)] if limits else []),
    ]
    reach = max(1, math.ceil(max(ends, default=1.0)))

    def down(difference: float) -> float:
        return round(_TOP + (reach - difference) / (2 * reach) * (HEIGHT - _TOP - _BOTTOM), 1)

    levels = [Level(down(0), "zero", "")]
    if whole.difference.value is not None:
        mean = whole.difference.value
        levels.append(Level(down(mean), "official", f"mean {mean:+z.2f}"))
    if limits:
        levels += [Level(down(end), "official-interval", f"limit {end:+z.2f}") for end in (limits.high, limits.low)]
    steps = range(-reach, reach + 1, max(1, reach // 3))
    return Figure(
        dots=_dots(reading.points, down),
        levels=levels,
        across=[Tick(_across(score), str(score)) for score in range(1, 11)],
        upward=[Tick(down(step), f"{step:+d}" if step else "0") for step in steps],
    )


def _across(mean: float) -> float:
    return round(_LEFT + (mean - _LOW) / (_HIGH - _LOW) * (WIDTH - _LEFT - _RIGHT), 1)


def _dots(points: Sequence[Point], down: Callable[[float], float]) -> list[Dot]:
    most = max((point.answers for point in points), default=1)
    return [
        Dot(
            _across(point.mean),
            down(point.difference),
            round(3 + 9 * math.sqrt(point.answers / most), 1),
            f"{point.answers} of mean {point.mean:.2f} and difference {point.difference:+z.2f}",
        )
        for point in points
    ]
