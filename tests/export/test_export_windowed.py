"""Audio Flamingo 3 and GLM-ASR, which only transformers 5 has."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

from helpers.transformers_version import FIVE

if not FIVE:
    pytest.skip("transformers has these families from version 5 on: make test-export-next", allow_module_level=True)

import torch
from helpers.batch_of_four import batch_difference
from helpers.tiny_windowed import make_audioflamingo3, make_glmasr
from helpers.waveforms import chirp
from safetensors.torch import load_file, save_file

from airbench_edge.export.folder import export_checkpoint
from airbench_edge.export.verify import verify

pytestmark = pytest.mark.slow

# Windows of 10 s, at most 3 of them: one, one just full, two by the skin of their teeth, three, more than are heard.
CLIPS = {f"{seconds} s": chirp(seconds, 200 + 10 * seconds) for seconds in (0.5, 3, 9.99, 10, 10.01, 20.5, 29.995, 35)}
MAKERS = {"audioflamingo3": make_audioflamingo3, "glmasr": make_glmasr}


@pytest.fixture(scope="module", params=list(MAKERS))
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    MAKERS[request.param](folder / "checkpoint")
    manifest = export_checkpoint(folder / "checkpoint", folder / "out")
    assert manifest.decoder.attention == "gqa"
    return folder / "out"


def test_float32_says_the_same_token_for_token(exported: Path) -> None:
    results = list(verify(exported.parent / "checkpoint", exported, CLIPS, new_tokens=24))
    assert [result.clip for result in results] == list(CLIPS)
    for result in results:
        assert result.first_difference is None
        assert result.logit_difference < 1e-3 < 5 < result.logit_range


def test_a_batch_of_four_says_what_each_says_alone(exported: Path) -> None:
    assert batch_difference(exported, CLIPS) < 1e-3


@pytest.mark.parametrize("family", MAKERS)
def test_weights_stored_in_bfloat16_are_exported(tmp_path: Path, family: str) -> None:
    MAKERS[family](tmp_path / "checkpoint")
    weights = load_file(tmp_path / "checkpoint" / "model.safetensors")
    halved = {name: weight.to(torch.bfloat16) for name, weight in weights.items()}
    save_file(halved, tmp_path / "checkpoint" / "model.safetensors", {"format": "pt"})
    export_checkpoint(tmp_path / "checkpoint", tmp_path / "out")
    (result,) = verify(tmp_path / "checkpoint", tmp_path / "out", {"10.01 s": CLIPS["10.01 s"]}, new_tokens=8)
    assert result.first_difference is None
    assert result.logit_difference < 1e-3 < 5 < result.logit_range
