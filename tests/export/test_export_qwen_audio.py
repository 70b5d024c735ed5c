"""Qwen-Audio: rebuilt modules against the definition in numpy, exported graphs against the rebuilt modules."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

import torch
from helpers.batch_of_four import batch_difference
from helpers.qwen_audio_reference import encode, logits_of_answer
from helpers.tiny_audiolm import edit_json
from helpers.tiny_qwen_audio import make_checkpoint
from helpers.waveforms import chirp
from safetensors.torch import save_file

from airbench_edge.errors import InputError
from airbench_edge.export.families.qwen_audio import QwenAudio
from airbench_edge.export.folder import export_checkpoint
from airbench_edge.export.verify import verify

pytestmark = pytest.mark.slow

# The window is 10 s: a clip is cut there, and encoded at its own length below.
CLIPS = {f"{seconds} s": chirp(seconds, 250) for seconds in (0.05, 0.5, 1.337, 3, 5.019, 9.99, 10, 12)}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("qwen") / "checkpoint"
    make_checkpoint(folder)
    return folder


@pytest.mark.parametrize("seconds", [0.05, 0.5, 1.337, 3.0])
def test_rebuilt_modules_are_what_the_definition_says(tmp_path: Path, seconds: float) -> None:
    weights = {name: value.double().numpy() for name, value in make_checkpoint(tmp_path).items()}
    config = json.loads((tmp_path / "config.json").read_text())
    model = QwenAudio().load(tmp_path)
    inputs = QwenAudio().reference_inputs(tmp_path, "Which sound is it?", chirp(seconds), 16000)
    mel = inputs["input_features"]
    with torch.no_grad():
        encoded = model.encoder(mel).numpy()
        output = model.generate(
            **inputs, max_new_tokens=12, do_sample=False, output_logits=True, return_dict_in_generate=True
        )
    assert np.abs(encoded - encode(weights, config["audio"], mel[0].double().numpy())).max() < 1e-4
    ours = torch.cat(output.logits).numpy()
    ids, start = inputs["input_ids"][0].tolist(), int(inputs["start"])
    wanted = logits_of_answer(weights, config, ids, start, mel[0].double().numpy(), len(ours))
    assert (ours.argmax(1) == wanted.argmax(1)).all()
    assert np.abs(ours - wanted).max() < 1e-3 < 5 < np.ptp(wanted)


@pytest.fixture(scope="module")
def exported(checkpoint: Path) -> Path:
    manifest = export_checkpoint(checkpoint, checkpoint.parent / "out")
    assert manifest.decoder.attention == "gqa"
    return checkpoint.parent / "out"


def test_float32_says_the_same_token_for_token(checkpoint: Path, exported: Path) -> None:
    results = list(verify(checkpoint, exported, CLIPS, new_tokens=24))
    assert [result.clip for result in results] == list(CLIPS)
    for result in results:
        assert result.first_difference is None
        assert result.logit_difference < 1e-3 < 5 < result.logit_range


def test_a_batch_of_four_says_what_each_says_alone(exported: Path) -> None:
    assert batch_difference(exported, CLIPS) < 1e-3


def test_weights_stored_in_bfloat16_are_exported(tmp_path: Path) -> None:
    weights = make_checkpoint(tmp_path / "checkpoint")
    halved = {name: weight.to(torch.bfloat16) for name, weight in weights.items()}
    save_file(halved, tmp_path / "checkpoint" / "model-00001-of-00001.safetensors", {"format": "pt"})
    export_checkpoint(tmp_path / "checkpoint", tmp_path / "out")
    (result,) = verify(tmp_path / "checkpoint", tmp_path / "out", {"3 s": CLIPS["3 s"]}, new_tokens=8)
    assert result.first_difference is None
    assert result.logit_difference < 1e-3 < 5 < result.logit_range


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"audio": None}, "no part named audio"),
        ({"rotary_pct": 0.25}, "rotary_pct below 1"),
        ({"hidden_size": "wide"}, r"config\.json cannot be used"),
        ({"num_hidden_layers": 3}, "not those of its config.json: Missing key.*layers.2"),
    ],
)
def test_configurations_that_do_not_fit_are_refused(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    make_checkpoint(tmp_path)
    edit_json(tmp_path / "config.json", **changes)
    with pytest.raises(InputError, match=message):
        QwenAudio().load(tmp_path)


def test_weights_that_are_not_there_or_broken_are_named(tmp_path: Path) -> None:
    make_checkpoint(tmp_path)
    weights = tmp_path / "model-00001-of-00001.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(InputError, match="Cannot load the weights in"):
        QwenAudio().load(tmp_path)
    weights.unlink()
    with pytest.raises(InputError, match=r"has no \*\.safetensors"):
        QwenAudio().load(tmp_path)
