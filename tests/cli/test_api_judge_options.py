"""The options of API judges, from the command line to the server and the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.chat_server import ChatServer, chat_server, completion
from helpers.command_line import Ended, airbench_edge

from airbench_edge.benchmark.records import Verdict
from airbench_edge.run.journal import read_journal

pytestmark = pytest.mark.usefixtures("own_cache")


def judge(run: Path, server: ChatServer, *more: object) -> Ended:
    return airbench_edge("judge", run, "--judge", "openai:judge-1", "--base-url", server.url, "--no-judge-check", *more)


def prices(folder: Path) -> Path:
    """One USD a token."""
    file = folder / "prices.toml"
    file.write_text('[models]\n"judge-1" = { input = 1e6, output = 1e6 }\n')
    return file


def test_a_cap_stops_keeps_what_was_done_and_goes_on(run_path: Path, server: ChatServer, tmp_path: Path) -> None:
    # One USD a token: a request can cost more than 1,024 USD, and the eight of them cost 14 each.
    code, out, err = judge(run_path, server, "--max-cost", 1, "--prices", prices(tmp_path))
    assert (code, out, server.asked) == (2, "", [])
    assert "airbench-edge: Stopped at --max-cost 1: 0.0000 USD are spent" in err
    code, _, err = judge(run_path, server, "--max-cost", 1e5, "--prices", prices(tmp_path))
    assert (code, len(server.asked)) == (0, 8), err
    assert "Tokens" in judge(run_path, server).out
    assert len(server.asked) == 8


def test_a_cap_in_the_middle_keeps_the_verdicts(run_path: Path, server: ChatServer, tmp_path: Path) -> None:
    reports = judge(run_path, server, "--judge-limit", 1, "--concurrency", 1)
    assert reports.code == 0
    longest = max(len(body["messages"][0]["content"].encode()) for body in server.asked)
    # The cap is one request of at most this length and 20 USD, so that it is passed after one or two replies of 14.
    cap = longest + 32 + 1024 + 20
    server.asked.clear()
    code, _, err = judge(run_path, server, "--max-cost", cap, "--prices", prices(tmp_path), "--concurrency", 1)
    assert code == 2
    assert "give a higher --max-cost" in err
    verdicts = read_journal(run_path / "verdicts" / "judge-1.jsonl", Verdict).records
    assert 2 < len(verdicts) < 8
    assert len(verdicts) == 2 + len(server.asked)
    assert judge(run_path, server).code == 0
    assert len(read_journal(run_path / "verdicts" / "judge-1.jsonl", Verdict).records) == 8


@pytest.mark.parametrize("model", ["judge-1", "gpt-4o"])
def test_a_cap_without_a_price_asks_for_one_before_anything_is_sent(
    run_path: Path, server: ChatServer, model: str
) -> None:
    """Not even the price of a known name holds at another server."""
    code, _, err = airbench_edge(
        "judge", run_path, "--judge", f"openai:{model}", "--base-url", server.url, "--max-cost", 5
    )
    assert code == 2
    assert f"The price of {model} is not known: give --prices FILE" in err
    assert server.asked == []


def test_replies_of_other_servers_are_remembered_only_where_wanted(
    run_path: Path, server: ChatServer, tmp_path: Path
) -> None:
    judge(run_path, server)
    assert not (tmp_path / "cache").exists()
    for file in (run_path / "verdicts").iterdir():
        file.unlink()
    judge(run_path, server, "--judge-cache")
    asked = len(server.asked)
    for file in (run_path / "verdicts").iterdir():
        file.unlink()
    assert judge(run_path, server, "--judge-cache").code == 0
    assert len(server.asked) == asked


def test_a_batch(run_path: Path, server: ChatServer) -> None:
    server.batches.progress = ["completed"]
    code, out, _ = judge(run_path, server, "--batch", "--json")
    assert code == 0
    assert len(server.batches.batches) == 1
    (reading,) = json.loads(out)["judges"]
    # Eight verdicts of 11 and 3 tokens.
    assert (reading["usage"]["prompt_tokens"], reading["usage"]["completion_tokens"]) == (88, 24)


def test_retries_and_reasoning_reach_the_server(run_path: Path) -> None:
    with chat_server(completion("Well."), completion("8 7")) as server:
        code, out, _ = judge(
            run_path, server, "--judge-retries", 1, "--judge-reasoning", "low", "--concurrency", 1, "--json"
        )
    assert code == 0
    assert len(server.asked) == 9
    assert {body["reasoning_effort"] for body in server.asked} == {"low"}
    assert json.loads(out)["judges"][0]["usage"]["asked_again"] == 1


def test_sampling_follows_the_seed_of_the_run(run_path: Path, server: ChatServer) -> None:
    head = run_path / "run.json"
    manifest = json.loads(head.read_text())
    manifest["selection"]["seed"] = 7
    head.write_text(json.dumps(manifest))
    code, out, _ = judge(run_path, server, "--judge-temperature", "official", "--json")
    assert code == 0
    assert json.loads(out)["judges"][0]["judge"]["details"]["temperature"] == "official, seed 7"


def test_the_address_may_come_from_the_environment(
    run_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert airbench_edge("judge", run_path, "--judge", "openai:judge-1", "--no-judge-check").code == 0
    assert len(server.asked) == 8
