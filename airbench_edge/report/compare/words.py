"""The figures of a comparison as people read them, and the order in which they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from airbench_edge.benchmark.items import Track
from airbench_edge.report.compare.model import MeanDifference, Section, TaskDifference
from airbench_edge.statistics.interval import Interval

Difference: TypeAlias = TaskDifference | MeanDifference


class Line(NamedTuple):
    """One line of the table of a section.

    Attributes:
        figures: A task or a mean.
        part: Whether it is a part of the mean above it.
        ends: Whether it is the last of these parts.
    """

    figures: Difference
    part: bool
    ends: bool


def lines(section: Section) -> Iterator[Line]:
    """Every category with its tasks, unknown tasks, and the average."""
    *categories, average = section.means
    for category in categories:
        tasks = [task for task in section.tasks if task.category == category.name]
        if [task.name for task in tasks] == [category.name]:
            yield Line(tasks[0], False, False)  # the category is this group
            continue
        yield Line(category, False, False)
        yield from (Line(task, True, task is tasks[-1]) for task in tasks)
    others = [task for task in section.tasks if task.category is None]
    yield from (Line(task, True, task is others[-1]) for task in others)
    yield Line(average, False, False)


def label(line: Difference) -> str:
    """The name for people."""
    return line.name.capitalize() if isinstance(line, MeanDifference) else line.label


def unit(section: Section) -> str:
    """What the figures are, and by whom."""
    by = section.instrument.name if section.instrument else ""
    if section.track is Track.CHAT:
        return f"scores of 1 to 10 by {by}"
    return f"accuracy in %, letters with the help of {by}" if by else "accuracy in %, letters read from the responses"


def result(track: Track, figure: float, read: str) -> str:
    """``right``, ``wrong``, ``undecided``, or the score."""
    if track is Track.CHAT:
        return f"{figure:.1f}"
    return "right" if figure else "wrong" if read else "undecided"


def signed(difference: float | None, track: Track) -> str:
    """``+0.35`` points, or ``-2.1`` percent."""
    if difference is None:
        return "—"
    return f"{difference:+z.2f}" if track is Track.CHAT else f"{100 * difference:+z.1f}"


def signed_interval(interval: Interval | None, track: Track) -> str:
    """``+0.3 to +2.1``; a dash between two signs would be hard to read."""
    return "—" if interval is None else f"{signed(interval.low, track)} to {signed(interval.high, track)}"


def direction(interval: Interval | None) -> str:
    """``rose`` or ``fell`` where the interval leaves out 0, else ``level``."""
    if interval is None or interval.low <= 0 <= interval.high:
        return "level"
    return "rose" if interval.low > 0 else "fell"


def p_value(p: float) -> str:
    """Three digits."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"
