"""Whisper tiny.en, real weights, against transformers on speech whose words are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

from helpers.spoken import Spoken, recordings, sentences, word_errors

from airbench_edge.audiolm.whisper.model import Whisper
from airbench_edge.export.whisper import export_whisper
from airbench_edge.export.whisper_checkpoint import checkpoint_from_ctranslate2
from airbench_edge.export.whisper_reference import WhisperReference
from known_bytes import Unavailable
from make_cascade import fetched

pytestmark = pytest.mark.slow


class Pair(NamedTuple):
    """Both sides with the same weights."""

    ours: Whisper
    reference: WhisperReference


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder = tmp_path_factory.mktemp("tiny.en")
    try:
        checkpoint_from_ctranslate2(fetched("tiny.en"), folder / "checkpoint")
    except Unavailable as error:
        pytest.skip(f"needs Whisper tiny.en: {error}")
    export_whisper(folder / "checkpoint", folder / "export")
    return Pair(Whisper(folder / "export", "cpu"), WhisperReference(folder / "checkpoint"))


@pytest.mark.parametrize("speech", [sentences, recordings])
def test_words_and_tokens_are_those_of_transformers(
    pair: Pair, tmp_path: Path, speech: Callable[[Path], Iterator[Spoken]]
) -> None:
    errors, reference_errors, words, equal, clips = 0, 0, 0, 0, 0
    for waveform, text in speech(tmp_path):
        said = pair.reference.transcribe(waveform)
        tokens = [token for window in pair.ours.windows(waveform) for token in window.words]
        wrong, count = word_errors(pair.ours.transcribe(waveform).text, text)
        errors, words = errors + wrong, words + count
        reference_errors += word_errors(said.text, text)[0]
        equal, clips = equal + (tokens == said.tokens), clips + 1
    assert errors <= reference_errors
    assert equal >= 0.95 * clips
    assert errors / words < (0.05 if speech is recordings else 0.35)  # espeak's voice is hard for tiny.en


def test_nobody_speaks_in_silence_and_noise(pair: Pair) -> None:
    noise = np.random.default_rng(0).normal(0, 0.1, 16000 * 12).astype(np.float32)
    for loudness in (0.0, 1.0, 0.001):
        assert pair.ours.transcribe(noise * np.float32(loudness)).text == ""


def test_a_long_clip_is_heard_whole_and_nothing_twice(pair: Pair, tmp_path: Path) -> None:
    spoken = list(sentences(tmp_path))
    pause = np.zeros(8000, np.float32)
    sound = np.concatenate([part for one in spoken for part in (one.waveform, pause)])
    assert len(sound) > 2 * 30 * 16000 * 0.9
    long_errors, words = word_errors(pair.ours.transcribe(sound).text, " ".join(one.words for one in spoken))
    single_errors = sum(word_errors(pair.ours.transcribe(one.waveform).text, one.words)[0] for one in spoken)
    # Joined windows may not cost more than 5 % of the words over the sentences heard one by one.
    assert long_errors <= single_errors + 0.05 * words
