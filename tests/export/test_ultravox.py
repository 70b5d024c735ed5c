from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

import torch
import transformers
from helpers.batch_of_four import batch_difference
from helpers.tiny_audiolm import edit_json
from helpers.tiny_ultravox import GATED, HIDDEN, POSITIONS, STACK, make_ultravox
from helpers.waveforms import chirp
from safetensors.torch import load_file, save_file
from torch.nn.functional import conv1d, gelu, layer_norm, silu

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import checkpoint_hash
from airbench_edge.export.families import family_of
from airbench_edge.export.families.ultravox_checkpoint import base_folder
from airbench_edge.export.folder import export_checkpoint
from airbench_edge.export.verify import QUESTION, verify

pytestmark = pytest.mark.slow

# A window is 10 s, so that 10.01 s are two, of which the second holds one frame, and 35 s are four.
CLIPS = {f"{seconds} s": chirp(seconds, 300) for seconds in (0.01, 0.5, 1.0, 3.33, 9.99, 10.01, 20.0, 35.0)}
FAMILY = family_of("ultravox")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_ultravox(tmp_path_factory.mktemp("ultravox"))


@pytest.fixture(scope="module")
def exported(checkpoint: Path) -> Path:
    folder = checkpoint.parent / "exported"
    export_checkpoint(checkpoint, folder)
    return folder


def test_float32_says_the_same_token_for_token(checkpoint: Path, exported: Path) -> None:
    results = list(verify(checkpoint, exported, CLIPS, new_tokens=24))
    assert [result.clip for result in results] == list(CLIPS)
    for result in results:
        assert result.first_difference is None
        assert result.logit_difference < 1e-4 < 5 < result.logit_range


def test_a_batch_of_four_says_what_each_says_alone(exported: Path) -> None:
    assert batch_difference(exported, CLIPS) < 1e-4


def spelt_out(weights: dict[str, torch.Tensor], clip: Waveform) -> list[torch.Tensor]:
    """Features of a clip, [tokens, hidden] a window, straight from the published description, one head at a time."""
    extractor = transformers.WhisperFeatureExtractor(feature_size=weights["audio_tower.conv1.weight"].shape[1])
    heard = extractor([clip], sampling_rate=16000, padding="longest", pad_to_multiple_of=160, truncation=False)
    whole = torch.from_numpy(heard.input_features[0])
    windows = list(whole.split(2 * POSITIONS, dim=1))
    frames = [window.shape[1] for window in windows]
    if len(windows) > 1:
        filled = torch.zeros_like(windows[0])
        filled[:, : frames[-1]] = windows[-1]
        windows[-1] = filled
    return [window_features(weights, *pair) for pair in zip(windows, frames, strict=True)]


