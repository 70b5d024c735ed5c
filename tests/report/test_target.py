from __future__ import annotations

import os
from pathlib import Path

import pytest

from airbench_edge.errors import InputError
from airbench_edge.report.target import plain_target


def test_a_new_file_and_an_old_one_are_allowed(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("", encoding="utf-8")
    assert plain_target(tmp_path / "old.csv", tmp_path / "run") == (tmp_path / "old.csv").resolve()
    assert plain_target(tmp_path / "new.csv", tmp_path / "run") == (tmp_path / "new.csv").resolve()


def test_a_link_means_the_file_behind_it(tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to(tmp_path / "behind.csv")
    assert plain_target(tmp_path / "link.csv", tmp_path / "run") == (tmp_path / "behind.csv").resolve()


def test_what_would_be_destroyed_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    os.mkfifo(tmp_path / "pipe")
    for path, words in [
        (run / "responses.jsonl", "inside the run folder"),
        (tmp_path / "pipe", "a device or a pipe"),
        (tmp_path, "is a folder"),
        (Path(), "is a folder"),
    ]:
        with pytest.raises(InputError, match=words):
            plain_target(path, run)
    with pytest.raises(InputError, match="two outputs"):
        plain_target(tmp_path / "a", run, [(tmp_path / "a").resolve()])


def test_names_that_the_system_does_not_take_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for path in (tmp_path / ("x" * 300), tmp_path / "a"):
        with pytest.raises(InputError, match="cannot be written"):
            plain_target(path, tmp_path / "run")
