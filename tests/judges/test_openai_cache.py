from __future__ import annotations

from pathlib import Path

import pytest
from helpers.ask_openai import ask, requests
from helpers.chat_server import Scripted, chat_server, completion, failure

from airbench_edge.benchmark.records import Order
from airbench_edge.judges.contract import JudgeRequest
from airbench_edge.judges.openai.cache import ReplyCache
from airbench_edge.user_cache import cache_folder


def test_asking_the_same_again_costs_nothing(tmp_path: Path) -> None:
    with chat_server(completion("8 7"), completion("3 2")) as server:
        first = ask(server, requests(2), cache=ReplyCache(tmp_path))
        again = ask(server, requests(2), cache=ReplyCache(tmp_path))
    assert again == first
    assert len(server.asked) == 2


def test_the_same_prompt_serves_two_items_only_where_nothing_is_sampled(tmp_path: Path) -> None:
    one, other = (JudgeRequest(number, Order.MODEL_FIRST, "Rate this.") for number in (1, 2))
    with chat_server(completion("8 7"), completion("3 2"), completion("5 5")) as server:
        ask(server, [one], cache=ReplyCache(tmp_path))
        assert ask(server, [other], cache=ReplyCache(tmp_path))[other].text == "8 7"
        ask(server, [one], cache=ReplyCache(tmp_path), temperature=1.0)
        assert ask(server, [other], cache=ReplyCache(tmp_path), temperature=1.0)[other].text == "5 5"
        assert ask(server, [one], cache=ReplyCache(tmp_path), temperature=1.0)[one].text == "3 2"


@pytest.mark.parametrize(
    "changed", [{"temperature": 1.0}, {"reasoning": "none"}, {"seed": 1, "temperature": 0.5}], ids=str
)
def test_another_setting_is_another_question(tmp_path: Path, changed: dict[str, object]) -> None:
    before = {"temperature": 0.5} if "seed" in changed else {}
    with chat_server(completion("8 7"), completion("3 2")) as server:
        ask(server, requests(1), cache=ReplyCache(tmp_path), **before)
        (reply,) = ask(server, requests(1), cache=ReplyCache(tmp_path), **changed).values()
    assert reply.text == "3 2"


def test_another_server_is_another_judge(tmp_path: Path) -> None:
    with chat_server(completion("8 7")) as server, chat_server(completion("3 2")) as other:
        ask(server, requests(1), cache=ReplyCache(tmp_path))
        (reply,) = ask(other, requests(1), cache=ReplyCache(tmp_path)).values()
    assert reply.text == "3 2"


def test_another_attempt_is_another_draw(tmp_path: Path) -> None:
    again = JudgeRequest(0, Order.REFERENCE_FIRST, "Rate 0.", attempt=1)
    with chat_server(completion("I cannot."), completion("8 7")) as server:
        ask(server, requests(1), cache=ReplyCache(tmp_path))
        assert ask(server, [again], cache=ReplyCache(tmp_path))[again].text == "8 7"


@pytest.mark.parametrize(
    "answer",
    [completion("8 7 because the", finish="length"), failure(400, "bad"), completion(None)],
    ids=["cut", "refused", "empty"],
)
def test_incomplete_replies_are_asked_again(tmp_path: Path, answer: Scripted) -> None:
    with chat_server(answer, completion("8 7")) as server:
        ask(server, requests(1), cache=ReplyCache(tmp_path))
        (reply,) = ask(server, requests(1), cache=ReplyCache(tmp_path)).values()
    assert reply.text == "8 7"


def test_a_torn_file_counts_as_missing(tmp_path: Path) -> None:
    with chat_server(completion("8 7"), completion("3 2")) as server:
        ask(server, requests(1), cache=ReplyCache(tmp_path))
        (file,) = tmp_path.rglob("*.json")
        file.write_bytes(file.read_bytes()[:20])
        (reply,) = ask(server, requests(1), cache=ReplyCache(tmp_path)).values()
        assert reply.text == "3 2"
        (kept,) = ask(server, requests(1), cache=ReplyCache(tmp_path)).values()
    assert kept == reply


def test_a_folder_that_cannot_be_written_to_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with chat_server(completion("8 7")) as server:
        (reply,) = ask(server, requests(1), cache=ReplyCache(tmp_path / "file" / "cache")).values()
    assert reply.text == "8 7"


def test_the_key_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with chat_server(completion("8 7")) as server:
        ask(server, requests(1), cache=ReplyCache(tmp_path))
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) == 1
    assert all(b"sk-very-secret" not in file.read_bytes() and "secret" not in file.name for file in files)


def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "airbench-edge"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "airbench-edge"
