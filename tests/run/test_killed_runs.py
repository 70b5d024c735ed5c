"""Kill a run at any moment and start it again: what it holds in the end is what an unbroken run holds."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.run_parts import load, write_dataset, write_responses

from airbench_edge.run.folder import RunData, load_run

TESTS = Path(__file__).parents[1]


def start(data: Path, responses: str, out: Path, seconds: float) -> subprocess.Popen[str]:
    """Begin a run and wait until it works."""
    command = [sys.executable, str(TESTS / "helpers" / "killable_run.py"), str(data), responses, str(out), str(seconds)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": f"{TESTS}:{TESTS.parent}"}
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def finish(process: subprocess.Popen[str]) -> None:
    assert process.wait(timeout=60) == 0
    assert process.stdout is not None
    process.stdout.close()


def comparable(run: RunData) -> RunData:
    """Without where and when it was made."""
    return replace(run, path=Path(), machine=None, timings=())


@pytest.mark.parametrize(("responses", "seed"), [("recorded", 1), ("recorded", 2), ("listen", 3)])
def test_killed_and_gone_on_with_equals_unbroken(tmp_path: Path, responses: str, seed: int) -> None:
    """At least 90 steps of 12 ms, so 1.08 s; killed six times within 1.03 s, so never after the end."""
    listens = responses == "listen"
    root = write_dataset(tmp_path / "data", per_folder=10, with_audio=listens)
    if not listens:
        responses = str(write_responses(tmp_path / "responses.jsonl", load(root).items))
    finish(start(root, responses, tmp_path / "unbroken", 0.0))
    moments = random.Random(seed)
    for upper in (0.005, 0.02, 0.1, 0.3, 0.3, 0.3):
        with start(root, responses, tmp_path / "killed", 0.012) as process:
            time.sleep(moments.uniform(0.0, upper))
            process.send_signal(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
    finish(start(root, responses, tmp_path / "killed", 0.0))
    unbroken, killed = load_run(tmp_path / "unbroken"), load_run(tmp_path / "killed")
    assert repr(comparable(killed)) == repr(comparable(unbroken))  # repr, because order counts too
    for name in ("run.json", "items.jsonl", "notes.jsonl", "letters/counting.json", "verdicts/counting.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "unbroken" / name).read_bytes()
    assert len(unbroken.responses) == 50
    assert len(unbroken.verdicts["counting"].records) == 40


def test_an_interrupt_stops_within_a_moment_and_the_rest_is_done_later(tmp_path: Path) -> None:
    """Fifty clips at 0.2 s are 10 s of work; Ctrl-C comes early and must not wait for it."""
    root = write_dataset(tmp_path / "data", per_folder=10)
    with start(root, "listen", tmp_path / "run", 0.2) as process:
        while not (tmp_path / "run" / "responses.jsonl").exists():
            time.sleep(0.01)
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        process.wait()
        assert time.monotonic() - asked < 5.0
    before = load_run(tmp_path / "run")
    assert 1 <= len(before.responses) < 50
    assert [timing.done for timing in before.timings] == [len(before.responses)]
    finish(start(root, "listen", tmp_path / "run", 0.0))
    after = load_run(tmp_path / "run")
    assert len(after.responses) == 50
    assert before.responses.items() <= after.responses.items()
