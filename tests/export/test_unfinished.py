from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")

import multiprocessing
import os
import signal

from airbench_edge.errors import InputError
from airbench_edge.export.unfinished import unfinished


def die_in_the_middle(out: Path) -> None:
    with unfinished(out) as folder:
        (folder / "graph.onnx").write_text("half")
        os.kill(os.getpid(), signal.SIGKILL)


def killed_export(out: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=die_in_the_middle, args=(out,))
    process.start()
    process.join()


def test_a_folder_appears_when_it_is_done(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with unfinished(out) as folder:
        (folder / "graph.onnx").write_text("whole")
        assert not out.exists()
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    assert [path.name for path in out.iterdir()] == ["graph.onnx"]
    with pytest.raises(InputError, match="exists already"), unfinished(out):
        pass


def test_what_killed_exports_left_goes(tmp_path: Path) -> None:
    killed_export(tmp_path / "out")
    killed_export(tmp_path / "other")
    (tmp_path / ".out.notes").mkdir()
    assert len(list(tmp_path.iterdir())) == 3
    with unfinished(tmp_path / "out"):
        pass
    assert sorted(path.name.split(".")[1] or path.name for path in tmp_path.glob(".*")) == ["other", "out"]
    assert (tmp_path / ".out.notes").is_dir()


def test_what_others_are_writing_stays(tmp_path: Path) -> None:
    with unfinished(tmp_path / "out") as one:
        with pytest.raises(OSError, match="disk"), unfinished(tmp_path / "out"):
            raise OSError("the disk is full")
        assert one.is_dir()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
