"""A run in memory to its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from airbench_edge import __version__
from airbench_edge.benchmark.items import ChatItem, FoundationItem
from airbench_edge.benchmark.records import Response, State
from airbench_edge.benchmark.scores.chat import score_chat
from airbench_edge.benchmark.scores.counts import Counts, count
from airbench_edge.benchmark.scores.foundation import score_foundation
from airbench_edge.benchmark.scores.marks import Mark, align, mark_responses
from airbench_edge.benchmark.scores.ratings import rate
from airbench_edge.report.model import SCHEMA, ChatReading, FoundationReading, Gap, ReportModel, Sound
from airbench_edge.report.standing import chat_places, foundation_places
from airbench_edge.report.usage import usage_of
from airbench_edge.run.folder import Aligned, Judged, RunData

# Decoders and resamplers round the length of a clip; a cut by the window of a model is far longer.
_CUT_S = 0.1


def build_report(run: RunData) -> ReportModel:
    """Compute everything that a report shows."""
    foundation = [item for item in run.items if isinstance(item, FoundationItem)]
    chat = [item for item in run.items if isinstance(item, ChatItem)]
    return ReportModel(
        schema=SCHEMA,
        program=__version__,
        audiolm=run.manifest.model,
        providers=run.machine.providers if run.machine else {},
        data=run.manifest.data,
        selection=run.manifest.selection,
        prompt=run.manifest.prompt,
        foundation=_counts(run, foundation),
        letters=_letters(run, foundation),
        chat=_counts(run, chat),
        judges=tuple(_judge(run, judged, chat) for judged in run.verdicts.values()),
        sound=_sound(list(run.responses.values())),
        gaps=_gaps(run),
        notes=run.notes,
        ignored=run.ignored,
    )


def _counts(run: RunData, items: list[FoundationItem] | list[ChatItem]) -> Counts | None:
    return count(run.responses.get(item.key) for item in items) if items else None


def _letters(run: RunData, items: list[FoundationItem]) -> tuple[FoundationReading, ...]:
    if not items:
        return ()
    marks = mark_responses(items, run.responses)
    aligned = [_letter_reading(run, align(marks, sheet.records), sheet) for sheet in run.letters.values()]
    return (_letter_reading(run, marks), *aligned)


def _letter_reading(run: RunData, marks: list[Mark], sheet: Aligned | None = None) -> FoundationReading:
    scores = score_foundation(marks)
    return FoundationReading(
        aligner=sheet.identity if sheet else None,
        planned=len(sheet.planned) if sheet else 0,
        replied=sum(record.text is not None for record in sheet.records.values()) if sheet else 0,
        scores=scores,
        places={} if run.manifest.data.synthetic else foundation_places(scores),
    )


def _judge(run: RunData, judged: Judged, chat: list[ChatItem]) -> ChatReading:
    planned = set(judged.planned)
    scores = score_chat(rate([item for item in chat if item.uniq_id in planned], run.responses, judged.records))
    verdicts = judged.records.values()
    return ChatReading(
        judge=judged.identity,
        planned=len(planned),
        models=_most_common(verdict.model for verdict in verdicts if verdict.model),
        fingerprints=_most_common(verdict.fingerprint for verdict in verdicts if verdict.fingerprint),
        asked_with=_most_common(verdict.asked_with for verdict in verdicts if verdict.asked_with),
        usage=usage_of(judged),
        scores=scores,
        places={} if run.manifest.data.synthetic or judged.identity.prompt != "official" else chat_places(scores),
        health=judged.health,
    )


def _sound(responses: list[Response]) -> Sound:
    heard = [
        (response.duration_s, response.heard_s)
        for response in responses
        if response.duration_s is not None and response.heard_s is not None
    ]
    return Sound(
        duration_s=sum(duration for duration, _ in heard),
        heard_s=sum(seconds for _, seconds in heard),
        cut=sum(duration - seconds > _CUT_S for duration, seconds in heard),
        warnings=_most_common(warning for response in responses for warning in response.warnings),
    )


def _gaps(run: RunData) -> tuple[Gap, ...]:
    gaps = []
    for item in run.items:
        response = run.responses.get(item.key)
        if response is None:
            gaps.append(Gap(*item.key, item.folder, item.path, None, ""))
        elif response.state is not State.ANSWERED:
            gaps.append(Gap(*item.key, item.folder, item.path, response.state, response.reason))
    return tuple(gaps)


def _most_common(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())
