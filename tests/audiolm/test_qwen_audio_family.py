from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.tiny_audiolm import copy_model, edit_json
from helpers.waveforms import chirp

from airbench_edge.audio.mel import MelSettings, log_mel
from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import open_graph
from airbench_edge.errors import InputError

# The tags in place of those of the tiny model's tokenizer, ids 3, 4 and 5.
WORDS = {"<|AUDIO|>": "[[[AUDIO:modality]]]", "<|audio_bos|>": "<audio>", "<|audio_eos|>": "</audio>"}
AUDIO = {"n_mels": 80, "n_ctx": 50, "audio_start_id": 4}


def make_folder(parent: Path) -> Path:
    """A window of 1 s: 50 positions."""
    folder = copy_model(parent)
    text = (folder / "tokenizer.json").read_text(encoding="utf-8")
    for old, new in WORDS.items():
        text = text.replace(old, new)
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    edit_json(folder / "config.json", model_type="qwen", hidden_size=32, num_hidden_layers=2, audio=AUDIO)
    return folder


def opened(folder: Path) -> Family:
    opened_folder = ModelFolder(folder)
    config = opened_folder.read("config.json", Config)
    assert config is not None
    return family_of(opened_folder, config)


@pytest.mark.parametrize(
    ("samples", "frames", "positions", "tokens"),
    # whole hops of 160, after the convolution (n-1)//2+1, in pairs; and one token for each tag
    [(480, 4, 2, 3), (800, 6, 3, 3), (959, 6, 3, 3), (8000, 50, 25, 14), (16000, 100, 50, 27), (20000, 100, 50, 27)],
)
def test_a_clip_is_heard_at_its_own_length(
    tmp_path: Path, samples: int, frames: int, positions: int, tokens: int
) -> None:
    wave = chirp(2.0)[:samples]
    sound = opened(make_folder(tmp_path)).sound(wave)
    assert (sound.tokens, frames) == (tokens, 2 * positions)
    assert sound.heard_s == min(samples, 16000) / 16000
    whole = log_mel(wave[:16000], MelSettings(chunk_s=1))
    assert np.array_equal(sound.inputs["input_features"], whole[None, :, :frames])


@pytest.mark.parametrize("samples", [1, 160, 400])
def test_a_clip_below_one_position_is_heard_with_the_silence_after_it(tmp_path: Path, samples: int) -> None:
    sound = opened(make_folder(tmp_path)).sound(chirp(0.1)[:samples])
    assert (sound.tokens, sound.inputs["input_features"].shape) == (3, (1, 80, 4))


@pytest.mark.parametrize("system", [None, "Be brief."])
def test_the_prompt_is_put_together_as_the_published_chat_does(tmp_path: Path, system: str | None) -> None:
    folder = make_folder(tmp_path)
    words = ModelFolder(folder).tokenizer().encode
    question = "Which sound?\nA. <audio> or 狗"
    prompt = opened(folder).prompt(question, system, 5)
    start, end, line = [1], [2], words("\n").ids
    wanted = [*start, *words("system").ids, *line, *words(system or "You are a helpful assistant.").ids, *end, *line]
    wanted += [*start, *words("user").ids, *line, *words("Audio 1:").ids]
    at = len(wanted)
    wanted += [4, 3, 3, 3, 5, *words(f"\n{question}").ids, *end, *line, *start, *words("assistant").ids, *line]
    assert prompt.ids == wanted
    assert prompt.audio == slice(at, at + 5)


def test_a_qwen_for_text_alone_is_refused(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    edit_json(folder / "config.json", audio=None)
    with pytest.raises(InputError, match=r"config\.json has no part named audio: it is a Qwen for text alone"):
        opened(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_mels": 128}, r"makes 80 mel bins and 100 frames, config\.json wants 128 \(n_mels\)"),
        ({"n_ctx": 1500}, r"and 100 frames, config\.json wants 80 \(n_mels\) and 3000 \(twice n_ctx\)"),
        ({"audio_start_id": 155163}, r"have the ids 4, 3 and 5 in tokenizer\.json, config\.json has 155163"),
    ],
)
def test_configurations_show_both_sides(tmp_path: Path, change: dict[str, int], message: str) -> None:
    folder = make_folder(tmp_path)
    edit_json(folder / "config.json", audio=AUDIO | change)
    with pytest.raises(InputError, match=message):
        opened(folder)


def test_a_template_must_place_the_tags(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    (folder / "chat_template.jinja").write_text("<audio>{{ messages[-1].content[1].text }}")
    with pytest.raises(InputError, match="writes <audio></audio> 0 times instead of once"):
        opened(folder)


def test_an_encoder_with_a_mask_is_refused(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    encoder = open_graph("audio_encoder", folder / "onnx" / "audio_encoder.onnx", [(CPU, {})])
    with pytest.raises(InputError, match="the encoder of Qwen-Audio has input_features alone"):
        opened(folder).check_encoder(encoder)
