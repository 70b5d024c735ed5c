"""A section of a comparison on the page: a row and a line of the chart for each task, mean and the average."""

from __future__ import annotations

from typing import NamedTuple

from airbench_edge.benchmark.items import Track
from airbench_edge.report.compare.model import Section, TaskDifference
from airbench_edge.report.compare.words import Difference, direction, label, lines, p_value, signed, signed_interval
from airbench_edge.report.html.strip import Mark, Scale
from airbench_edge.report.terminal.figures import percent, score

_ENDS = {Track.FOUNDATION: (0.02, 0.05, 0.1, 0.2, 0.5, 1.0), Track.CHAT: (0.2, 0.5, 1.0, 2.0, 5.0, 9.0)}
"""Where a chart of changes may end: the nearest beyond all of its intervals."""


class ChangeRow(NamedTuple):
    """One row.

    Attributes:
        label: Its name for people.
        task: Name of a task or group whose items can be shown; None for a mean.
        part: Whether it is a part of the mean above it.
        n: Items that count in both runs.
        first: Figure of the first run.
        second: Figure of the second run.
        change: Their difference with its sign.
        interval: That of the difference.
        tone: ``rose`` or ``fell`` where the interval leaves out 0, else ``level``.
        fell: Items on which the second run is worse; None for a mean, as the next three.
        rose: Items on which it is better.
        p: Of the test.
        p_holm: Adjusted.
        marks: Its line of the chart.
    """

    label: str
    task: str | None
    part: bool
    n: int
    first: str
    second: str
    change: str
    interval: str
    tone: str
    fell: int | None
    rose: int | None
    p: str
    p_holm: str
    marks: list[Mark]


def change_rows(section: Section, scale: Scale) -> list[ChangeRow]:
    """The rows in the order of the paper; the last one is the average."""
    return [_row(section.track, line.figures, line.part, scale) for line in lines(section)]


def change_scale(section: Section) -> Scale:
    """A scale on which every change of the section has its place, with 0 in the middle."""
    far = [0.0]
    for line in lines(section):
        far += [abs(line.figures.difference or 0.0)]
        if interval := line.figures.interval:
            far += [abs(interval.low), abs(interval.high)]
    end = next((end for end in _ENDS[section.track] if end >= max(far)), _ENDS[section.track][-1])
    unit = 100 if section.track is Track.FOUNDATION else 1
    places = {_minus(f"{unit * at:+g}"): at for at in (-end, -end / 2, end / 2, end)}
    return Scale(-end, end, {**places, "0": 0.0})


def change_remarks(section: Section) -> list[str]:
    """Why a mean has no figure."""
    parts = "groups" if section.track is Track.CHAT else "tasks"
    return [
        f"{mean.name.capitalize()} has no figure, for want of these "
        f"{'categories' if mean is section.means[-1] else parts}: {', '.join(mean.missing)}."
        for mean in section.means
        if mean.missing
    ]


def _row(track: Track, line: Difference, part: bool, scale: Scale) -> ChangeRow:
    figure = score if track is Track.CHAT else percent
    task = line if isinstance(line, TaskDifference) else None
    tone = direction(line.interval)
    return ChangeRow(
        label=label(line),
        task=task.name if task else None,
        part=part,
        n=line.n,
        first=figure(line.first),
        second=figure(line.second),
        change=_minus(signed(line.difference, track)),
        interval=_minus(signed_interval(line.interval, track)),
        tone=tone,
        fell=task.fell if task else None,
        rose=task.rose if task else None,
        p=p_value(task.p) if task else "",
        p_holm=p_value(task.p_holm) if task else "",
        marks=[
            *scale.points("zero", 0.0),
            *scale.span(f"{tone}-interval", line.interval),
            *scale.points(tone, line.difference),
        ],
    )


def _minus(figure: str) -> str:
    """With a sign as wide as the plus."""
    return figure.replace("-", "\N{MINUS SIGN}")
