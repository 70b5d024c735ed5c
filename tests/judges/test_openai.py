from __future__ import annotations

import time
from collections.abc import Sequence
from email.utils import formatdate

import msgspec
import pytest
from helpers.chat_server import ChatServer, Scripted, chat_server, completion, failure
from helpers.fake_clock import FakeClock

from airbench_edge.benchmark.records import Order
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeReply, JudgeRequest
from airbench_edge.judges.openai import OpenAIJudge, Temperature
from airbench_edge.judges.openai.retry import told

REQUEST = JudgeRequest(1, Order.REFERENCE_FIRST, "Rate these.")


def ask(
    server: ChatServer,
    requests: Sequence[JudgeRequest] = (REQUEST,),
    *,
    clock: FakeClock | None = None,
    temperature: Temperature = 0.0,
    concurrency: int = 1,
) -> dict[JudgeRequest, JudgeReply]:
    judge = OpenAIJudge(
        "judge-1",
        base_url=server.url,
        temperature=temperature,
        concurrency=concurrency,
        clock=clock or FakeClock(),
    )
    try:
        return dict(judge.replies(requests))
    finally:
        judge.close()


def test_one_user_message_and_the_official_settings() -> None:
    with chat_server(completion("8 7")) as server:
        reply = ask(server)[REQUEST]
    assert reply == JudgeReply(
        text="8 7", finish="stop", prompt_tokens=11, completion_tokens=3, model="judge-1", fingerprint="fp_7"
    )
    assert server.asked == [
        {
            "model": "judge-1",
            "messages": [{"role": "user", "content": "Rate these."}],
            "temperature": 0.0,
            "max_tokens": 1024,
        }
    ]


def test_the_official_mixture_is_drawn_from_the_seed_and_repeats() -> None:
    requests = [JudgeRequest(n, Order.MODEL_FIRST, f"Rate {n}.") for n in range(40)]
    drawn = []
    for _ in range(2):
        with chat_server(completion("8 7")) as server:
            ask(server, requests, temperature="official")
        drawn.append([body["temperature"] for body in server.asked])
    assert drawn[0] == drawn[1]
    # 40 fair draws: fewer than 8 of either kind has a chance below 1 in 10,000; the seed is fixed.
    assert set(drawn[0]) == {1.0, 2.0}
    assert 8 <= drawn[0].count(1.0) <= 32


def test_retry_after_is_obeyed_however_long() -> None:
    clock = FakeClock()
    with chat_server(failure(429, "rate_limit_exceeded", retry_after="75"), completion("8 7")) as server:
        assert ask(server, clock=clock)[REQUEST].text == "8 7"
    # A tenth more at most, so that workers do not return together.
    assert 75 <= sum(clock.waits) <= 82.5


def test_retry_after_may_be_a_date() -> None:
    clock = FakeClock()
    date = formatdate(time.time() + 90, usegmt=True)
    with chat_server(failure(503, "overloaded", retry_after=date), completion("8 7")) as server:
        ask(server, clock=clock)
    # Dates have whole seconds, so up to one is lost, the call itself takes a moment, and a tenth may be added.
    assert 85 <= clock.waits[0] <= 99


def test_a_wait_beyond_the_limit_fails_the_item_only() -> None:
    second = JudgeRequest(2, Order.REFERENCE_FIRST, "Rate those.")
    with chat_server(failure(429, "rate_limit_exceeded", retry_after="99999"), completion("8 7")) as server:
        replies = ask(server, [REQUEST, second])
    assert replies[REQUEST] == JudgeReply(text=None, failure="rate_limited")
    assert replies[second].text == "8 7"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (failure(429, "insufficient_quota"), "quota"),
        (failure(401, "invalid_api_key"), "API key"),
        (failure(403, "unsupported_country"), "403"),
        (failure(404, "model_not_found"), "404"),
    ],
)
def test_what_no_repetition_changes_stops_after_one_request(
    answer: Scripted, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with chat_server(answer) as server, pytest.raises(InputError, match=words) as caught:
        ask(server)
    assert len(server.asked) == 1
    assert "sk-very-secret" not in str(caught.value)


def test_a_prompt_that_is_too_long_fails_by_name_after_one_request() -> None:
    with chat_server(failure(400, "context_length_exceeded")) as server:
        assert ask(server)[REQUEST].failure == "too_long"
    assert len(server.asked) == 1


def test_a_broken_server_is_given_six_chances() -> None:
    clock = FakeClock()
    with chat_server(failure(500, "oops")) as server:
        assert ask(server, clock=clock)[REQUEST].failure == "server_error"
    # Six calls have five waits between them, 1, 2, 4, 8, 16 seconds less up to half.
    assert len(server.asked) == 6
    assert [0.5 * 2**n <= wait <= 2**n for n, wait in enumerate(clock.waits)] == [True] * 5


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"choices": []}, "empty_reply"),
        ({"choices": [{"message": None}]}, "empty_reply"),
        ({"choices": [{"finish_reason": "content_filter", "message": {"content": ""}}]}, "content_filter"),
        ({"choices": [{"finish_reason": "stop", "message": {"content": None}}]}, "empty_reply"),
        ({}, "empty_reply"),
    ],
)
def test_incomplete_answers_are_failures_with_a_name(body: dict[str, object], reason: str) -> None:
    with chat_server(Scripted(200, body)) as server:
        assert ask(server)[REQUEST] == JudgeReply(
            text=None, failure=reason, finish="stop" if "stop" in str(body) else "unknown"
        )


def answered(**fields: object) -> Scripted:
    return Scripted(200, {**completion("8 7").body, **fields})


