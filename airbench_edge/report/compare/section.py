"""The differences of one track: of its tasks, of their means, and of single items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from airbench_edge.benchmark.items import Item, Track
from airbench_edge.benchmark.scores.mean import Cell, mean, mean_of_cells
from airbench_edge.benchmark.tasks import (
    CHAT_CATEGORIES,
    CHAT_GROUPS,
    CHAT_TASKS,
    FOUNDATION_CATEGORIES,
    FOUNDATION_TASKS,
    chat_task,
    foundation_task,
)
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.report.compare.model import MeanDifference, Moved, Section, TaskDifference
from airbench_edge.report.compare.values import Value
from airbench_edge.statistics.bootstrap import column_mean_draws, generator, percentile_interval
from airbench_edge.statistics.holm import holm
from airbench_edge.statistics.mcnemar import mcnemar
from airbench_edge.statistics.wilcoxon import wilcoxon


class Pair(NamedTuple):
    """An item that counts in both runs, its values and responses in the first and in the second."""

    item: Item
    values: tuple[Value, Value]
    responses: tuple[str, str]

    @property
    def figures(self) -> tuple[float, float]:
        """What is averaged and tested."""
        first, second = self.values
        return first.figure, second.figure


class _Cells(NamedTuple):
    """A task or a mean as part of the next mean up; the draws of all three are those of the difference."""

    first: Cell
    second: Cell
    difference: Cell


class _Measured(NamedTuple):
    task: TaskDifference
    cells: _Cells


def section(track: Track, instrument: JudgeIdentity | None, pairs: Sequence[Pair]) -> Section:
    """Compare the pairs of one track as one instrument sees them.

    Args:
        track: The track.
        instrument: The judge or aligner.
        pairs: At least one.
    """
    random = generator()
    by_task: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_task.setdefault(_cell_name(track, pair.item), []).append(pair)
    known = CHAT_GROUPS if track is Track.CHAT else [task.name for task in FOUNDATION_TASKS]
    order = [*(name for name in known if name in by_task), *(name for name in by_task if name not in known)]
    measured = {name: _measure(track, name, by_task[name], random) for name in order}
    adjusted = holm([part.task.p for part in measured.values()])
    return Section(
        track=track,
        instrument=instrument,
        tasks=tuple(
            msgspec.structs.replace(part.task, p_holm=p) for part, p in zip(measured.values(), adjusted, strict=True)
        ),
        means=tuple(_means(track, measured)),
        moved=_moved(pairs),
    )


def _cell_name(track: Track, item: Item) -> str:
    """What is averaged on its own: a foundation task, or a group of chat tasks."""
    if track is Track.FOUNDATION:
        return item.task
    task = chat_task(item.task)
    return task.group if task else item.task


def _measure(track: Track, name: str, pairs: Sequence[Pair], random: np.random.Generator) -> _Measured:
    values = np.array([pair.figures for pair in pairs])
    differences: npt.NDArray[np.float64] = values[:, 1] - values[:, 0]
    draws = column_mean_draws(differences[:, None], random)
    fell, rose = int((differences < 0).sum()), int((differences > 0).sum())
    first, second = (mean(values[:, side].tolist()) for side in (0, 1))
    label, category = _names(track, name)
    p = mcnemar(fell, rose) if track is Track.FOUNDATION else wilcoxon(differences)
    interval = percentile_interval(draws)
    task = TaskDifference(name, label, category, len(pairs), first, second, second - first, interval, fell, rose, p, p)
    return _Measured(task, _Cells(Cell(first, draws), Cell(second, draws), Cell(second - first, draws)))


def _names(track: Track, name: str) -> tuple[str, str | None]:
    if track is Track.FOUNDATION:
        task = foundation_task(name)
        return (task.label, task.category) if task else (name, None)
    category = next((task.category for task in CHAT_TASKS if task.group == name), None)
    return (name.replace("_", " ").capitalize() if category else name), category


def _means(track: Track, measured: Mapping[str, _Measured]) -> Iterator[MeanDifference]:
    """Categories as means of their tasks or groups, the average as the mean of all categories."""
    categories: dict[str, _Cells | None] = {}
    for category in CHAT_CATEGORIES if track is Track.CHAT else FOUNDATION_CATEGORIES:
        parts = {_names(track, name)[0]: measured.get(name) for name in _members(track, category)}
        n = sum(part.task.n for part in parts.values() if part)
        shown, categories[category] = _mean(category, n, {name: part and part.cells for name, part in parts.items()})
        if n:
            yield shown
    yield _mean("average", sum(part.task.n for part in measured.values() if part.task.category), categories)[0]


def _mean(name: str, n: int, parts: Mapping[str, _Cells | None]) -> tuple[MeanDifference, _Cells | None]:
    first, first_cell = mean_of_cells({key: part.first if part else None for key, part in parts.items()})
    second, second_cell = mean_of_cells({key: part.second if part else None for key, part in parts.items()})
    shown, cell = mean_of_cells({key: part.difference if part else None for key, part in parts.items()})
    whole = _Cells(first_cell, second_cell, cell) if first_cell and second_cell and cell else None
    return MeanDifference(name, n, first.value, second.value, shown.value, shown.interval, shown.missing), whole


def _members(track: Track, category: str) -> list[str]:
    if track is Track.FOUNDATION:
        return [task.name for task in FOUNDATION_TASKS if task.category == category]
    groups = {task.group for task in CHAT_TASKS if task.category == category}
    return [group for group in CHAT_GROUPS if group in groups]


def _moved(pairs: Sequence[Pair]) -> tuple[Moved, ...]:
    moved = [_described(pair) for pair in pairs if pair.figures[0] != pair.figures[1]]
    return tuple(sorted(moved, key=lambda item: -abs(item.second - item.first)))


def _described(pair: Pair) -> Moved:
    item, (first, second) = pair.item, pair.values
    return Moved(
        uniq_id=item.uniq_id,
        task=item.task,
        folder=item.folder,
        path=item.path,
        question=item.question,
        first=first.figure,
        second=second.figure,
        first_read=first.read,
        second_read=second.read,
        first_response=pair.responses[0],
        second_response=pair.responses[1],
    )
