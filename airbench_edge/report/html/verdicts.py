"""What the judges said of each chat item, as columns for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from airbench_edge.benchmark.items import ChatItem, ItemKey
from airbench_edge.benchmark.records import Order, Response, Verdict
from airbench_edge.benchmark.scores.mean import mean
from airbench_edge.benchmark.scores.ratings import OrderRating, Scores, rate
from airbench_edge.report.html.columns import JudgeSource, VerdictCell
from airbench_edge.report.html.texts import Texts
from airbench_edge.run.folder import Judged

_Column = list[VerdictCell | None]


def judge_source(
    judged: Judged, chat: Sequence[ChatItem], responses: Mapping[ItemKey, Response], texts: Texts
) -> JudgeSource:
    """Read all verdicts of a judge under both rules."""
    planned = set(judged.planned)
    first: _Column = []
    second: _Column = []
    for rating in rate(chat, responses, judged.records):
        for column, order, read in (
            (first, Order.REFERENCE_FIRST, rating.reference_first),
            (second, Order.MODEL_FIRST, rating.model_first),
        ):
            verdict = judged.records.get((rating.item.uniq_id, order))
            column.append(_cell(verdict, read, texts) if verdict and read else None)
    pairs = list(zip(first, second, strict=True))
    scores = {
        "official": [_score([cell.official if cell else None for cell in pair]) for pair in pairs],
        "strict": [_score([cell.strict if cell else None for cell in pair]) for pair in pairs],
    }
    return JudgeSource(
        name=judged.identity.name,
        planned="".join("1" if item.uniq_id in planned else "0" for item in chat),
        results={rules: _results(pairs, column) for rules, column in scores.items()},
        scores=scores,
        reference_first=first,
        model_first=second,
    )


def spreads(judges: Sequence[JudgeSource]) -> list[float | None]:
    """Highest less lowest strict score of each response; None for one that was read fewer than two times."""
    columns = [column for judge in judges for column in (judge.reference_first, judge.model_first)]
    return [_spread([cell.strict[0] for cell in cells if cell and cell.strict]) for cells in zip(*columns, strict=True)]


def _spread(scores: Sequence[float]) -> float | None:
    return max(scores) - min(scores) if len(scores) > 1 else None


def _cell(verdict: Verdict, read: OrderRating, texts: Texts) -> VerdictCell:
    return VerdictCell(
        reply=texts.maybe(verdict.text),
        finish=texts(verdict.finish),
        failure=texts(verdict.failure),
        official=_pair(read.official),
        official_why=texts(read.official_why),
        strict=_pair(read.strict),
        strict_why=texts(read.strict_why),
        expected=_pair(read.expected),
    )


def _pair(scores: Scores | None) -> tuple[float, float] | None:
    return (scores.model, scores.reference) if scores else None


def _score(pairs: Sequence[tuple[float, float] | None]) -> float | None:
    """Mean score of the audio-LM over both orders."""
    known = [pair[0] for pair in pairs if pair]
    return mean(known) if len(known) == len(pairs) else None


def _results(pairs: Sequence[tuple[VerdictCell | None, ...]], scores: Sequence[float | None]) -> str:
    return "".join(
        "s" if score is not None else "u" if any(pair) else "n" for pair, score in zip(pairs, scores, strict=True)
    )
