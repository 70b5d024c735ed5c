"""The health card from the command line to the report, against a real server and a real model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from helpers.chat_server import ChatServer
from helpers.command_line import airbench_edge
from helpers.judge_weights import TINY_JUDGE

pytestmark = pytest.mark.usefixtures("own_cache")


def test_a_judge_that_always_says_the_same_fails_with_exit_code_1(server: ChatServer) -> None:
    code, out, err = airbench_edge("judge", "check", "openai:judge-1", "--base-url", server.url)
    assert (code, err) == (1, "")
    assert len(server.asked) == 24
    assert "Health card: FAIL" in out
    assert "commonest reply" in out.lower()


def test_a_judge_is_checked_before_its_first_use_and_only_then(run_path: Path, server: ChatServer) -> None:
    judge = ["--judge", "openai:judge-1", "--base-url", server.url]
    code, out, err = airbench_edge("judge", run_path, *judge)
    assert code == 0
    assert len(server.asked) == 24 + 8
    assert "Checking the judge judge-1" in err
    assert "The chat scores of this judge are not meaningful" in err
    assert "Chat, judge-1 (not meaningful)" in out
    copied = run_path.with_name("copied")
    shutil.copytree(run_path, copied)
    again = airbench_edge("judge", run_path, *judge)
    assert len(server.asked) == 24 + 8
    assert (again.out, "Checking" in again.err) == (out, False)
    assert airbench_edge("report", copied).out == out


def test_a_check_can_be_skipped(run_path: Path, server: ChatServer) -> None:
    judge = ["--judge", "openai:judge-1", "--base-url", server.url, "--no-judge-check"]
    code, out, _ = airbench_edge("judge", run_path, *judge)
    assert (code, len(server.asked)) == (0, 8)
    assert "Health card: none" in out


def test_a_card_that_is_there_costs_nothing_and_is_shown(run_path: Path, server: ChatServer) -> None:
    airbench_edge("judge", "check", "openai:judge-1", "--base-url", server.url, "--probes", 2)
    assert len(server.asked) == 12
    _, out, _ = airbench_edge(
        "judge", run_path, "--judge", "openai:judge-1", "--base-url", server.url, "--no-judge-check"
    )
    assert len(server.asked) == 12 + 8
    assert "12 probe verdicts" in out


def test_a_local_model_is_checked_as_json() -> None:
    code, out, _ = airbench_edge("judge", "check", f"llama:{TINY_JUDGE}", "--probes", 1, "--json")
    checked = json.loads(out)
    assert code == (checked["card"]["integers"]["finding"] == "fail")
    assert checked["card"]["identity"]["name"] == "tiny"
    assert checked["card"]["verdicts"] == 6
    assert checked["seconds"] > 0


def test_what_cannot_be_checked_is_one_sentence() -> None:
    code, out, err = airbench_edge("judge", "check", "recorded:gone.jsonl")
    assert (code, out) == (2, "")
    assert err.startswith("airbench-edge: The recorded judge gone.jsonl cannot be read")


def test_a_run_folder_with_the_name_of_a_command_is_given_with_its_path(
    run_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, server: ChatServer
) -> None:
    run_path.rename(tmp_path / "check")
    monkeypatch.chdir(tmp_path)
    judge = ["--judge", "openai:judge-1", "--base-url", server.url, "--no-judge-check"]
    assert airbench_edge("judge", "./check", *judge).code == 0
    assert airbench_edge("judge", "run", "check", *judge).code == 0
    assert airbench_edge("judge", *judge, "./check").code == 0


def test_the_group_and_the_default_command_explain_themselves() -> None:
    group = airbench_edge("judge", "--help")
    assert (group.code, "check" in group.out, "Judge a run" in group.out) == (0, True, True)
    assert "--judge-limit" in airbench_edge("judge", "run", "--help").out
