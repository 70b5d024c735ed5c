from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.ask_openai import ask, requests
from helpers.chat_server import Scripted, chat_server, completion, failure
from helpers.fake_clock import FakeClock

from airbench_edge.benchmark.records import Order
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeRequest
from airbench_edge.judges.openai import OpenAIJudge
from airbench_edge.judges.openai.batch import POLL_S, BatchDesk
from airbench_edge.judges.openai.budget import Budget
from airbench_edge.judges.openai.cache import ReplyCache
from airbench_edge.judges.openai.pending import PendingBatches
from airbench_edge.judges.prices import Price


def echo(body: dict[str, Any]) -> Scripted:
    """A verdict that tells which prompt it is about."""
    return completion(body["messages"][0]["content"].removeprefix("Rate "))


def test_one_direct_request_then_one_batch(tmp_path: Path) -> None:
    clock = FakeClock()
    with chat_server(echo) as server:
        replies = ask(server, requests(5), batches=PendingBatches(tmp_path), clock=clock)
        handed_in = [json.loads(line) for line in server.batches.files["file-0"].splitlines()]
    assert {request.uniq_id: reply.text for request, reply in replies.items()} == {n: f"{n}." for n in range(5)}
    assert {(reply.finish, reply.model, reply.prompt_tokens) for reply in replies.values()} == {("stop", "judge-1", 11)}
    assert len(server.batches.batches) == 1
    assert [line["body"]["messages"][0]["content"] for line in handed_in] == [f"Rate {n}." for n in range(1, 5)]
    assert handed_in[0]["body"] == {
        "model": "judge-1",
        "messages": [{"role": "user", "content": "Rate 1."}],
        "temperature": 0.0,
        "max_tokens": 1024,
    }
    # It is validated, then under way, then done: two waits.
    assert clock.waits == [POLL_S, POLL_S]
    assert list(tmp_path.iterdir()) == []


def test_items_that_ask_the_same_share_a_line(tmp_path: Path) -> None:
    same = [JudgeRequest(number, Order.MODEL_FIRST, "Rate this.") for number in range(3)]
    with chat_server(completion("8 7")) as server:
        replies = ask(server, [*requests(1), *same], batches=PendingBatches(tmp_path))
    assert len(replies) == 4
    assert len(server.asked) == 2


def test_what_the_first_request_teaches_holds_for_the_batch(tmp_path: Path) -> None:
    def modern(body: dict[str, Any]) -> Scripted:
        return failure(400, "unsupported_parameter", "max_tokens") if "max_tokens" in body else echo(body)

    with chat_server(modern) as server:
        replies = ask(server, requests(4), batches=PendingBatches(tmp_path))
    assert {reply.failure for reply in replies.values()} == {""}
    assert {reply.asked_with for reply in replies.values()} == {"max_completion_tokens"}


def test_a_wrong_key_shows_before_anything_is_handed_in(tmp_path: Path) -> None:
    with chat_server(failure(401, "invalid_api_key")) as server, pytest.raises(InputError, match="API key"):
        ask(server, requests(4), batches=PendingBatches(tmp_path))
    assert server.batches.files == {}


def test_lines_fail_one_by_one_by_the_kind_of_their_error(tmp_path: Path) -> None:
    script = {
        1: failure(400, "context_length_exceeded"),
        2: failure(429, "rate_limit_exceeded"),
        3: failure(500, "oops"),
        4: completion(None),
        5: completion("8 7", finish="content_filter"),
    }

    def react(body: dict[str, Any]) -> Scripted:
        return script.get(int(body["messages"][0]["content"].split()[1].rstrip(".")), completion("8 7"))

    with chat_server(react) as server:
        replies = ask(server, requests(7), batches=PendingBatches(tmp_path))
    assert [replies[request].failure for request in requests(7)] == [
        "",
        "too_long",
        "rate_limited",
        "server_error",
        "empty_reply",
        "content_filter",
        "",
    ]


