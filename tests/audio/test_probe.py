from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from helpers.audio_recipes import recipes

from airbench_edge.audio import probe

r = recipes


def test_probe_of_sound(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(r.plain(r.cols(r.tone(440, 2, 44100), r.tone(440, 2, 44100)), 44100))
    line = probe(path)
    assert (line.path, line.sample_rate, line.channels, line.duration_s, line.heard_s) == (
        str(path),
        44100,
        2,
        2.0,
        2.0,
    )
    assert line.rms == pytest.approx(0.3535, abs=0.001)
    assert (line.warnings, line.error_kind, line.message) == ((), None, None)


def test_probe_of_a_refused_file_as_json(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(b"<html>")
    assert msgspec.json.decode(msgspec.json.encode(probe(path))) == {
        "path": str(path),
        "sample_rate": None,
        "channels": None,
        "duration_s": None,
        "heard_s": None,
        "rms": None,
        "warnings": [],
        "error_kind": "not_audio",
        "message": "This is no audio file but a web page or other markup.",
    }


def test_name_that_is_no_text_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.wav")
    path.write_bytes(r.plain(r.tone(440, 1, 16000), 16000))
    line = probe(path)
    assert (line.path, line.heard_s) == (f"{tmp_path}/\\udcff.wav", 1.0)
    assert msgspec.json.encode(line)
