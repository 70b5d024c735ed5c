"""The prompts that a judge would be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from airbench_edge.benchmark.items import ChatItem, ItemKey
from airbench_edge.benchmark.prompts import JudgePrompt, judge_prompt
from airbench_edge.benchmark.records import Order
from airbench_edge.judges.contract import JudgeRequest


def judge_requests(
    items: Sequence[ChatItem], said: Mapping[ItemKey, str], prompt: JudgePrompt = "official"
) -> list[JudgeRequest]:
    """Both prompts of each item; the reference answer stands for a response that is not known yet."""
    return [
        JudgeRequest(item.uniq_id, order, judge_prompt(item, said.get(item.key, item.answer_gt), order, prompt))
        for item in items
        for order in Order
    ]
