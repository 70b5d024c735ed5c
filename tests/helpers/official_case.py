"""The recorded result set whose figures the released scorers have printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from airbench_edge.benchmark.items import LETTERS, ChatItem, FoundationItem, Item, ItemKey, Track, UniqId
from airbench_edge.benchmark.records import Order, Response, State, Verdict

CASE = Path(__file__).parents[1] / "cases" / "official"


def expected() -> dict[str, Any]:
    """Counts and figures of the released scorers."""
    return cast("dict[str, Any]", json.loads((CASE / "expected.json").read_text(encoding="utf-8")))


def foundation_items() -> list[FoundationItem]:
    """The 540 single-choice items."""
    return [_foundation(record) for record in _metadata("Foundation")]


def chat_items() -> list[ChatItem]:
    """The 228 open questions."""
    return [_chat(record) for record in _metadata("Chat")]


def items() -> tuple[Item, ...]:
    """All of them."""
    return (*foundation_items(), *chat_items())


def responses() -> dict[ItemKey, Response]:
    """The recorded responses of both tracks."""
    records = [
        Response(Track(line["track"]), line["uniq_id"], State.ANSWERED, line["response"])
        for line in _lines("responses.jsonl")
    ]
    return {record.key: record for record in records}


def verdicts() -> dict[tuple[UniqId, Order], Verdict]:
    """The recorded judge replies in both orders."""
    records = [Verdict(line["uniq_id"], Order(line["order"]), line["text"]) for line in _lines("judge_replies.jsonl")]
    return {record.key: record for record in records}


def _metadata(track: str) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", json.loads((CASE / track / f"{track}_meta.json").read_text(encoding="utf-8")))


def _lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (CASE / name).read_text(encoding="utf-8").splitlines()]


def _foundation(record: dict[str, Any]) -> FoundationItem:
    a, b, c, d = (record.get(f"choice_{letter.lower()}") for letter in LETTERS)
    accepted = tuple(letter for letter, text in zip(LETTERS, (a, b, c, d), strict=True) if text == record["answer_gt"])
    return FoundationItem(
        record["uniq_id"],
        record["task_name"],
        record["dataset_name"],
        record["path"],
        record["question"],
        (a, b, c, d),
        record["answer_gt"],
        accepted,
    )


def _chat(record: dict[str, Any]) -> ChatItem:
    return ChatItem(
        record["uniq_id"],
        record["task_name"],
        record["dataset_name"],
        record["path"],
        record["question"],
        record["answer_gt"],
        record["meta_info"],
    )
