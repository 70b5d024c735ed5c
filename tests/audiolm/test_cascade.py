from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from helpers.tiny_cascade import CONFIG, write_cascade
from helpers.waveforms import chirp

from airbench_edge.audiolm.cascade.model import CascadeAudioLM
from airbench_edge.audiolm.contract import AudioLM, ModelError, Prompted, Waveform
from airbench_edge.audiolm.open import open_audiolm
from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.errors import InputError

CAPS: Mapping[Track, int] = {Track.FOUNDATION: 4, Track.CHAT: 8}


def item(waveform: Waveform | None, clip: str = "clip", track: Track = Track.CHAT, prompt: str = "Who?") -> Prompted:
    return Prompted(ItemKey(track, 1), prompt, clip, waveform)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cascade(tmp_path_factory.mktemp("cascade"))


@pytest.fixture(scope="module")
def model(folder: Path) -> CascadeAudioLM:
    return CascadeAudioLM(folder, "cpu", CAPS)


def test_it_answers_as_an_audio_lm(folder: Path) -> None:
    opened: AudioLM = open_audiolm(f"cascade:{folder}", device="cpu", max_new_tokens=CAPS)
    answer = opened.answer(item(chirp(1.3, 900)))
    assert opened.sample_rate == 16000
    assert answer.text is not None
    assert answer.finish in ("stop", "length")
    assert answer.heard_s == 1.3
    assert opened.answer(item(chirp(1.3, 900))) == answer


def test_each_track_has_its_cap(model: CascadeAudioLM) -> None:
    texts = [model.answer(item(chirp(0.8, 900), track=track)) for track in Track]
    assert all(answer.finish == "length" for answer in texts)
    assert str(texts[1].text).startswith(str(texts[0].text).rstrip("\ufffd"))


def test_a_clip_is_heard_once_for_all_its_items(model: CascadeAudioLM) -> None:
    first = model.answer(item(chirp(0.8, 900), "shared"))
    # The waveform of a clip that was heard before is not looked at again.
    assert model.answer(item(None, "shared")) == first
    with pytest.raises(ModelError, match="the item has no sound"):
        model.answer(item(None, "another"))


def test_where_no_voice_is_no_words_are_invented(folder: Path, model: CascadeAudioLM) -> None:
    # The tiny Whisper with random weights writes words on both; the tagger hears no voice in the faint one.
    faint = chirp(0.9, 100) * np.float32(0.01)
    heard = model.listen(faint)
    assert (heard.text, heard.language, heard.probability) == ("", "", None)
    assert model.listen(chirp(0.9, 900)).text
    untagged = CONFIG.replace(CONFIG[CONFIG.index("[tagger]") : CONFIG.index("[llm]")], "")
    (folder / "cascade.toml").write_text(untagged, encoding="utf-8")
    try:
        bare = CascadeAudioLM(folder, "cpu", CAPS)
    finally:
        (folder / "cascade.toml").write_text(CONFIG, encoding="utf-8")
    assert bare.listen(faint).text
    assert bare.listen(faint).tags is None
    assert bare.identity.details["tagger"] == "none"


@pytest.mark.parametrize("waveform", [None, np.zeros(0, np.float32)])
def test_an_item_without_sound_fails_alone(model: CascadeAudioLM, waveform: Waveform | None) -> None:
    with pytest.raises(ModelError, match="the item has no sound"):
        model.answer(item(waveform, "silent"))
    assert model.answer(item(chirp(0.5), "sounding")).heard_s == 0.5


def test_a_prompt_too_long_for_the_language_model_fails_alone(model: CascadeAudioLM) -> None:
    with pytest.raises(ModelError, match=r"the prompt has \d+ tokens, and the language model knows 8192"):
        model.answer(item(chirp(0.5), prompt="ab" * 5000))


def test_the_identity_names_the_parts_and_their_hashes(model: CascadeAudioLM, folder: Path) -> None:
    identity = model.identity
    assert (identity.kind, identity.name) == ("cascade", "tiny")
    hashed = {name for name in identity.details if name.startswith("sha256.")}
    whisper = {f"sha256.whisper.{file.name}" for file in (folder / "whisper").iterdir()}
    assert hashed == whisper | {"sha256.tagger.tagger.onnx", "sha256.tagger.classes.csv"}
    assert len(identity.details["llm.sha256"]) == 64
    assert identity.details["max_new_tokens.chat"] == "8"
    assert identity.details["prompt"].startswith("sha256 ")
    assert set(model.providers) == {"whisper_encoder", "whisper_decoder", "tagger", "language model"}


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (CONFIG.replace("[llm]", "[lm]"), r"cascade\.toml cannot be used .*field `lm`.*docs/cascade\.md"),
        (CONFIG + "[voice]\n", r"cascade\.toml cannot be used .*unknown field `voice`"),
        ("name =", r"cascade\.toml cannot be used"),
        (CONFIG.replace("tagger.onnx", "other.onnx"), r"other\.onnx is missing: make the cascade folder anew"),
        (CONFIG.replace("tiny.gguf", "gone.gguf"), r"gone\.gguf cannot be read"),
        (CONFIG.replace('"whisper"', '"speech"'), r"config\.json is missing: make the Whisper export anew"),
        (CONFIG.replace("classes.csv", "tagger.onnx"), r"The classes .*tagger\.onnx cannot be read"),
    ],
)
def test_a_folder_that_cannot_be_used_says_why(tmp_path: Path, config: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        CascadeAudioLM(write_cascade(tmp_path / "cascade", config), "cpu", CAPS)


def test_no_folder_and_no_choice_of_number_types(folder: Path) -> None:
    with pytest.raises(InputError, match=r"/nowhere/cascade\.toml cannot be read .*give a folder that holds it"):
        open_audiolm("cascade:/nowhere")
    with pytest.raises(InputError, match="leave --dtype out"):
        open_audiolm(f"cascade:{folder}", dtype="fp16")
