"""The clips that the model learns from: generators of the small data set, but other seed, voices and sentences."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt
from transformers import WhisperFeatureExtractor

from synth.catalogue import SOURCES
from synth.clip import LONGEST_S, SAMPLE_RATE, Clip, Wave, pick
from synth.files import heard
from synth.voices import LESSONS

SEED = 1_877_1206
MEL_BINS = 128
WINDOW_S = int(LONGEST_S)
_FORMATS = ((".wav", 16_000), (".wav", 16_000), (".mp3", 16_000), (".flac", 16_000), (".wav", 8_000))


@dataclass(frozen=True)
class Lesson:
    """A clip as the model hears it.

    Attributes:
        source: Kind of clip, a key of ``SOURCES``.
        clip: Its truth; the samples are dropped.
        mel: Log-mel of the part that is not padding, [mel bins, frames + a few] float16.
        frames: Mel frames of the clip.
        digest: First 16 hex digits of the SHA-256 of its 16-bit samples.
    """

    source: str
    clip: Clip
    mel: npt.NDArray[np.float16]
    frames: int
    digest: str


def digest(wave: Wave) -> str:
    """Fingerprint of a sound as synthesised, before it is written to a file."""
    return hashlib.sha256(np.round(wave * 32767).astype("<i2").tobytes()).hexdigest()[:16]


@cache
def extractor() -> WhisperFeatureExtractor:
    """The feature extractor of the model, which is saved with it."""
    return WhisperFeatureExtractor(feature_size=MEL_BINS, chunk_length=WINDOW_S)


def draw(source: str, index: int) -> tuple[Clip, Wave]:
    """Clip number ``index`` of ``source``, and how it sounds after a round trip through some file format."""
    rng = np.random.default_rng([SEED, crc32(source.encode()), index])
    clip = SOURCES[source](rng, LESSONS)
    return clip, heard(clip.wave, *pick(rng, _FORMATS))


def lesson(source: str, index: int) -> Lesson:
    """Make one lesson."""
    clip, wave = draw(source, index)
    wave = wave[: WINDOW_S * SAMPLE_RATE]
    mel = extractor()(wave, sampling_rate=SAMPLE_RATE, return_tensors="np")["input_features"][0]
    frames = -(-len(wave) // 160)
    kept = mel[:, : frames + 3].astype(np.float16)
    return Lesson(source, replace(clip, wave=np.empty(0)), kept, frames, digest(clip.wave))


def _make(task: tuple[str, int]) -> list[Lesson]:
    source, count = task
    return [lesson(source, index) for index in range(count)]


def lessons(folder: Path, count: int, sources: Sequence[str] = tuple(SOURCES)) -> list[Lesson]:
    """``count`` lessons of every source, from ``folder`` where they were made before."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [(source, count) for source in sources if not (folder / f"{source}-{count}.pickle").exists()]
    with ProcessPoolExecutor(2) as pool:
        for (source, _), made in zip(missing, pool.map(_make, missing), strict=True):
            (folder / f"{source}-{count}.pickle").write_bytes(pickle.dumps(made))
    return [one for source in sources for one in pickle.loads((folder / f"{source}-{count}.pickle").read_bytes())]
