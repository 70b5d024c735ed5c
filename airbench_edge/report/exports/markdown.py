"""The tables for a paper or a README, in GitHub-flavoured Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from airbench_edge.benchmark.scores.chat_score import ChatScore
from airbench_edge.benchmark.scores.foundation import FoundationMean, TaskScore
from airbench_edge.report.extent import sample_of
from airbench_edge.report.health import health_line
from airbench_edge.report.model import ChatReading, FoundationReading, ReportModel
from airbench_edge.report.terminal.console import literal
from airbench_edge.report.terminal.figures import number, percent, percent_interval, plural, score, score_interval

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~])")

_FOUNDATION_HEAD = ("Task", "Heard", "Official", "95 %", "Strict", "95 %", "Undecided", "Chance")
_CHAT_HEAD = ("Category", "Judged", "Reference first", "Model first", "Official", "95 %", "Strict", "95 %", "Win rate")


def markdown(model: ReportModel) -> str:
    """A table for each source of letters and each judge, with what they were measured with."""
    return "\n".join(_parts(model)) + "\n"


def _parts(model: ReportModel) -> Iterator[str]:
    data = model.data
    yield f"## {_text(model.audiolm.name)} on AIR-Bench"
    yield ""
    yield (
        f"Data set {_text(data.name)} (metadata SHA-256 `{data.fingerprint[:12]}`), {model.prompt} wording of the "
        f"foundation prompt, airbench-edge {model.program}."
    )
    if model.selection.tasks or model.selection.limit is not None:
        planned = sum(counts.planned for counts in (model.foundation, model.chat) if counts)
        yield ""
        yield f"A selection of {plural(planned, 'item')}, not the whole data set."
    if data.synthetic:
        yield ""
        yield "**Synthetic data: these figures must not be set beside published ones.**"
    for letters in model.letters:
        yield from _foundation(letters)
    for judge in model.judges:
        yield from _chat(judge, sample_of(model, judge))


def _foundation(reading: FoundationReading) -> Iterator[str]:
    source = f"named by {_text(reading.aligner.name)}" if reading.aligner else "read from the responses"
    scores = reading.scores
    rows = []
    for category in scores.categories:
        tasks = [task for task in scores.tasks if task.category == category.name]
        rows += [*map(_task_row, tasks), _mean_row(category, tasks)]
    rows += [*map(_task_row, scores.others), _mean_row(scores.average, scores.tasks)]
    yield from _table(f"Foundation: accuracy in %, letters {source}", _FOUNDATION_HEAD, rows)


def _task_row(task: TaskScore) -> list[str]:
    return _row(_text(task.label), task, task.strict.undecided)


def _mean_row(part: FoundationMean, tasks: Iterable[TaskScore]) -> list[str]:
    return _row(f"**{part.name.capitalize()}**", part, sum(task.strict.undecided for task in tasks))


def _row(label: str, part: TaskScore | FoundationMean, undecided: int) -> list[str]:
    return [
        label,
        f"{number(part.counts.heard)} of {number(part.counts.planned)}",
        percent(part.official.value),
        percent_interval(part.official.interval),
        percent(part.strict.value),
        percent_interval(part.strict.interval),
        number(undecided),
        percent(part.chance),
    ]


def _chat(reading: ChatReading, sample: str) -> Iterator[str]:
    scores = reading.scores
    rows = [_chat_row(_text(part.name.capitalize()), part) for part in scores.categories]
    rows += [_chat_row(_text(part.name), part) for part in scores.others]
    rows.append(_chat_row("**Average**", scores.average))
    judge = f"{_text(reading.judge.name)} ({reading.judge.kind}){f', on a {sample}' if sample else ''}"
    yield from _table(f"Chat: scores of 1 to 10 by {judge}", _CHAT_HEAD, rows)
    yield from ("", _text(health_line(reading.judge, reading.health)))


def _chat_row(label: str, part: ChatScore) -> list[str]:
    strict = part.strict
    return [
        label,
        f"{number(part.judged)} of {number(part.counts.planned)}",
        score(part.reference_first.model),
        score(part.model_first.model),
        score(part.official.value),
        score_interval(part.official.interval),
        score(strict.score.value),
        score_interval(strict.score.interval),
        percent(strict.win_rate),
    ]


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield from ("", f"### {title}", "")
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |'}{' ---: |' * (len(head) - 1)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _text(text: str) -> str:
    """Text of the data or of a model, on one line and without markup."""
    return _MARKUP.sub(r"\\\1", literal(text))
