from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from helpers.ask_openai import requests
from helpers.chat_server import Scripted, chat_server, completion, failure
from helpers.fake_clock import FakeClock

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeReply, JudgeRequest
from airbench_edge.judges.openai import OpenAIJudge
from airbench_edge.judges.openai.budget import Budget
from airbench_edge.judges.prices import Price

# One USD a token, so that sums are plain. "Rate 0." is 7 bytes: at most 7 + 32 tokens in and 1024 out, 1063 USD.
# Replies of the test server have 11 tokens in and 3 out, 14 USD.
PRICE = Price(1e6, 1e6, "")
MOST, COST = 1063.0, 14.0


def replies_until_stop(judge: OpenAIJudge, asked: list[JudgeRequest]) -> tuple[list[JudgeReply], str]:
    found: list[JudgeReply] = []
    stream: Iterator[tuple[JudgeRequest, JudgeReply]] = judge.replies(asked)
    try:
        for _, reply in stream:
            found.append(reply)
    except InputError as error:
        return found, str(error)
    return found, ""


def test_a_cap_below_one_request_stops_before_the_first() -> None:
    with chat_server(completion("8 7")) as server:
        judge = OpenAIJudge("judge-1", base_url=server.url, budget=Budget(MOST - 1, PRICE))
        found, why = replies_until_stop(judge, requests(3))
    assert (found, server.asked) == ([], [])
    assert why.startswith("Stopped at --max-cost 1062: 0.0000 USD are spent")


@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_cap_is_never_passed_and_what_was_done_is_kept(concurrency: int) -> None:
    # The k-th request goes out while 14 (k - 1) + 1063 <= 1105, that is for k = 1 to 4.
    with chat_server(completion("8 7")) as server:
        judge = OpenAIJudge(
            "judge-1", base_url=server.url, concurrency=concurrency, budget=Budget(MOST + 3 * COST, PRICE)
        )
        found, why = replies_until_stop(judge, requests(10))
    assert len(found) == len(server.asked) == 4
    assert {reply.text for reply in found} == {"8 7"}
    assert "56.0000 USD are spent" in why


def test_requests_under_way_together_share_the_cap() -> None:
    """Two fit at once; were each worker to look at the settled sum alone, four would be under way."""
    under_way, most_under_way, lock = 0, 0, threading.Lock()
    both = threading.Barrier(2, timeout=20)

    def react(_: dict[str, object]) -> Scripted:
        nonlocal under_way, most_under_way
        with lock:
            under_way += 1
            most_under_way = max(most_under_way, under_way)
        both.wait()
        with lock:
            under_way -= 1
        return completion("8 7")

    with chat_server(react) as server:
        # After four replies 56 are spent and 2 x 1063 still fit: the six requests go out two by two.
        judge = OpenAIJudge("judge-1", base_url=server.url, concurrency=4, budget=Budget(2 * MOST + 4 * COST, PRICE))
        found, why = replies_until_stop(judge, requests(6))
    assert (len(found), why) == (6, "")
    assert most_under_way == 2


def test_refused_requests_cost_nothing_and_a_silent_server_costs_the_most() -> None:
    silent = completion("8 7")
    del silent.body["usage"]
    with chat_server(failure(500, "oops"), completion("8 7"), silent, completion("8 7")) as server:
        judge = OpenAIJudge(
            "judge-1", base_url=server.url, concurrency=1, clock=FakeClock(), budget=Budget(2 * MOST, PRICE)
        )
        found, why = replies_until_stop(judge, requests(3))
    # 14 for the first; 1063 for the second, which does not say; 14 + 1063 + 1063 is more than 2126.
    assert len(found) == 2
    assert "1077.0000 USD are spent" in why


def test_a_timeout_may_have_been_charged() -> None:
    release = threading.Event()

    def hang(_: dict[str, object]) -> Scripted:
        release.wait(20)
        return completion("8 7")

    with chat_server(hang) as server:
        judge = OpenAIJudge(
            "judge-1", base_url=server.url, timeout_s=0.2, clock=FakeClock(), budget=Budget(1.5 * MOST, PRICE)
        )
        found, why = replies_until_stop(judge, requests(1))
        release.set()
    assert found == []
    assert "1063.0000 USD are spent" in why
