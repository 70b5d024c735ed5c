from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from helpers.tiny_audiolm import CASE, GOLDEN, copy_model, edit_json
from helpers.waveforms import chirp
from onnxruntime.transformers.float16 import convert_float_to_float16

from airbench_edge.audiolm.contract import AudioLM, ModelError, Prompted, Waveform
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.errors import InputError

CAPS: Mapping[Track, int] = {Track.FOUNDATION: GOLDEN["cap"], Track.CHAT: GOLDEN["cap"]}
GRAPHS = ("audio_encoder", "embed_tokens", "decoder_model_merged")


def item(waveform: Waveform | None, clip: str = "", track: Track = Track.CHAT, prompt: str = "") -> Prompted:
    clip = clip or str(hash(waveform.tobytes() if waveform is not None else None))
    return Prompted(ItemKey(track, 1), prompt or GOLDEN["question"], clip, waveform)


def opened(path: Path = CASE, dtype: str | None = None, system: str | None = None) -> OnnxAudioLM:
    return OnnxAudioLM(path, "cpu", dtype, CAPS, system)


@cache
def pristine(system: str | None = None) -> OnnxAudioLM:
    return opened(system=system)


@pytest.mark.parametrize("answer", GOLDEN["plain"], ids=lambda answer: f"{answer['seconds']} s")
def test_answers_are_those_of_transformers(answer: dict[str, Any]) -> None:
    model: AudioLM = pristine(answer["system"])
    given = model.answer(item(chirp(answer["seconds"], answer["start_hz"])))
    assert (given.text, given.finish) == (answer["text"], answer["finish"])
    # The window is 1 s; 10 ms make no token.
    assert given.heard_s == (0.0 if answer["seconds"] == 0.01 else min(answer["seconds"], 1.0))


@pytest.mark.parametrize("answer", GOLDEN["penalised"], ids=lambda answer: f"{answer['seconds']} s")
def test_the_repetition_penalty_of_the_generation_settings_is_applied(tmp_path: Path, answer: dict[str, Any]) -> None:
    path = copy_model(tmp_path)
    edit_json(path / "generation_config.json", repetition_penalty=1.3)
    given = opened(path, system=answer["system"]).answer(item(chirp(answer["seconds"], answer["start_hz"])))
    assert (given.text, given.finish) == (answer["text"], answer["finish"])


@pytest.mark.parametrize("halved", [GRAPHS, GRAPHS[1:]], ids=["all", "encoder in float32"])
def test_float16_graphs_follow_the_same_answer(tmp_path: Path, halved: tuple[str, ...]) -> None:
    path = copy_model(tmp_path)
    for name in halved:
        graph = onnx.load(path / "onnx" / f"{name}.onnx")
        half = convert_float_to_float16(graph, keep_io_types=False, disable_shape_infer=True)
        onnx.save(half, path / "onnx" / f"{name}_fp16.onnx")
    model = OnnxAudioLM(path, "cpu", ",".join(f"{name}=fp16" for name in halved), CAPS, float16_on_cpu=True)
    wanted = GOLDEN["plain"][2]
    sound = item(chirp(wanted["seconds"], wanted["start_hz"]))
    exact, half_exact = (one.follow(sound, wanted["tokens"]).logits for one in (pristine(), model))
    # Logits span about 12; float16 keeps 11 bits through two layers.
    assert 0 < np.abs(exact - half_exact).max() < 0.5
    assert model.identity.details["dtype.decoder_model_merged"] == "fp16"
    assert model.answer(sound).finish in ("stop", "length")


def test_following_transformers_agrees_at_every_token() -> None:
    for answer in GOLDEN["plain"]:
        model = pristine(answer["system"])
        followed = model.follow(item(chirp(answer["seconds"], answer["start_hz"])), answer["tokens"])
        assert followed.choices == answer["tokens"]


def test_a_clip_is_encoded_once_for_all_its_items() -> None:
    model = opened()
    first = model.answer(item(chirp(0.5), "a"))
    # The waveform of a clip that was heard before is not looked at again.
    assert model.answer(item(chirp(0.9), "a")) == first
    assert model.answer(item(chirp(0.9), "b")) != first


