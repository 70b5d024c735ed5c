"""The results as the ``model-index`` of a model card.

Form: https://github.com/huggingface/hub-docs/blob/main/modelcard.md. A JSON text is a YAML scalar, which is all the
quoting that is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.scores.chat_score import ChatScore
from airbench_edge.benchmark.scores.foundation import FoundationMean
from airbench_edge.benchmark.scores.mean import Mean
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.report.extent import sample_of, verdicts_to_come
from airbench_edge.report.model import ChatReading, ReportModel

_PUBLISHED = "qyang1021/AIR-Bench-Dataset"
_NAMES = {Track.FOUNDATION: "AIR-Bench Foundation", Track.CHAT: "AIR-Bench Chat"}


class _Figure(NamedTuple):
    """A category or an average, and what it covers.

    Attributes:
        name: Its name.
        means: The figure by the name of the rules.
        n: Items that were heard, or judged.
        planned: Items of which it was to be a figure.
        extent: What a reader of the figure must know; empty where everything was asked.
    """

    name: str
    means: dict[str, Mean]
    n: int
    planned: int
    extent: str


def model_card(model: ReportModel) -> str:
    """YAML for the head of a card: every figure of categories and average, under both sets of rules.

    A figure of a run that is not finished, or of a part of the items, says so in its name.
    """
    lines = ["model-index:", f"- name: {_scalar(model.audiolm.name)}", "  results:"]
    results = [line for result in _results(model) for line in result]
    if not results:
        lines[-1] = "  results: []"
    return "\n".join([*lines, *results]) + "\n"


def _results(model: ReportModel) -> Iterator[list[str]]:
    for letters in model.letters:
        by = f", letters by {letters.aligner.name}" if letters.aligner else ""
        shares = [_foundation(part) for part in (*letters.scores.categories, letters.scores.average)]
        yield _result(model, Track.FOUNDATION, by, shares, _instrument("letters_by", letters.aligner))
    for judge in model.judges:
        scores = [_chat(part) for part in (*judge.scores.categories, judge.scores.average)]
        yield _result(model, Track.CHAT, _judged_by(model, judge), scores, _judge(model, judge))


def _foundation(part: FoundationMean) -> _Figure:
    counts = part.counts
    extent = _extent(counts.heard, counts.planned, unfinished=counts.pending > 0)
    return _Figure(
        part.name,
        {"official": part.official, "strict": part.strict},
        counts.heard,
        counts.planned,
        extent if counts.heard < counts.planned else "",
    )


def _chat(part: ChatScore) -> _Figure:
    """Verdicts that cannot be read are no gap in what was asked."""
    counts, left = part.counts, verdicts_to_come(part)
    extent = _extent(part.judged, counts.planned, unfinished=counts.pending + left > 0)
    return _Figure(
        part.name,
        {"official": part.official, "strict": part.strict.score},
        part.judged,
        counts.planned,
        extent if left or counts.answered < counts.planned else "",
    )


def _extent(n: int, planned: int, *, unfinished: bool) -> str:
    return f", {'unfinished: ' if unfinished else ''}{n:,} of {planned:,} items"


def _judged_by(model: ReportModel, reading: ChatReading) -> str:
    by = f", judge {reading.judge.name}"
    if reading.judge.prompt != "official":
        by += f", asked with the prompt {reading.judge.prompt} and not the official one"
    sample = sample_of(model, reading)
    return f"{by}, {sample}" if sample else by


def _judge(model: ReportModel, reading: ChatReading) -> dict[str, object]:
    return {
        **_instrument("judge", reading.judge),
        **({"judge_health": reading.health.verdict.value} if reading.health else {}),
        **({"judged": sample} if (sample := sample_of(model, reading)) else {}),
    }


def _instrument(role: str, identity: JudgeIdentity | None) -> dict[str, object]:
    return {role: msgspec.to_builtins(identity)} if identity else {}


def _result(
    model: ReportModel, track: Track, by: str, figures: Sequence[_Figure], measured_with: dict[str, object]
) -> list[str]:
    metrics = [
        line
        for figure in figures
        for rules, mean in figure.means.items()
        if mean.value is not None
        for line in _metric(track, f"{figure.name.capitalize()}, {rules} rules{by}{figure.extent}", mean, figure)
    ]
    if not metrics:
        return []
    data, selection = model.data, model.selection
    arguments = {
        "measured_by": f"airbench-edge {model.program}",
        "metadata_sha256": data.fingerprint,
        "prompt": model.prompt,
        "limit": selection.limit,
        "seed": selection.seed,
        "tasks": list(selection.tasks),
        **measured_with,
    }
    return [
        "  - task:",
        "      type: audio-text-to-text",
        "    dataset:",
        f"      type: {_scalar(data.name if data.synthetic else _PUBLISHED)}",
        f"      name: {_scalar(f'{data.name} (synthetic)' if data.synthetic else _NAMES[track])}",
        f"      args: {_scalar(arguments)}",
        "    metrics:",
        *metrics,
    ]


def _metric(track: Track, name: str, mean: Mean, figure: _Figure) -> list[str]:
    interval = [mean.interval.low, mean.interval.high] if mean.interval else None
    return [
        f"    - type: {'accuracy' if track is Track.FOUNDATION else 'judge_score'}",
        f"      name: {_scalar(name)}",
        f"      value: {_scalar(mean.value)}",
        f"      args: {_scalar({'interval_95': interval, 'n': figure.n, 'planned': figure.planned})}",
    ]


def _scalar(value: object) -> str:
    return msgspec.json.encode(value).decode()
