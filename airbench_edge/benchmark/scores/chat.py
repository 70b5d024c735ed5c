"""Scores of the chat track by one judge: groups, categories and the average, under both rules.

The arithmetic is that of ``cal_score.py`` run once for each order and of the rule that goes with it: a group is the
mean of its two orders, each over the verdicts that it can read; ``mixed`` is the mean of its two groups; the average is
the unweighted mean of the four categories.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from airbench_edge.benchmark.scores.chat_score import ChatScore, group_part, mean_part
from airbench_edge.benchmark.scores.ratings import Rating
from airbench_edge.benchmark.tasks import CHAT_CATEGORIES, CHAT_GROUPS, CHAT_TASKS, chat_task


class ChatScores(msgspec.Struct, frozen=True):
    """The whole track. Groups and categories without a planned item have no entry.

    Attributes:
        groups: The groups of ``cal_score.py``.
        others: Tasks that AIR-Bench does not know, each on its own, part of no mean.
        categories: Categories of the published table.
        average: Mean of the four categories.
    """

    groups: tuple[ChatScore, ...]
    others: tuple[ChatScore, ...]
    categories: tuple[ChatScore, ...]
    average: ChatScore


def score_chat(ratings: Sequence[Rating]) -> ChatScores:
    """Score the items of a run; a selection gives no category or average that lacks one of its parts."""
    by_group: dict[str, list[Rating]] = {}
    for rating in ratings:
        task = chat_task(rating.item.task)
        by_group.setdefault(task.group if task else rating.item.task, []).append(rating)
    parts = {
        name: group_part(name, by_group[name]) if name in by_group else None
        for name in (*CHAT_GROUPS, *(name for name in by_group if name not in CHAT_GROUPS))
    }
    categories = {
        category: mean_part(category, {group: parts[group] for group in _groups(category)})
        for category in CHAT_CATEGORIES
    }
    return ChatScores(
        groups=tuple(part.score for name in CHAT_GROUPS if (part := parts[name])),
        others=tuple(part.score for name, part in parts.items() if part and name not in CHAT_GROUPS),
        categories=tuple(part.score for part in categories.values() if part.score.counts.planned),
        average=mean_part("average", categories).score,
    )


def _groups(category: str) -> list[str]:
    groups = {task.group for task in CHAT_TASKS if task.category == category}
    return [group for group in CHAT_GROUPS if group in groups]