def test_old_clips_are_forgotten() -> None:
    model = opened()
    for clip in "abcde":
        model.answer(item(chirp(0.5), clip))
    assert model.answer(item(chirp(0.9), "e")).heard_s == 0.5
    assert model.answer(item(chirp(0.9), "a")).heard_s == 0.9


def test_each_track_has_its_cap() -> None:
    model = OnnxAudioLM(CASE, device="cpu", max_new_tokens={Track.FOUNDATION: 3, Track.CHAT: 6})
    long = GOLDEN["plain"][3]
    lengths = []
    for track in Track:
        answer = model.answer(item(chirp(1.5, 300), track=track))
        assert answer.text is not None
        assert long["text"].startswith(answer.text.rstrip("\ufffd"))
        assert answer.finish == "length"
        lengths.append(len(answer.text))
    assert lengths[0] < lengths[1]


@pytest.mark.parametrize("waveform", [None, np.zeros(0, np.float32)])
def test_an_item_without_sound_fails_alone(waveform: Waveform | None) -> None:
    model = pristine()
    with pytest.raises(ModelError, match="the item has no sound"):
        model.answer(item(waveform, "silent"))
    assert model.answer(item(chirp(0.5), "sounding")).heard_s == 0.5


def test_what_onnxruntime_refuses_fails_one_item(tmp_path: Path) -> None:
    path = copy_model(tmp_path)
    model = onnx.load(path / "onnx" / "embed_tokens.onnx")
    table = model.graph.initializer[0]
    table.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(table)[:200], table.name))
    onnx.save(model, path / "onnx" / "embed_tokens.onnx")
    with pytest.raises(ModelError, match=r"onnxruntime failed: .*out of"):
        opened(path).answer(item(chirp(0.5)))


def test_identity_names_everything_that_can_change_an_answer(tmp_path: Path) -> None:
    path = copy_model(tmp_path)
    before = opened(path).identity
    assert before.details["family"] == "qwen2_audio"
    assert before.details["max_new_tokens.foundation"] == "24"
    assert opened(path).identity == before
    assert opened(path, system="Be brief.").identity != before
    edit_json(path / "generation_config.json", repetition_penalty=1.1)
    after = opened(path).identity
    changed = {name for name in before.details if before.details[name] != after.details[name]}
    assert changed == {"sha256.generation_config.json"}


def test_it_says_what_each_session_runs_on() -> None:
    assert pristine().providers == dict.fromkeys(GRAPHS, "CPUExecutionProvider")
    assert pristine().sample_rate == 16000


def test_no_stop_token(tmp_path: Path) -> None:
    path = copy_model(tmp_path)
    (path / "generation_config.json").unlink()
    assert opened(path).answer(item(chirp(1.0, 400))).finish == "stop"  # from text_config
    edit_json(path / "config.json", text_config={})
    with pytest.raises(InputError, match=r"names no stop token: add eos_token_id"):
        opened(path)


def test_the_width_of_features_shows_both_sides(tmp_path: Path) -> None:
    path = copy_model(tmp_path)
    graph = onnx.load(path / "onnx" / "audio_encoder.onnx")
    graph.graph.output[0].type.tensor_type.shape.dim[-1].dim_value = 16
    graph.graph.node.append(
        onnx.helper.make_node("Slice", ["wide", "zero", "half", "axis"], [graph.graph.output[0].name])
    )
    graph.graph.node[-2].output[0] = "wide"
    numbers = {"zero": [0], "half": [16], "axis": [-1]}
    tensors = [onnx.numpy_helper.from_array(np.array(value), name) for name, value in numbers.items()]
    graph.graph.initializer.extend(tensors)
    onnx.save(graph, path / "onnx" / "audio_encoder.onnx")
    with pytest.raises(InputError, match=r"makes features of width 16, .* embeddings of width 32"):
        opened(path)
