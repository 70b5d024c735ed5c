"""What the shell offers after TAB, asked as bash asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("judge c", {"check", "compare", "calibrate"}),
        ("judge ru", set()),  # then bash offers files, such as runs/
        ("judge runs/demo --judge-l", {"--judge-limit"}),
        ("export v", {"verify"}),
    ],
)
def test_words(words: str, offered: set[str]) -> None:
    ended = subprocess.run(
        [Path(sys.executable).with_name("airbench-edge")],  # completion goes by the name of the program
        env=os.environ
        | {
            "COMP_WORDS": f"airbench-edge {words}",
            "COMP_CWORD": str(len(words.split())),
            "_AIRBENCH_EDGE_COMPLETE": "complete_bash",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert set(ended.stdout.split()) == offered