def said(content: object) -> Scripted:
    return answered(choices=[{"finish_reason": "stop", "message": {"content": content}}])


@pytest.mark.parametrize(
    "answer",
    [
        Scripted(204, b""),
        *(
            Scripted(200, body)
            for body in (b'{"choices":[', b"hello", b"[]", b"null", b'"x"', b"<html>", b"[" * 200_000)
        ),
        Scripted(200, b'{"choices":[{"message":{"content":"\xff\xfe"}}]}'),
        *(answered(choices=choices) for choices in ({"0": 1}, 5, "8 7", ["8 7"], [{"message": "8 7"}])),
        *(said(content) for content in (8, {"text": "8 7"}, ["8 7"], [{"type": "text", "text": 8}])),
    ],
)
def test_what_is_no_completion_fails_its_item_only(answer: Scripted) -> None:
    second = JudgeRequest(2, Order.REFERENCE_FIRST, "Rate those.")
    with chat_server(answer, completion("8 7")) as server:
        replies = ask(server, [REQUEST, second])
    assert replies[REQUEST] == JudgeReply(text=None, failure="no_completion")
    assert replies[second].text == "8 7"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "8 "}, {"type": "text", "text": "7"}], "8 7"),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "1 1"}]}, {"type": "text", "text": "8 7"}], "8 7"),
        ([{"type": "refusal", "refusal": "no"}], None),
        ([], None),
    ],
)
def test_the_text_parts_of_a_message_are_its_text(content: object, text: str | None) -> None:
    with chat_server(said(content)) as server:
        reply = ask(server)[REQUEST]
    assert (reply.text, reply.failure) == (text, "" if text else "empty_reply")


@pytest.mark.parametrize(
    "usage",
    [
        "x",
        None,
        {"prompt_tokens": -5, "completion_tokens": 7},
        {"prompt_tokens": "5", "completion_tokens": 7},
        {"prompt_tokens": 5, "completion_tokens": None},
        {"prompt_tokens": 5.5, "completion_tokens": 7},
        {"prompt_tokens": 10**30, "completion_tokens": 7},
    ],
)
def test_a_strange_count_of_tokens_is_not_told(usage: object) -> None:
    with chat_server(answered(usage=usage)) as server:
        reply = ask(server)[REQUEST]
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("8 7", 0, 0)


def test_strange_names_are_not_told_and_the_journal_can_keep_every_reply() -> None:
    strange = answered(model=5, system_fingerprint=["a"])
    halves = b'{"model":"\\ud800","choices":[{"finish_reason":"st\\ud800op","message":{"content":"8 7\\ud800"}}]}'
    second = JudgeRequest(2, Order.REFERENCE_FIRST, "Rate those.")
    with chat_server(strange, Scripted(200, halves)) as server:
        replies = ask(server, [REQUEST, second])
    assert (replies[REQUEST].model, replies[REQUEST].fingerprint) == ("", "")
    assert (replies[second].text, replies[second].model, replies[second].finish) == ("8 7\ufffd", "\ufffd", "unknown")
    for reply in replies.values():
        assert msgspec.json.decode(msgspec.json.encode(reply), type=JudgeReply) == reply


def test_white_space_around_the_key_is_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", " sk-abc\r\n")
    with chat_server(completion("8 7")) as server:
        assert ask(server)[REQUEST].text == "8 7"
    monkeypatch.setenv("OPENAI_API_KEY", " \n")
    with pytest.raises(InputError, match="needs an API key"):
        OpenAIJudge("judge-1")


@pytest.mark.parametrize("key", ["sk-very\nsecret", "sk-very secret ü", "sk-very\x7fsecret", "sk-very\udcffsecret"])
def test_what_can_be_no_key_is_refused_without_being_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(InputError, match="OPENAI_API_KEY holds characters") as caught:
        OpenAIJudge("judge-1", base_url="http://127.0.0.1:1/v1")
    assert "very" not in str(caught.value)


@pytest.mark.parametrize(("key", "shown"), [("sk-secret", "ValueError"), ("x", "Bearer sk-secret is refused: x")])
def test_a_cause_that_tells_the_key_is_only_named(key: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    assert told(ValueError("Bearer sk-secret is refused: x")) == shown


def test_a_header_that_cannot_be_written_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "ü")
    with chat_server(completion("8 7")) as server, pytest.raises(InputError, match="begin with OPENAI_"):
        ask(server)


def test_no_server_is_one_sentence(unused_tcp_port: int) -> None:
    judge = OpenAIJudge("judge-1", base_url=f"http://127.0.0.1:{unused_tcp_port}/v1", clock=FakeClock())
    with pytest.raises(InputError, match=r"127\.0\.0\.1 cannot be reached"):
        list(judge.replies([REQUEST]))


def test_every_request_is_asked_once_when_many_run_together() -> None:
    requests = [JudgeRequest(n, Order.REFERENCE_FIRST, f"Rate {n}.") for n in range(50)]
    with chat_server(completion("8 7")) as server:
        replies = ask(server, requests, concurrency=8)
    assert set(replies) == set(requests)
    assert sorted(body["messages"][0]["content"] for body in server.asked) == sorted(r.prompt for r in requests)


def test_without_a_key_only_a_local_server_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        OpenAIJudge("gpt-4-0125-preview")


def test_the_identity_never_holds_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    judge = OpenAIJudge("m", base_url="http://user:password@127.0.0.1:1/v1")
    assert judge.identity.details["server"] == "127.0.0.1:1"
    assert "secret" not in repr(judge.identity)
    assert "password" not in repr(judge.identity)
