"""The clips that the model learns from: generators of the small data set, but other seed, voices and sentences."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from transformers import WhisperFeatureExtractor

from nano.drawing import draw, wave_digest
from synth.catalogue import SOURCES
from synth.clip import LONGEST_S, SAMPLE_RATE, Clip

MEL_BINS = 128
WINDOW_S = int(LONGEST_S)


@dataclass(frozen=True)
class Lesson:
    """A clip as the model hears it.

    Attributes:
        source: Kind of clip, a key of ``SOURCES``.
        clip: Its truth; the samples are dropped.
        mel: Log-mel of the part that is not padding, [mel bins, frames + a few] float16.
        frames: Mel frames of the clip.
        digest: Fingerprint of the sound, see ``wave_digest``.
    """

    source: str
    clip: Clip
    mel: npt.NDArray[np.float16]
    frames: int
    digest: str


@cache
def extractor() -> WhisperFeatureExtractor:
    """The feature extractor of the model, which is saved with it."""
    return WhisperFeatureExtractor(feature_size=MEL_BINS, chunk_length=WINDOW_S)


def lesson(source: str, index: int) -> Lesson:
    """Make one lesson."""
    clip, wave = draw(source, index)
    wave = wave[: WINDOW_S * SAMPLE_RATE]
    mel = extractor()(wave, sampling_rate=SAMPLE_RATE, return_tensors="np")["input_features"][0]
    frames = -(-len(wave) // 160)
    kept = mel[:, : frames + 3].astype(np.float16)
    return Lesson(source, replace(clip, wave=np.empty(0)), kept, frames, wave_digest(clip))


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
