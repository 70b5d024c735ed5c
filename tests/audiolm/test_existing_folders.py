"""Model folders that other exporters wrote are run as they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import onnx
import pytest
from helpers.hub_layout import (
    renamed,
    reordered,
    save_with_weights_beside,
    with_an_output_before,
    with_cache_branch,
    with_counted_logits,
)
from helpers.tiny_audiolm import GOLDEN, copy_model, edit_json
from helpers.waveforms import chirp

from airbench_edge.audiolm.contract import Prompted
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.errors import InputError

Change = Callable[[onnx.ModelProto], onnx.ModelProto]


def answers(path: Path) -> list[tuple[str | None, str]]:
    cap: int = GOLDEN["cap"]
    model = OnnxAudioLM(path, "cpu", None, {Track.FOUNDATION: cap, Track.CHAT: cap})
    given = []
    for place, golden in enumerate(GOLDEN["plain"][:3]):
        sound = chirp(golden["seconds"], golden["start_hz"])
        answer = model.answer(Prompted(ItemKey(Track.CHAT, place), GOLDEN["question"], str(place), sound))
        given.append((answer.text, answer.finish))
    return given


WANTED = [(golden["text"], golden["finish"]) for golden in GOLDEN["plain"][:3]]


def change(path: Path, graph: str, *changes: Change) -> None:
    file = path / "onnx" / f"{graph}.onnx"
    model = onnx.load(file)
    for one in changes:
        model = one(model)
    onnx.save(model, file)


@pytest.mark.parametrize(
    ("graph", "how"),
    [
        ("decoder_model_merged", with_cache_branch),
        ("decoder_model_merged", with_counted_logits),
        ("decoder_model_merged", reordered),
        ("audio_encoder", lambda model: renamed(model, "input_features", "audio_values")),
        ("audio_encoder", lambda model: renamed(model, "audio_features", "last_hidden_state")),
        ("audio_encoder", lambda model: with_an_output_before(model, "last_hidden_state")),
    ],
    ids=[
        "use_cache_branch",
        "num_logits_to_keep of one element",
        "inputs and outputs in another order",
        "audio_values",
        "features under another name",
        "features not first",
    ],
)
def test_what_exporters_do_differently(tmp_path: Path, graph: str, how: Change) -> None:
    path = copy_model(tmp_path)
    change(path, graph, how)
    assert answers(path) == WANTED


def test_a_folder_of_the_hub(tmp_path: Path) -> None:
    path = copy_model(tmp_path)
    graphs = path / "onnx"
    save_with_weights_beside(onnx.load(graphs / "decoder_model_merged.onnx"), graphs / "decoder_model_merged_q4.onnx")
    (graphs / "decoder_model_merged.onnx").unlink()
    (graphs / "embed_tokens.onnx").rename(graphs / "embed_tokens_quantized.onnx")
    (graphs / "vision_encoder.onnx").write_bytes(b"not for us")
    extractor = json.loads((path / "preprocessor_config.json").read_text())
    (path / "preprocessor_config.json").unlink()
    edit_token = {"content": "<|endoftext|>", "lstrip": False, "special": True}
    edit_json(path / "tokenizer_config.json", eos_token=edit_token, bos_token=None)
    processor = {"processor_class": "Qwen2AudioProcessor", "feature_extractor": extractor}
    (path / "processor_config.json").write_text(json.dumps(processor))
    assert answers(path) == WANTED
    folder = ModelFolder(path)
    assert folder.dtypes == {"audio_encoder": "fp32", "embed_tokens": "q8", "decoder_model_merged": "q4"}
    weights = {f"onnx/decoder_model_merged_q4.onnx{end}" for end in ("", "_data", "_data_1")}
    assert weights | {"processor_config.json"} <= set(folder.hashes())
    assert "onnx/vision_encoder.onnx" not in folder.hashes()


def test_a_missing_second_weights_file_is_named(tmp_path: Path) -> None:
    path = copy_model(tmp_path)
    file = path / "onnx" / "decoder_model_merged.onnx"
    save_with_weights_beside(onnx.load(file), file)
    file.with_name(f"{file.name}_data_1").unlink()
    with pytest.raises(InputError, match=r"keeps weights in decoder_model_merged\.onnx_data_1, which is missing"):
        answers(path)


@pytest.mark.parametrize("state", ["past_conv.0", "past_ssm.0", "past_recurrent.0", "past_key_values.0.encoder.key"])
def test_other_memories_than_keys_and_values_are_refused_by_name(tmp_path: Path, state: str) -> None:
    path = copy_model(tmp_path)

    def with_state(model: onnx.ModelProto) -> onnx.ModelProto:
        shape: list[str | int | None] = ["batch", 4, 8]
        model.graph.input.append(onnx.helper.make_tensor_value_info(state, onnx.TensorProto.FLOAT, shape))
        return model

    change(path, "decoder_model_merged", with_state)
    with pytest.raises(InputError, match=rf"remembers {state}, and only decoders whose whole memory is past_key"):
        answers(path)


@pytest.mark.parametrize(
    ("port", "axis", "length", "words"),
    [
        ("inputs_embeds", 1, 1, r"takes 1 positions at a time in inputs_embeds, a prompt has any number"),
        ("past_key_values.0.key", 2, 64, r"declares past_key_values\.0\.key as \[None, 2, 64, 8\] instead of"),
    ],
)
def test_graphs_of_fixed_length_are_refused(tmp_path: Path, port: str, axis: int, length: int, words: str) -> None:
    path = copy_model(tmp_path)

    def fixed(model: onnx.ModelProto) -> onnx.ModelProto:
        value = next(value for value in model.graph.input if value.name == port)
        value.type.tensor_type.shape.dim[axis].dim_value = length
        return model

    change(path, "decoder_model_merged", fixed)
    with pytest.raises(InputError, match=words):
        answers(path)


def without_shape(name: str) -> Change:
    def change(model: onnx.ModelProto) -> onnx.ModelProto:
        value = next(value for value in (*model.graph.input, *model.graph.output) if value.name == name)
        value.type.tensor_type.ClearField("shape")
        return model

    return change


def test_features_of_unknown_shape(tmp_path: Path) -> None:
    path = copy_model(tmp_path)
    change(path, "audio_encoder", without_shape("audio_features"))
    assert answers(path) == WANTED


def test_embeddings_of_unknown_shape_are_refused(tmp_path: Path) -> None:
    path = copy_model(tmp_path)
    change(path, "decoder_model_merged", without_shape("inputs_embeds"))
    with pytest.raises(InputError, match=r"decoder_model_merged\.onnx as \[\], instead of \[batch, positions, width\]"):
        answers(path)


def test_shared_layers_count_once(tmp_path: Path) -> None:
    path = copy_model(tmp_path)
    text: dict[str, Any] = json.loads((path / "config.json").read_text())["text_config"]
    edit_json(path / "config.json", text_config={**text, "num_hidden_layers": 5, "num_kv_shared_layers": 3})
    assert answers(path) == WANTED
    edit_json(path / "config.json", text_config={**text, "num_hidden_layers": 5})
    with pytest.raises(InputError, match=r"keys of 2 and values of 2 layers, config\.json says 5"):
        answers(path)


def test_a_pipeline_of_onnxruntime_genai_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "genai_config.json").write_text("{}")
    with pytest.raises(InputError, match=r"laid out for onnxruntime-genai.*onnx/decoder_model_merged\.onnx"):
        ModelFolder(tmp_path)
