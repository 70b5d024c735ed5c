from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

from helpers.tiny_audiolm import edit_json
from helpers.tiny_qwen2_5_omni import make_qwen2_5_omni
from helpers.waveforms import chirp

from airbench_edge.errors import InputError
from airbench_edge.export.folder import export_checkpoint
from airbench_edge.export.verify import verify

pytestmark = pytest.mark.slow

# Chunks are 2 s: less than one, one, one and a frame, an odd number of frames, several; 30 s are heard.
CLIPS = {f"{seconds} s": chirp(seconds, 200) for seconds in (0.5, 2.0, 2.01, 3.33, 7.0, 12.5, 29.99, 35.0)}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("omni") / "whole"
    make_qwen2_5_omni(folder)
    return folder


@pytest.mark.parametrize("attention", ["gqa", "plain"])
def test_float32_says_the_same_token_for_token(checkpoint: Path, tmp_path: Path, attention: str) -> None:
    manifest = export_checkpoint(checkpoint, tmp_path / "out", attention=attention)
    assert manifest.decoder.attention == attention
    # Four prompts of different lengths in one batch, padded: the exporter compares them with PyTorch.
    assert manifest.decoder.logit_difference < 1e-3
    results = list(verify(checkpoint, tmp_path / "out", CLIPS, new_tokens=24))
    assert [result.clip for result in results] == list(CLIPS)
    for result in results:
        assert result.first_difference is None
        assert result.logit_difference < 1e-3 < 5 < result.logit_range


def test_the_thinker_alone_makes_the_same_graphs(checkpoint: Path, tmp_path: Path) -> None:
    make_qwen2_5_omni(tmp_path / "thinker", whole=False)
    assert json.loads((tmp_path / "thinker" / "config.json").read_text())["model_type"] == "qwen2_5_omni_thinker"
    for name, source in (("thinker", tmp_path / "thinker"), ("whole", checkpoint)):
        export_checkpoint(source, tmp_path / f"{name}-out")
    graphs = [sorted((tmp_path / f"{name}-out" / "onnx").iterdir()) for name in ("thinker", "whole")]
    for one, other in zip(*graphs, strict=True):
        assert one.read_bytes() == other.read_bytes()
    result = next(verify(tmp_path / "thinker", tmp_path / "thinker-out", {"3 s": chirp(3)}, new_tokens=8))
    assert result.first_difference is None


def test_chunks_of_an_odd_number_of_positions_are_refused(tmp_path: Path) -> None:
    make_qwen2_5_omni(tmp_path / "odd", whole=False)
    audio = json.loads((tmp_path / "odd" / "config.json").read_text())["audio_config"]
    edit_json(tmp_path / "odd" / "config.json", audio_config={**audio, "n_window": 75})
    with pytest.raises(InputError, match="n_window is 75; only an even number"):
        export_checkpoint(tmp_path / "odd", tmp_path / "out")
