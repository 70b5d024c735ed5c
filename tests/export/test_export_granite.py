"""Granite Speech: a conformer for any length, an adapter merged, logits scaled as transformers 4 does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")

import torch
from helpers.batch_of_four import batch_difference
from helpers.tiny_audiolm import edit_json
from helpers.tiny_granite import ALPHA, RANK, make_checkpoint
from helpers.transformers_version import FIVE
from helpers.waveforms import chirp
from safetensors.torch import load_file, save_file

from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import checkpoint_hash
from airbench_edge.export.families import family_of
from airbench_edge.export.folder import export_checkpoint
from airbench_edge.export.verify import QUESTION, verify

pytestmark = pytest.mark.slow

FAMILY = family_of("granite_speech")
# A pair of frames is 20 ms, a window of queries 15 pairs, a block of attention 20: part of one, just full ones, more.
CLIPS = {f"{seconds} s": chirp(seconds, 200 + 10 * seconds) for seconds in (0.5, 1, 1.2, 3, 6.01, 9.99, 20.2, 35)}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("granite") / "checkpoint"
    make_checkpoint(folder)
    return folder


@pytest.fixture(scope="module")
def out(checkpoint: Path) -> Path:
    manifest = export_checkpoint(checkpoint, checkpoint.parent / "out")
    assert manifest.decoder.attention == "gqa"
    return checkpoint.parent / "out"


@pytest.mark.skipif(FIVE, reason="transformers 5 leaves logits_scaling out, so that its logits are others")
def test_float32_says_the_same_token_for_token(checkpoint: Path, out: Path) -> None:
    results = list(verify(checkpoint, out, CLIPS, new_tokens=24))
    assert [result.clip for result in results] == list(CLIPS)
    for result in results:
        assert result.first_difference is None
        assert result.logit_difference < 1e-3 < 5 < result.logit_range


def test_a_batch_of_four_says_what_each_says_alone(out: Path) -> None:
    assert batch_difference(out, CLIPS) < 1e-4


def test_the_encoder_is_that_of_transformers_at_any_length(checkpoint: Path) -> None:
    model = FAMILY.load(checkpoint).float()
    ours = FAMILY.encoder(model)
    for frames in (1, 15, 20, 21, 39, 40, 95):
        features = torch.randn(2, frames, 160)
        wanted = model.get_audio_features(features)
        wanted = wanted.pooler_output if FIVE else wanted
        assert (ours(features) - wanted).abs().max() < 1e-5


def test_the_adapter_is_heard_with(checkpoint: Path, tmp_path: Path) -> None:
    plain = make_checkpoint(tmp_path / "plain", adapter=False)
    inputs = FAMILY.reference_inputs(checkpoint, QUESTION, CLIPS["3 s"], 16000)
    merged, without = FAMILY.load(checkpoint), FAMILY.load(tmp_path / "plain")
    with torch.no_grad():
        heard, deaf = merged(**inputs).logits, without(**inputs).logits
        add_beside(plain, checkpoint)
        wanted = plain(**inputs).logits
    assert (heard - wanted).abs().max() < 1e-3
    assert (heard - deaf).abs().max() > 1


def add_beside(model: torch.nn.Module, folder: Path) -> None:
    """What the library peft does: the adapter's own way beside each weight."""
    weights = load_file(folder / "adapter_model.safetensors")
    for name in [name for name in weights if ".lora_A." in name]:
        first, second = weights[name], weights[name.replace(".lora_A.", ".lora_B.")]
        place = name.removeprefix("base_model.model.language_model.model.").removesuffix(".lora_A.weight")
        module = FAMILY.stack(model).get_submodule(place)
        module.register_forward_hook(
            lambda _, inputs, output, first=first, second=second: (
                output + ALPHA / RANK * (inputs[0] @ first.T @ second.T)
            )
        )


def test_wrong_adapters_are_refused(checkpoint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "checkpoint"
    make_checkpoint(folder)
    weights = load_file(folder / "adapter_model.safetensors")
    name = next(iter(weights))
    save_file(
        weights | {name.replace(".layers.0.", ".layers.7."): weights[name].clone()},
        folder / "adapter_model.safetensors",
    )
    with pytest.raises(InputError, match=r"does not fit layers\.7\.self_attn"):
        FAMILY.load(folder)
    save_file({"lm_head.lora_A.weight": weights[name]}, folder / "adapter_model.safetensors")
    with pytest.raises(InputError, match=r"holds lm_head\.lora_A\.weight, which belongs to no layer"):
        FAMILY.load(folder)
    edit_json(folder / "adapter_config.json", use_dora=True)
    with pytest.raises(InputError, match="more than plain LoRA"):
        FAMILY.load(folder)
    (folder / "adapter_model.safetensors").unlink()
    with pytest.raises(InputError, match="cannot be read"):
        FAMILY.load(folder)
    (folder / "adapter_config.json").unlink()
    with pytest.raises(InputError, match=r"hears with an adapter, and adapter_config\.json is missing"):
        FAMILY.load(folder)


def test_the_hash_covers_the_adapter(checkpoint: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(checkpoint, tmp_path / "copy"))
    before = checkpoint_hash(copy)
    assert before == checkpoint_hash(checkpoint)
    edit_json(copy / "adapter_config.json", lora_alpha=2 * ALPHA)
    assert checkpoint_hash(copy) != before


def test_what_the_weights_lack_is_named_where_the_checkpoint_is(tmp_path: Path) -> None:
    folder = tmp_path / "checkpoint"
    make_checkpoint(folder)
    weights = load_file(folder / "model.safetensors")
    del weights["projector.query"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError, match=rf"The weights in {folder} lack .*projector.query"):
        FAMILY.load(folder)
