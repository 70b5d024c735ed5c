"""An API judge against a loopback server, asked and closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helpers.chat_server import ChatServer
from helpers.fake_clock import FakeClock

from airbench_edge.benchmark.records import Order
from airbench_edge.judges.contract import JudgeReply, JudgeRequest
from airbench_edge.judges.openai import OpenAIJudge


def requests(count: int) -> list[JudgeRequest]:
    """Different items with different prompts."""
    return [JudgeRequest(number, Order.REFERENCE_FIRST, f"Rate {number}.") for number in range(count)]


def ask(server: ChatServer, asked: Sequence[JudgeRequest], **settings: Any) -> dict[JudgeRequest, JudgeReply]:  # noqa: ANN401
    """Ask, one request at a time unless told otherwise, on a clock that does not wait."""
    judge = OpenAIJudge("judge-1", base_url=server.url, **{"concurrency": 1, "clock": FakeClock(), **settings})
    try:
        return dict(judge.replies(asked))
    finally:
        judge.close()
