"""Errors at the program's entry: one sentence that a terminal can show, and exit code 2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command_line import airbench_edge

LONG = "a" * 300  # file systems take names of 255 bytes


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "--model", LONG, "--data", "small", "--out", "x"),
        ("run", "--model", "nano", "--data", LONG, "--out", "x"),
        ("doctor", "--out", LONG),
        ("report", LONG),
    ],
)
def test_a_name_that_is_too_long(arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = airbench_edge(*arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert "File name too long" in err


def test_no_control_character_reaches_the_terminal() -> None:
    code, _, err = airbench_edge("report", "no\x1b[31mthing")
    assert code == 2
    assert "no\\x1b[31mthing is no run folder" in err


def test_the_package_is_the_program() -> None:
    ended = subprocess.run([sys.executable, "-m", "airbench_edge", "--version"], capture_output=True, text=True)
    assert ended.stdout.startswith("airbench-edge ")
