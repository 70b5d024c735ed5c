"""What each item comes to in a run: right or not, or a score, where the item counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from airbench_edge.benchmark.items import ChatItem, FoundationItem, ItemKey
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.benchmark.scores.marks import Mark, align, mark_responses
from airbench_edge.benchmark.scores.ratings import Rating, rate
from airbench_edge.run.folder import Aligned, Judged, RunData


class Value(NamedTuple):
    """What an item comes to.

    Attributes:
        figure: 1 for right and 0 for not right, or the mean score of both orders.
        read: The letter that was read, empty for none; or the scores of the order with the reference first and of that
            with the model first, as ``7 / 8``.
    """

    figure: float
    read: str


def foundation_values(run: RunData, aligned: Aligned | None, rules: RulesName) -> dict[ItemKey, Value]:
    """Right or not, of every answered item; ``official`` leaves out those without a letter."""
    marks = mark_responses([item for item in run.items if isinstance(item, FoundationItem)], run.responses)
    if aligned:
        marks = align(marks, aligned.records)
    answered = (mark for mark in marks if mark.response and mark.response.text is not None)
    return _known((mark.item.key, _right(mark, rules)) for mark in answered)


def chat_values(run: RunData, judged: Judged, rules: RulesName) -> dict[ItemKey, Value]:
    """The score of every item both of whose verdicts the rules can read."""
    chat = [item for item in run.items if isinstance(item, ChatItem)]
    return _known((rating.item.key, _score(rating, rules)) for rating in rate(chat, run.responses, judged.records))


def _right(mark: Mark, rules: RulesName) -> Value | None:
    if rules == "strict":
        return Value(float(mark.strict_right), mark.strict.letter or "")
    return Value(float(mark.official_right), mark.official.letter) if mark.official.letter else None


def _score(rating: Rating, rules: RulesName) -> Value | None:
    if rating.reference_first is None or rating.model_first is None:
        return None
    first, second = getattr(rating.reference_first, rules), getattr(rating.model_first, rules)
    if not (first and second):
        return None
    return Value((first.model + second.model) / 2, f"{first.model:g} / {second.model:g}")


def _known(values: Iterable[tuple[ItemKey, Value | None]]) -> dict[ItemKey, Value]:
    return {key: value for key, value in values if value is not None}
