"""``official`` gives what the released scorers print for a recorded result set, to the last digit."""

from __future__ import annotations

import pytest
from helpers import official_case

from airbench_edge.benchmark.scores.chat import ChatScores, score_chat
from airbench_edge.benchmark.scores.chat_score import OrderScore
from airbench_edge.benchmark.scores.foundation import FoundationScores, score_foundation
from airbench_edge.benchmark.scores.marks import mark_responses
from airbench_edge.benchmark.scores.ratings import rate

EXPECTED = official_case.expected()


@pytest.fixture(scope="module")
def foundation() -> FoundationScores:
    return score_foundation(mark_responses(official_case.foundation_items(), official_case.responses()))


@pytest.fixture(scope="module")
def chat() -> ChatScores:
    return score_chat(rate(official_case.chat_items(), official_case.responses(), official_case.verdicts()))


def test_every_folder(foundation: FoundationScores) -> None:
    folders = {folder.folder: folder.official for task in foundation.tasks for folder in task.folders}
    assert {
        name: {"n": score.n, "correct": score.right, "accuracy": score.value} for name, score in folders.items()
    } == EXPECTED["foundation"]["folders"]


def test_totals(foundation: FoundationScores) -> None:
    assert sum(task.official.n for task in foundation.tasks) == EXPECTED["foundation"]["total"]
    assert sum(task.official.undecided for task in foundation.tasks) == EXPECTED["foundation"]["failed"]


def test_every_group_in_both_orders(chat: ChatScores) -> None:
    for order in ("reference_first", "model_first"):
        printed = {group.name: _printed(getattr(group, order)) for group in chat.groups}
        assert printed == EXPECTED["chat"][order]
        assert getattr(chat.average, order).failed == EXPECTED["chat"][f"{order}_failed"]


def test_groups_categories_and_average(chat: ChatScores) -> None:
    assert {group.name: group.official.value for group in chat.groups} == EXPECTED["chat"]["groups"]
    assert {category.name: category.official.value for category in chat.categories} == EXPECTED["chat"]["categories"]
    assert chat.average.official.value == EXPECTED["chat"]["average"]


def _printed(order: OrderScore) -> dict[str, float | None]:
    return {"n": order.n, "win_rate": order.win_rate, "model": order.model, "reference": order.reference}