def test_a_strange_line_fails_its_request_only(tmp_path: Path) -> None:
    strange = {
        1: (200, b"5"),
        2: (200, b'{"choices": 5}'),
        3: (200, b"[" * 900 + b"]" * 900),
        4: (200, b'{"choices":[{"message":{"content":"8 7\\ud800"}}],"usage":{"prompt_tokens":-5}}'),
        5: (200, b'"cut'),
        6: (400, b'{"error": ["x"]}'),
    }

    def react(body: dict[str, Any]) -> Scripted:
        number = int(body["messages"][0]["content"].split()[1].rstrip("."))
        return Scripted(*strange[number]) if number in strange else completion("8 7")

    with chat_server(react) as server:
        replies = ask(server, requests(8), batches=PendingBatches(tmp_path))
    assert [replies[request].failure for request in requests(8)] == [
        "",
        "no_completion",
        "no_completion",
        "no_completion",
        "",
        "batch_completed",  # a line that cannot be read is nobody's
        "bad_request",
        "",
    ]
    assert replies[requests(8)[4]].text == "8 7\ufffd"


def test_a_line_of_another_form_fails_the_request_that_it_names(tmp_path: Path) -> None:
    with chat_server(echo) as server:
        server.batches.status_code = '"fine"'
        replies = ask(server, requests(3), batches=PendingBatches(tmp_path))
    assert [reply.failure for reply in replies.values()] == ["", "no_completion", "no_completion"]


@pytest.mark.parametrize("content", [b"", b"[]", b'{"id": 5}'])
def test_a_strange_answer_of_the_batch_api_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    with chat_server(echo) as server:
        server.batches.strange = content
        with pytest.raises(InputError, match=r"Batch API of 127\.0\.0\.1.* failed \(strange_answer: "):
            ask(server, requests(3), batches=PendingBatches(tmp_path))


def test_a_batch_that_expires_keeps_what_was_done(tmp_path: Path) -> None:
    with chat_server(echo) as server:
        server.batches.expire_after = 2
        replies = ask(server, requests(5), batches=PendingBatches(tmp_path))
    assert [reply.failure for reply in replies.values()].count("batch_expired") == 2
    assert len([reply for reply in replies.values() if reply.text]) == 3


