"""Runs of chat items that several judges have scored, with scores as a test wants them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from helpers.example_run import example_run, judged, manifest
from helpers.made_items import answered, by_key, open_question, verdicts

from airbench_edge.benchmark.items import ChatItem
from airbench_edge.benchmark.records import Order, Verdict
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.run.folder import RunData

SMALL = JudgeIdentity("llama", "small", {"sha256": "aa" * 32, "threads": "2"})
LARGE = JudgeIdentity("openai", "large", {"model": "gpt-4", "threads": "2"})

Line = tuple[str | None, str | None]
"""Replies with the reference first and with the model first."""


def items_of(counts: Mapping[tuple[str, str], int]) -> tuple[ChatItem, ...]:
    """So many items of each task and data set, numbered through."""
    folders = [folder for folder, count in counts.items() for _ in range(count)]
    return tuple(open_question(number, *folder) for number, folder in enumerate(folders))


def run_by(
    items: Sequence[ChatItem],
    small: Sequence[Line | None],
    large: Sequence[Line | None],
    name: str = "runs/one",
) -> RunData:
    """A run in which the two judges gave these replies; None for an item that one was not asked about."""
    heard = {}
    for judge, lines in ((SMALL, small), (LARGE, large)):
        replies = [
            reply
            for item, line in zip(items, lines, strict=True)
            if line is not None
            for reply in verdicts(item, *line)
        ]
        heard[judge.name] = judged(items, replies, judge)
    return example_run(
        path=Path(name),
        items=tuple(items),
        manifest=manifest(items),
        responses=by_key(*(answered(item, f"Answer {item.uniq_id}.") for item in items)),
        verdicts=heard,
    )


def same(answer: int, reference: int = 9) -> Line:
    """The same scores in both orders."""
    return f"{reference} {answer}", f"{answer} {reference}"


def expecting(verdict: Verdict, answer: float, reference: float = 9.0) -> Verdict:
    """A verdict with expected scores."""
    pair = (reference, answer) if verdict.order is Order.REFERENCE_FIRST else (answer, reference)
    return msgspec.structs.replace(verdict, expected=pair)
