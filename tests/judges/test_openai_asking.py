"""Models that do not take every parameter of the released script."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.ask_openai import ask, requests
from helpers.chat_server import Scripted, chat_server, completion, failure

from airbench_edge.judges.openai import OpenAIJudge


def modern(body: dict[str, Any]) -> Scripted:
    """A model that takes neither ``max_tokens`` nor a temperature other than its own."""
    if "max_tokens" in body:
        return failure(400, "unsupported_parameter", param="max_tokens")
    if body.get("temperature", 1) != 1:
        return failure(400, "unsupported_value", param="temperature")
    return completion("8 7")


def test_what_a_model_refuses_is_left_out_once_and_for_all_and_noted() -> None:
    with chat_server(modern) as server:
        replies = ask(server, requests(3))
    assert [reply.text for reply in replies.values()] == ["8 7"] * 3
    assert {reply.asked_with for reply in replies.values()} == {"max_completion_tokens, default temperature"}
    # Two refusals, then one call for each of the three.
    assert len(server.asked) == 5
    assert server.asked[-1] == {
        "model": "judge-1",
        "messages": [{"role": "user", "content": "Rate 2."}],
        "max_completion_tokens": 1024,
    }


def test_workers_that_are_refused_together_all_learn() -> None:
    with chat_server(modern) as server:
        replies = ask(server, requests(20), concurrency=8)
    assert [reply.failure for reply in replies.values()] == [""] * 20
    # Each of eight workers is refused at most twice.
    assert len(server.asked) <= 20 + 2 * 8


@pytest.mark.parametrize(
    "answer",
    [
        failure(400, "unsupported_parameter", param="messages"),
        failure(400, "unsupported_value"),
        failure(400, "invalid_value", param="temperature"),
    ],
)
def test_other_refusals_are_not_repeated(answer: Scripted) -> None:
    with chat_server(answer) as server:
        (reply,) = ask(server, requests(1)).values()
    assert (reply.failure, len(server.asked)) == ("bad_request", 1)


def test_a_server_that_refuses_for_ever_is_asked_three_times() -> None:
    def stubborn(body: dict[str, Any]) -> Scripted:
        return failure(400, "unsupported_parameter", param="max_tokens" if "max_tokens" in body else "temperature")

    with chat_server(stubborn) as server:
        (reply,) = ask(server, requests(1)).values()
    assert (reply.failure, len(server.asked)) == ("bad_request", 3)


def test_reasoning_is_sent_and_part_of_the_identity() -> None:
    with chat_server(completion("8 7")) as server:
        ask(server, requests(1), reasoning="none")
        judge = OpenAIJudge("judge-1", base_url=server.url, reasoning="none")
    assert server.asked[0]["reasoning_effort"] == "none"
    assert judge.identity.details["reasoning"] == "none"
    assert "reasoning" not in OpenAIJudge("judge-1", base_url=server.url).identity.details


def test_a_model_that_thinks_until_its_tokens_are_used_up_is_named() -> None:
    with chat_server(completion("", finish="length")) as server:
        (reply,) = ask(server, requests(1)).values()
    assert (reply.text, reply.failure, reply.finish) == (None, "cut_before_reply", "length")
