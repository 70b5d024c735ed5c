from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from helpers.command_line import airbench_edge


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="PyTorch is installed")
@pytest.mark.parametrize("command", [["export"], ["export", "write"], ["export", "verify"]])
def test_what_is_missing_is_named(tmp_path: Path, command: list[str]) -> None:
    ended = airbench_edge(*command, tmp_path, tmp_path / "out")
    assert ended.code == 2
    assert 'pip install "airbench-edge[export]"' in ended.err
