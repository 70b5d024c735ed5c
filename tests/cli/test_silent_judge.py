"""A judge that replied to nothing is not taken for one that judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.chat_server import Scripted, chat_server, completion
from helpers.command_line import airbench_edge

pytestmark = pytest.mark.usefixtures("own_cache")
STRANGE = Scripted(200, b"hello")
GOOD = completion("8 7")


def test_a_judge_that_gave_no_verdict_ends_with_exit_code_1_after_the_report(run_path: Path) -> None:
    with chat_server(STRANGE) as server:
        judge = ["--judge", "openai:judge-1", "--base-url", server.url, "--no-judge-check"]
        first = airbench_edge("judge", run_path, *judge)
        assert airbench_edge("judge", run_path, *judge).code == 1  # failures are asked for again
    assert first.code == 1
    assert "judge-1: every request failed" in first.err
    assert "Chat, judge-1" in first.out


def test_one_verdict_of_now_or_earlier_is_enough(run_path: Path) -> None:
    with chat_server(GOOD, STRANGE) as server:
        judge = ["--judge", "openai:judge-1", "--base-url", server.url, "--no-judge-check"]
        assert [airbench_edge("judge", run_path, *judge).code for _ in range(2)] == [0, 0]
        server.script = [GOOD]
        # The first round asks for what failed, the second has nothing left to ask.
        assert [airbench_edge("judge", run_path, *judge).code for _ in range(2)] == [0, 0]
