"""What each item comes to in a run: right or not, or a score, where the item counts."""

from __future__ import annotations

from collections.abc import Mapping

from airbench_edge.benchmark.items import ChatItem, FoundationItem, ItemKey
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.benchmark.scores.marks import Mark, align, mark_responses
from airbench_edge.benchmark.scores.ratings import Rating, rate
from airbench_edge.run.folder import Aligned, Judged, RunData


def foundation_values(run: RunData, aligned: Aligned | None, rules: RulesName) -> dict[ItemKey, float]:
    """1 for right and 0 for not right, of every answered item; ``official`` leaves out those without a letter."""
    marks = mark_responses([item for item in run.items if isinstance(item, FoundationItem)], run.responses)
    if aligned:
        marks = align(marks, aligned.records)
    values = {mark.item.key: _right(mark, rules) for mark in marks if mark.response and mark.response.text is not None}
    return _known(values)


def chat_values(run: RunData, judged: Judged, rules: RulesName) -> dict[ItemKey, float]:
    """Mean score of both orders, of every item both of whose verdicts the rules can read."""
    chat = [item for item in run.items if isinstance(item, ChatItem)]
    return _known({rating.item.key: _score(rating, rules) for rating in rate(chat, run.responses, judged.records)})


def _right(mark: Mark, rules: RulesName) -> float | None:
    if rules == "strict":
        return float(mark.strict_right)
    return float(mark.official_right) if mark.official.letter else None


def _score(rating: Rating, rules: RulesName) -> float | None:
    if rating.reference_first is None or rating.model_first is None:
        return None
    first, second = getattr(rating.reference_first, rules), getattr(rating.model_first, rules)
    return (first.model + second.model) / 2 if first and second else None


def _known(values: Mapping[ItemKey, float | None]) -> dict[ItemKey, float]:
    return {key: value for key, value in values.items() if value is not None}
