from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.tiny_audiolm import edit_json
from helpers.waveforms import chirp

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph, Port
from airbench_edge.errors import InputError

# Configurations and tokenizer of a model whose window is 1 s, and what the published processor makes for it.
CASE = Path(__file__).parents[1] / "cases" / "ultravox"
GOLDEN: dict[str, Any] = json.loads((CASE / "golden.json").read_text(encoding="utf-8"))
END, END_OF_TURN = 1, 2


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(CASE, tmp_path / "model"))
    (folder / "onnx").mkdir()
    for name in ("audio_encoder", "embed_tokens", "decoder_model_merged"):
        (folder / "onnx" / f"{name}.onnx").write_bytes(b"opened by no family")
    return folder


def opened(path: Path) -> Family:
    folder = ModelFolder(path)
    config = folder.read("config.json", Config)
    assert config is not None
    return family_of(folder, config)


@pytest.mark.parametrize("clip", GOLDEN["clips"], ids=lambda clip: f"{clip['seconds']} s")
def test_sound_and_prompt_are_those_of_the_published_processor(model: Path, clip: dict[str, Any]) -> None:
    family = opened(model)
    sound = family.sound(chirp(clip["seconds"], 300))
    with np.load(CASE / "golden.npz") as goldens:
        features = goldens[str(clip["seconds"])]
    assert sound.inputs["audio_values"].shape == features.shape
    assert np.abs(sound.inputs["audio_values"] - features).max() < 1e-4
    assert sound.inputs["audio_lens"].tolist() == clip["audio_lens"]
    assert sound.tokens == sum(clip["audio_token_len"])
    assert sound.heard_s == pytest.approx(clip["seconds"])
    prompt = family.prompt(GOLDEN["question"], clip["system"], sound.tokens)
    assert prompt.ids == clip["prompt_ids"]
    assert prompt.audio.start == clip["audio_token_start_idx"][0]
    assert prompt.ids[prompt.audio] == [END] * sound.tokens


@pytest.mark.parametrize(
    ("seconds", "lengths", "tokens"),
    # Frames of 10 ms, 100 to a window; tokens of a window: frames / 16, rounded up, so 7 for a whole one.
    [
        (0.001, [2], 1),
        (0.16, [16], 1),
        (0.17, [17], 2),
        (1.0, [100], 7),
        (1.01, [100, 1], 8),
        (3.5, [100] * 3 + [50], 25),
    ],
)
def test_windows_and_tokens(model: Path, seconds: float, lengths: list[int], tokens: int) -> None:
    sound = opened(model).sound(chirp(seconds))
    assert (sound.inputs["audio_lens"].tolist(), sound.tokens) == (lengths, tokens)
    assert sound.inputs["audio_values"].shape == (len(lengths), 8, lengths[0])


def test_the_mark_in_a_question_is_text(model: Path) -> None:
    family = opened(model)
    plain, marked = family.prompt("Say", None, 3), family.prompt("Say <|audio|>", None, 3)
    assert marked.audio == plain.audio
    tokenizer = ModelFolder(model).tokenizer()
    assert tokenizer.decode(marked.ids, skip_special_tokens=True).count("<|audio|>") == 1
    # Some folders have a tokenizer that knows the mark, with an id beyond the text model's embeddings.
    tokenizer.add_special_tokens(["<|audio|>"])
    tokenizer.save(str(model / "tokenizer.json"))
    assert opened(model).prompt("Say <|audio|>", None, 3).ids == marked.ids


def test_stops_are_those_of_the_tokenizer_unless_the_configuration_names_some(model: Path) -> None:
    assert opened(model).text.eos_token_id == [END, END_OF_TURN]
    edit_json(model / "config.json", text_config={"eos_token_id": 5})
    assert opened(model).text.eos_token_id == 5


def test_whisper_is_assumed_where_the_configuration_is_silent(model: Path) -> None:
    (model / "config.json").write_text('{"model_type": "ultravox"}')
    sound = opened(model).sound(chirp(31.0))
    assert sound.inputs["audio_lens"].tolist() == [3000, 100]
    assert sound.tokens == 188 + 7


def test_a_template_must_be_there_and_keep_what_is_asked(model: Path) -> None:
    (model / "chat_template.jinja").write_text("{{ bos_token }}")
    with pytest.raises(InputError, match=r"writes <\|audio\|> 0 times instead of once"):
        opened(model)
    (model / "chat_template.jinja").unlink()
    with pytest.raises(InputError, match=r"has no chat template: copy chat_template\.jinja or"):
        opened(model)


def test_the_end_of_text_shows_both_sides(model: Path) -> None:
    edit_json(model / "tokenizer_config.json", eos_token="<|im_end|>")
    with pytest.raises(InputError, match=r"calls the end of text '<\|im_end\|>', which tokenizer\.json does not know"):
        opened(model)


def encoder(*inputs: tuple[str, tuple[int | None, ...]]) -> Graph:
    ports = {name: Port(name, np.dtype(np.float32), shape) for name, shape in inputs}
    return Graph("audio_encoder", Path("audio_encoder.onnx"), None, ports, {}, "cpu")


def test_encoders(model: Path) -> None:
    family = opened(model)
    family.check_encoder(encoder(("audio_values", (None, 8, None)), ("audio_lens", (None,))))
    family.check_encoder(encoder(("input_features", (1, 8, None))))
    with pytest.raises(InputError, match=r"has the inputs audio_lens; .* has input_features or audio_values"):
        family.check_encoder(encoder(("audio_lens", (None,))))
    with pytest.raises(InputError, match=r"takes 128 mel bins, preprocessor_config\.json makes 8"):
        family.check_encoder(encoder(("audio_values", (None, 128, None))))
    with pytest.raises(InputError, match="takes 3000 frames and no other number, Ultravox makes as many as a clip has"):
        family.check_encoder(encoder(("audio_values", (None, 8, 3000))))