def window_features(weights: dict[str, torch.Tensor], window: torch.Tensor, frames: int) -> torch.Tensor:
    def linear(name: str, rows: torch.Tensor) -> torch.Tensor:
        bias = weights.get(f"audio_tower.{name}.bias")
        return rows @ weights[f"audio_tower.{name}.weight"].T + (0 if bias is None else bias)

    def norm(name: str, rows: torch.Tensor) -> torch.Tensor:
        scale = weights[f"audio_tower.{name}.weight"]
        return layer_norm(rows, scale.shape, scale, weights[f"audio_tower.{name}.bias"])

    rows = window
    for name, stride in (("conv1", 1), ("conv2", 2)):
        kernel, bias = weights[f"audio_tower.{name}.weight"], weights[f"audio_tower.{name}.bias"]
        rows = gelu(conv1d(rows[None], kernel, bias, stride, 1))[0]
    rows = rows.T + weights["audio_tower.embed_positions.weight"][: rows.shape[1]]
    heard = -(-frames // 2)
    for layer in ("layers.0", "layers.1"):
        normed = norm(f"{layer}.self_attn_layer_norm", rows)
        query, key, value = (linear(f"{layer}.self_attn.{kind}_proj", normed) for kind in "qkv")
        size = query.shape[1] // 2
        heads = []
        for head in (slice(0, size), slice(size, None)):
            scores = query[:, head] @ key[:heard, head].T / size**0.5
            heads.append(scores.softmax(-1) @ value[:heard, head])
        rows = rows + linear(f"{layer}.self_attn.out_proj", torch.cat(heads, 1))
        gated = gelu(linear(f"{layer}.fc1", norm(f"{layer}.final_layer_norm", rows)))
        rows = rows + linear(f"{layer}.fc2", gated)
    rows = norm("layer_norm", rows)
    tokens = -(-frames // 16)
    stacked = torch.zeros(-(-len(rows) // STACK) * STACK, rows.shape[1])
    stacked[: len(rows)] = rows
    return project(weights, stacked.reshape(-1, STACK * rows.shape[1]))[:tokens]


def project(weights: dict[str, torch.Tensor], rows: torch.Tensor) -> torch.Tensor:
    def norm(name: str, rows: torch.Tensor) -> torch.Tensor:
        scale = weights.get(f"multi_modal_projector.{name}.weight")
        return rows if scale is None else scale * rows / (rows**2).mean(1, keepdim=True).add(1e-6).sqrt()

    rows = norm("ln_pre", rows) @ weights["multi_modal_projector.linear_1.weight"].T
    rows = norm("ln_mid", silu(rows[:, GATED // 2 :]) * rows[:, : GATED // 2])
    return norm("ln_post", rows @ weights["multi_modal_projector.linear_2.weight"].T)


@pytest.mark.parametrize(
    ("clip", "windows"), [("1.0 s", [7]), ("3.33 s", [21]), ("10.01 s", [63, 1]), ("20.0 s", [63] * 2)]
)
def test_the_rebuilt_model_is_the_published_one(checkpoint: Path, clip: str, windows: list[int]) -> None:
    # Tokens: 100 frames / 16 = 6.25; 333 / 16 = 20.8; a window of 1000 / 16 = 62.5, rounded up.
    wanted = spelt_out(load_file(checkpoint / "model.safetensors"), CLIPS[clip])
    assert [len(window) for window in wanted] == windows
    model = FAMILY.load(checkpoint)
    inputs = FAMILY.reference_inputs(checkpoint, QUESTION, CLIPS[clip], 16000)
    made = model.encoder(inputs["audio_values"], inputs["audio_lens"])
    for window, ours in zip(wanted, made, strict=True):
        assert window.abs().max() > 0.3
        assert torch.allclose(ours[: len(window)], window, atol=2e-5)
    text = transformers.AutoModelForCausalLM.from_pretrained(checkpoint.parent / "tiny-llama")
    embeds = text.get_input_embeddings()(inputs["input_ids"])
    before = int(inputs["audio_token_start_idx"][0])
    embeds[0, before : before + sum(windows)] = torch.cat(wanted)
    answers = [
        text.generate(inputs_embeds=embeds, max_new_tokens=16, do_sample=False)[0],
        model.generate(**inputs, max_new_tokens=16, do_sample=False)[0, inputs["input_ids"].shape[1] :],
    ]
    assert answers[0].tolist() == answers[1].tolist()
    assert len(set(answers[0].tolist())) > 3


@pytest.mark.parametrize(
    "form",
    [{"whole": True}, {"norm_mid": False, "whisper_apart": True}, {"stored": torch.bfloat16}],
    ids=["whole", "0.4", "bfloat16"],
)
def test_weights_may_be_in_other_places_and_types(tmp_path: Path, form: dict[str, Any]) -> None:
    checkpoint = make_ultravox(tmp_path, **form)
    export_checkpoint(checkpoint, tmp_path / "out")
    (result,) = verify(checkpoint, tmp_path / "out", {"1 s": CLIPS["1.0 s"]}, new_tokens=8)
    assert result.first_difference is None
    assert result.logit_difference < 1e-4 < 5 < result.logit_range


def test_the_norm_stands_where_the_version_has_it(tmp_path: Path) -> None:
    old = FAMILY.load(make_ultravox(tmp_path / "0.4", norm_mid=False)).multi_modal_projector
    new = FAMILY.load(make_ultravox(tmp_path / "0.5")).multi_modal_projector
    assert old.ln_post.weight.shape == (HIDDEN,)
    assert new.ln_mid.weight.shape == (GATED // 2,)
    rows = torch.randn(1, 16, 24)
    size = [module(rows).pow(2).mean(-1).sqrt() / 0.4 for module in (old, new)]
    assert (size[0] - 1).abs().max() < 0.2  # a norm of about 0.4 comes last
    assert (size[1] - 1).abs().max() > 0.2


def test_the_hash_covers_the_named_models(checkpoint: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(checkpoint.parent, tmp_path / "copy")) / checkpoint.name
    before = checkpoint_hash(*FAMILY.sources(copy))
    assert before == checkpoint_hash(*FAMILY.sources(checkpoint))
    weights = load_file(copy.parent / "tiny-llama" / "model.safetensors")
    weights["model.norm.weight"][0] += 1
    save_file(weights, copy.parent / "tiny-llama" / "model.safetensors", {"format": "pt"})
    assert checkpoint_hash(*FAMILY.sources(copy)) != before


def test_named_models_are_found_in_beside_and_in_a_mirror(tmp_path: Path) -> None:
    checkpoint = tmp_path / "fixie-ai" / "ultravox"
    places = [tmp_path / "meta" / "llama", checkpoint.parent / "llama", checkpoint / "llama"]
    checkpoint.mkdir(parents=True)
    for place in places:
        place.mkdir(parents=True)
        (place / "config.json").touch()
        assert base_folder(checkpoint, "meta/llama") == place
    with pytest.raises(InputError, match=r"names the model a/b, .* get a/b and put it at .*fixie-ai/b, or a link"):
        base_folder(checkpoint, "a/b")


def test_wrong_checkpoints_are_refused(checkpoint: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(checkpoint.parent, tmp_path / "copy")) / checkpoint.name
    weights = load_file(copy / "model.safetensors")
    save_file(weights | {"audio_tower.layers.0.fc1.lora_A.default.weight": torch.ones(2)}, copy / "model.safetensors")
    with pytest.raises(InputError, match=r"hold audio_tower.*lora_A.*: merge its LoRA weights first"):
        FAMILY.load(copy)
    del weights["multi_modal_projector.ln_mid.weight"]
    save_file(weights, copy / "model.safetensors")
    with pytest.raises(InputError, match=r"lack multi_modal_projector.ln_mid.weight \(1 in all\)"):
        FAMILY.load(copy)
    save_file({"multi_modal_projector.ln_mid.weight": torch.ones(3)}, copy / "model.safetensors")
    with pytest.raises(InputError, match="Cannot load the weights"):
        FAMILY.load(copy)
    edit_json(copy / "config.json", audio_latency_block_size=100)
    with pytest.raises(InputError, match="audio_latency_block_size 100; built here are 'swiglu' and no blocks"):
        FAMILY.load(copy)
    edit_json(copy / "config.json", audio_latency_block_size=None, audio_config={"model_type": "wav2vec2"})
    with pytest.raises(InputError, match="hears with a model of type 'wav2vec2'; only Ultravox on Whisper"):
        FAMILY.load(copy)
    edit_json(copy / "config.json", stack_factor="many")
    with pytest.raises(InputError, match=r"config\.json cannot be used .*stack_factor"):
        FAMILY.load(copy)
