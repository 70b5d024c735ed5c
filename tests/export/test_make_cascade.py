from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

from helpers.judge_weights import TINY_JUDGE
from helpers.make_tiny_whisper import make_checkpoint
from helpers.waveforms import chirp

import make_cascade
from airbench_edge.audiolm.cascade.config import read_config
from airbench_edge.audiolm.whisper.model import Whisper

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whisper") / "whisper-own"
    make_checkpoint(folder)
    return folder


def test_a_local_checkpoint_and_language_model_become_a_folder(
    checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "deep" / "cascade"
    arguments = [str(out), "--whisper", str(checkpoint), "--llm", str(TINY_JUDGE), "--no-tagger"]
    assert make_cascade.main(arguments) == 0
    assert capsys.readouterr().out == f"{out}\n"
    config = read_config(out)
    assert (config.name, config.tagger) == ("whisper-own+tiny", None)
    assert Whisper(out / config.whisper.folder, "cpu").windows(chirp(0.5))
    assert (out / config.llm.file).read_bytes() == TINY_JUDGE.read_bytes()
    card = (out / "README.md").read_text()
    for file in (*(out / "whisper").iterdir(), out / "tiny.gguf"):
        assert f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(out)}\n" in card
    assert [entry.name for entry in out.parent.iterdir()] == ["cascade"]
    assert make_cascade.main(arguments) == 2
    assert "exists already" in capsys.readouterr().err


def test_a_name_that_cannot_be_had_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    arguments = [str(tmp_path / "cascade"), "--whisper", "nosuchsize", "--llm", str(TINY_JUDGE), "--no-tagger"]
    assert make_cascade.main(arguments) == 2
    assert "Whisper nosuchsize is neither tiny.en nor base nor a folder, and the hub" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_language_model_is_refused(
    checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model.gguf").write_bytes(b"nothing")
    arguments = [str(tmp_path / "cascade"), "--whisper", str(checkpoint), "--llm", str(tmp_path / "model.gguf")]
    assert make_cascade.main(arguments) == 2
    assert "is not a GGUF file" in capsys.readouterr().err
