from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

import onnxruntime
import torch
import transformers
from helpers.batch_of_four import batch_difference
from helpers.tiny_gemma3n import END_OF_AUDIO, HIDDEN, IMAGE, MARKS, WORDS, make_gemma3n
from helpers.waveforms import chirp

from airbench_edge.audio.usm import usm_log_mel
from airbench_edge.errors import InputError
from airbench_edge.export.families import family_of
from airbench_edge.export.families.gemma3n import without_vision
from airbench_edge.export.folder import ExportManifest, export_checkpoint
from airbench_edge.export.verify import verify

pytestmark = pytest.mark.slow

CLIPS = {f"{seconds} s": chirp(seconds, 300) for seconds in (0.05, 0.5, 1.0, 3.33, 9.99, 10.0, 20.01, 35.0)}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gemma3n") / "checkpoint"
    make_gemma3n(folder)
    return folder


@pytest.fixture(scope="module")
def export(checkpoint: Path) -> tuple[Path, ExportManifest]:
    folder = checkpoint.parent / "exported"
    return folder, export_checkpoint(checkpoint, folder)


@pytest.fixture(scope="module")
def model(checkpoint: Path) -> torch.nn.Module:
    return family_of("gemma3n").load(checkpoint).float()


def session(export: tuple[Path, ExportManifest], name: str) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(str(export[0] / "onnx" / f"{name}.onnx"))


def test_float32_says_the_same_token_for_token(checkpoint: Path, export: tuple[Path, ExportManifest]) -> None:
    results = list(verify(checkpoint, export[0], CLIPS, new_tokens=24))
    assert [result.clip for result in results] == list(CLIPS)
    for result in results:
        assert result.first_difference is None
        assert result.logit_difference < 1e-4 < 5 < result.logit_range


def test_a_batch_of_four_says_what_each_says_alone(export: tuple[Path, ExportManifest]) -> None:
    assert batch_difference(export[0], CLIPS) < 1e-4


def test_the_decoder_is_plain_and_remembers_what_is_not_shared(export: tuple[Path, ExportManifest]) -> None:
    facts = export[1].decoder
    assert (facts.attention, facts.layers) == ("plain", 3)
    inputs = {port.name: port.shape for port in session(export, "decoder_model_merged").get_inputs()}
    assert inputs["per_layer_inputs"][2:] == [5, 8]
    assert "past_key_values.2.value" in inputs
    assert "past_key_values.3.key" not in inputs


# Two halvings of the frames, blocks of 12, then quarters; 0.5 and 1.93 s, 48 and 191 frames, fill the last block.
@pytest.mark.parametrize("seconds", [0.041, 0.3, 0.5, 1.93, 3.0, 7.77, 30.0])
def test_the_encoder_hears_what_transformers_hears(
    export: tuple[Path, ExportManifest], model: torch.nn.Module, seconds: float
) -> None:
    features, mask, _ = usm_log_mel(chirp(seconds, 300))
    mask[len(mask) // 2 :] = False
    inputs = {"input_features": features[None], "input_features_mask": mask[None]}
    (made,) = session(export, "audio_encoder").run(None, inputs)
    assert made.shape == (1, 188, HIDDEN)
    with torch.no_grad():
        heard = model.model.get_audio_features(*(torch.from_numpy(value) for value in (features[None], ~mask[None])))
        silence = model.model.embed_audio(input_ids=torch.tensor([[WORDS + 2 * MARKS - 1]]))[0]
    encoded, padding = (heard.pooler_output, heard.audio_mel_mask) if hasattr(heard, "pooler_output") else heard
    wanted = torch.where(padding[0, :, None], silence, encoded[0])
    assert np.abs(made[0, : len(wanted)] - wanted.numpy()).max() < 1e-4
    assert np.abs(made[0, len(wanted) :] - silence.numpy()).max(initial=0) < 1e-5
    assert bool(padding.any()) == (seconds > 0.1)  # two frames make one feature


def test_marks_of_sound_and_image_have_embeddings_of_their_own(
    checkpoint: Path, export: tuple[Path, ExportManifest], model: torch.nn.Module
) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint)
    marks = [tokenizer.convert_tokens_to_ids(name) for name in (IMAGE, END_OF_AUDIO)]
    assert marks == [WORDS + 1, WORDS + MARKS]
    ids = np.array([[5, *marks, 6]])
    embeds, per_layer = session(export, "embed_tokens").run(["inputs_embeds", "per_layer_inputs"], {"input_ids": ids})
    with torch.no_grad():
        words = model.get_input_embeddings()(torch.from_numpy(ids))[0]
        own = [
            embedder(input_ids=torch.tensor([[mark]]))[0, 0]
            for embedder, mark in zip((model.model.embed_vision, model.model.embed_audio), marks, strict=True)
        ]
        layers = model.model.language_model.get_per_layer_inputs(torch.tensor([[5, 0, 0, 6]]))
    assert np.abs(embeds[0] - torch.stack([words[0], *own, words[3]]).numpy()).max() < 1e-5
    assert np.abs(per_layer - layers.numpy()).max() < 1e-6


def test_vision_comes_back(checkpoint: Path) -> None:
    from transformers.models.gemma3n import modeling_gemma3n

    before = modeling_gemma3n.AutoModel
    with pytest.raises(InputError), without_vision():
        raise InputError("whatever happens")
    assert modeling_gemma3n.AutoModel is before
