"""Which clips the small model is trained on, and fingerprints by which they are told from those it is measured on."""

from __future__ import annotations

import hashlib
from zlib import crc32

import numpy as np

from synth.catalogue import SOURCES
from synth.clip import Clip, Wave, pick
from synth.files import heard
from synth.voices import LESSONS

SEED = 18_771_206
_FORMATS = ((".wav", 16_000), (".wav", 16_000), (".mp3", 16_000), (".flac", 16_000), (".wav", 8_000))


def draw(source: str, index: int) -> tuple[Clip, Wave]:
    """Clip number ``index`` of ``source``, and how it sounds after a round trip through some file format."""
    rng = np.random.default_rng([SEED, crc32(source.encode()), index])
    clip = SOURCES[source](rng, LESSONS)
    return clip, heard(clip.wave, *pick(rng, _FORMATS))


def wave_digest(clip: Clip) -> str:
    """Fingerprint of a sound as synthesised: 16 hex digits of the SHA-256 of its samples in 16 bits."""
    return _digest(np.round(clip.wave * 32767).astype("<i2").tobytes())


def recipe_digest(clip: Clip) -> str:
    """Fingerprint of all that was drawn for a clip."""
    return _digest(clip.recipe.encode())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