def test_a_batch_refused_as_a_whole_is_one_sentence(tmp_path: Path) -> None:
    with chat_server(echo) as server:
        server.batches.refusal = "Enqueued token limit reached"
        with pytest.raises(InputError, match=r"refused the batch batch-0 \(Enqueued token limit reached\)"):
            ask(server, requests(5), batches=PendingBatches(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_server_without_batches_is_named(tmp_path: Path) -> None:
    with chat_server(echo) as server:
        server.batches.missing = True
        with pytest.raises(InputError, match=r"127\.0\.0\.1 has no Batch API: judge without --batch"):
            ask(server, requests(5), batches=PendingBatches(tmp_path))


class Killed(BaseException):
    pass


class KillingClock(FakeClock):
    def wait(self, *_: object) -> None:
        raise Killed


def test_a_killed_command_finds_its_batch_again(tmp_path: Path) -> None:
    with chat_server(echo) as server:
        with pytest.raises(Killed):
            ask(server, requests(5), batches=PendingBatches(tmp_path / "batches"), clock=KillingClock())
        replies = ask(server, requests(5)[1:], batches=PendingBatches(tmp_path / "batches"))
    assert sorted(str(reply.text) for reply in replies.values()) == ["1.", "2.", "3.", "4."]
    assert len(server.batches.batches) == 1
    # One direct request and four lines: nothing was asked twice.
    assert len(server.asked) == 5


def test_a_batch_begun_but_not_noted_is_found_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = PendingBatches.save

    def killed_at_the_second(self: PendingBatches, batch: Any) -> None:  # noqa: ANN401
        if batch.batch_id:
            raise Killed
        saved(self, batch)

    with chat_server(echo) as server:
        with monkeypatch.context() as patch:
            patch.setattr(PendingBatches, "save", killed_at_the_second)
            with pytest.raises(Killed):
                ask(server, requests(5), batches=PendingBatches(tmp_path))
        replies = ask(server, requests(5)[1:], batches=PendingBatches(tmp_path))
    assert len(replies) == 4
    assert len(server.batches.batches) == 1


def test_a_batch_whose_beginning_was_not_answered_is_not_begun_twice(tmp_path: Path) -> None:
    with chat_server(echo) as server:
        server.batches.lost_answers = 1
        replies = ask(server, requests(5), batches=PendingBatches(tmp_path))
    assert (len(replies), len(server.batches.batches)) == (5, 1)


@pytest.mark.parametrize("broken", [("POST", "files"), ("POST", "batches"), ("GET", "batches"), ("GET", "files")])
def test_a_failing_batch_api_is_one_sentence_and_loses_nothing(tmp_path: Path, broken: tuple[str, str]) -> None:
    with chat_server(echo) as server:
        server.batches.broken = broken
        with pytest.raises(InputError, match=r"Batch API of 127\.0\.0\.1.* failed \(bad_request: .*not today"):
            ask(server, requests(5), batches=PendingBatches(tmp_path))
        server.batches.broken = None
        assert len(ask(server, requests(5)[1:], batches=PendingBatches(tmp_path))) == 4
    # Where only the first upload failed, the second command asked one request directly.
    assert len(server.batches.batches) == 1


def test_a_damaged_note_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{")
    with chat_server(echo) as server, pytest.raises(InputError, match=r"x\.json is no note of a batch"):
        ask(server, requests(2), batches=PendingBatches(tmp_path))
    assert server.asked == []


def test_a_batch_never_begun_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(self: BatchDesk, batch: object) -> None:
        raise Killed

    with chat_server(echo) as server:
        with monkeypatch.context() as patch:
            patch.setattr(BatchDesk, "_begin", killed)
            with pytest.raises(Killed):
                ask(server, requests(5), batches=PendingBatches(tmp_path))
        assert server.batches.batches == {}
        replies = ask(server, requests(5)[1:], batches=PendingBatches(tmp_path))
    assert len(replies) == 4
    assert len(server.batches.files) == 2  # one upload, one result


def test_the_batch_of_another_run_is_left_alone(tmp_path: Path) -> None:
    other = [JudgeRequest(n, Order.MODEL_FIRST, f"Compare {n}.") for n in range(3)]
    with chat_server(completion("8 7")) as server:
        with pytest.raises(Killed):
            ask(server, requests(3), batches=PendingBatches(tmp_path), clock=KillingClock())
        assert len(ask(server, other, batches=PendingBatches(tmp_path))) == 3
        assert len(list(tmp_path.iterdir())) == 1


def test_a_batch_that_the_server_has_forgotten_is_handed_in_anew(tmp_path: Path) -> None:
    with chat_server(echo) as server:
        with pytest.raises(Killed):
            ask(server, requests(3), batches=PendingBatches(tmp_path), clock=KillingClock())
        server.batches.batches.clear()
        replies = ask(server, requests(3), batches=PendingBatches(tmp_path))
    assert [reply.text for reply in replies.values()] == ["0.", "1.", "2."]


def test_replies_of_a_batch_are_cached(tmp_path: Path) -> None:
    settings = {"batches": PendingBatches(tmp_path / "batches"), "cache": ReplyCache(tmp_path / "replies")}
    with chat_server(echo) as server:
        first = ask(server, requests(4), **settings)
        again = ask(server, requests(4), **settings)
    assert again == first
    assert len(server.asked) == 4


def test_a_cap_divides_the_work_into_batches_that_surely_fit(tmp_path: Path) -> None:
    # One USD a token: a request can cost 7 + 32 + 1024 = 1063, half of it in a batch, 531.5; a reply costs 14, or 7.
    # The direct request leaves 1600 - 14 = 1586: two fit (1063). They cost 14, 1572 are left: two fit, and so on.
    with chat_server(echo) as server:
        replies = ask(server, requests(8), batches=PendingBatches(tmp_path), budget=Budget(1600, Price(1e6, 1e6, "")))
    assert len(replies) == 8
    sizes = [len(server.batches.files[b["input_file_id"]].splitlines()) for b in server.batches.batches.values()]
    assert sizes == [2, 2, 2, 1]


def test_a_cap_that_the_next_batch_could_pass_stops_and_keeps_what_was_done(tmp_path: Path) -> None:
    # 1063 pays for the direct request, which costs 14; of the 1049 left one line (531.5) fits, and costs 7. Each next
    # one fits while 14 + 7 n + 531.5 <= 1063, that is for all n up to 73: so the price of a line is raised instead.
    long = [JudgeRequest(n, Order.MODEL_FIRST, "x" * 2000) for n in (7, 8)]
    done: dict[JudgeRequest, Any] = {}
    with chat_server(completion("8 7")) as server:
        judge = OpenAIJudge(
            "judge-1",
            base_url=server.url,
            batches=PendingBatches(tmp_path),
            budget=Budget(1063, Price(1e6, 1e6, "")),
            clock=FakeClock(),
        )
        with pytest.raises(InputError, match="Stopped at --max-cost 1063"):
            done.update((request, reply) for request, reply in judge.replies([*requests(3), *long]))
    # dict.update keeps what arrived before the error: the direct one and the two batches of one line each.
    assert list(done) == requests(3)
