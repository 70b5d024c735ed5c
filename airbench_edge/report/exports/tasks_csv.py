"""Every figure of the tables, one row a task, category and average, for each source of letters and each judge."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.scores.accuracy import Accuracy
from airbench_edge.benchmark.scores.bounds import Bounds
from airbench_edge.benchmark.scores.chat_score import ChatScore
from airbench_edge.benchmark.scores.counts import Counts
from airbench_edge.benchmark.scores.foundation import FoundationMean, TaskScore
from airbench_edge.report.exports.csv_table import Row, Value, csv_table
from airbench_edge.report.model import ChatReading, FoundationReading, ReportModel
from airbench_edge.statistics.interval import Interval

_RULES = ("official", "strict")
_COLUMNS = (
    *("model", "track", "source", "level", "name", "label", "category"),
    *msgspec.structs.asdict(Counts()),
    *(f"{rules}{end}" for rules in _RULES for end in ("", "_low", "_high", "_n", "_right", "_unread")),
    *("worst", "best", "chance", "judged"),
    *(f"{order}_{figure}" for order in ("reference_first", "model_first") for figure in ("model", "reference", "wins")),
    "expected",
)


def tasks_csv(model: ReportModel) -> str:
    """The table; ``source`` names the aligner or the judge, and is empty for letters read from the responses."""
    rows = [*(row for reading in model.letters for row in _foundation(reading))]
    rows += [row for judge in model.judges for row in _chat(judge)]
    return csv_table(_COLUMNS, [{"model": model.audiolm.name, **row} for row in rows])


def _foundation(reading: FoundationReading) -> Iterator[Row]:
    source = {"track": Track.FOUNDATION.value, "source": reading.aligner.name if reading.aligner else ""}
    scores = reading.scores
    for task in scores.tasks:
        yield {**source, "level": "task", **_task(task)}
    for task in scores.others:
        yield {**source, "level": "other", **_task(task)}
    for category in scores.categories:
        yield {**source, "level": "category", **_mean(category)}
    yield {**source, "level": "average", **_mean(scores.average)}


def _chat(reading: ChatReading) -> Iterator[Row]:
    source = {"track": Track.CHAT.value, "source": reading.judge.name}
    scores = reading.scores
    for level, parts in (
        ("group", scores.groups),
        ("other", scores.others),
        ("category", scores.categories),
        ("average", (scores.average,)),
    ):
        for part in parts:
            yield {**source, "level": level, **_chat_score(part)}


def _task(task: TaskScore) -> dict[str, Value]:
    return {
        "name": task.task,
        "label": task.label,
        "category": task.category,
        **msgspec.structs.asdict(task.counts),
        **_accuracy("official", task.official),
        **_accuracy("strict", task.strict),
        **_bounds(task.bounds),
        "chance": task.chance,
    }


def _mean(part: FoundationMean) -> dict[str, Value]:
    return {
        "name": part.name,
        **msgspec.structs.asdict(part.counts),
        **_figure("official", part.official.value, part.official.interval),
        **_figure("strict", part.strict.value, part.strict.interval),
        **_bounds(part.bounds),
        "chance": part.chance,
    }


def _chat_score(part: ChatScore) -> dict[str, Value]:
    orders: dict[str, Value] = {}
    for name, order in (("reference_first", part.reference_first), ("model_first", part.model_first)):
        orders[f"{name}_model"] = order.model
        orders[f"{name}_reference"] = order.reference
        orders[f"{name}_wins"] = order.win_rate
    return {
        "name": part.name,
        **msgspec.structs.asdict(part.counts),
        **_figure("official", part.official.value, part.official.interval),
        "official_n": part.reference_first.n + part.model_first.n,
        "official_unread": part.reference_first.failed + part.model_first.failed,
        **_figure("strict", part.strict.score.value, part.strict.score.interval),
        "strict_n": part.strict.n,
        "strict_unread": part.strict.failed,
        **_bounds(part.strict.bounds),
        "judged": part.judged,
        **orders,
        "expected": part.expected,
    }


def _accuracy(rules: str, accuracy: Accuracy) -> dict[str, Value]:
    figure = _figure(rules, accuracy.value, accuracy.interval)
    return {
        **figure,
        f"{rules}_n": accuracy.n,
        f"{rules}_right": accuracy.right,
        f"{rules}_unread": accuracy.undecided,
    }


def _figure(rules: str, value: float | None, interval: Interval | None) -> dict[str, Value]:
    ends = (interval.low, interval.high) if interval else (None, None)
    return {rules: value, f"{rules}_low": ends[0], f"{rules}_high": ends[1]}


def _bounds(bounds: Bounds | None) -> dict[str, Value]:
    return {"worst": bounds.worst, "best": bounds.best} if bounds else {}
