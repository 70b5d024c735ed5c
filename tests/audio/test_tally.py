"""What the samples say: unusable numbers, wrong scales, and clips that hold no sound."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.audio_recipes import Heard, heard, recipes

from airbench_edge.audio.tally import integer_scale

r = recipes
TONE = r.tone(440, 1, 16000)
OK = Heard(1.0, 440, 0.35)


def floats(samples: object) -> bytes:
    data: bytes = r.plain(samples, 16000, r.f32, r.FLOAT, 32)
    return data


def with_bad(count: int, value: float) -> bytes:
    samples = TONE.copy()
    samples[5000 : 5000 + count] = value
    return floats(samples)


def told(*kinds: str) -> Heard:
    return OK._replace(kinds=kinds)


CASES: dict[str, tuple[bytes, Heard | str]] = {
    "one NaN": (with_bad(1, np.nan), told("non_finite")),
    "1 % infinite": (with_bad(160, np.inf), told("non_finite")),
    "more than 1 % infinite": (with_bad(161, -np.inf), "non_finite"),
    "one absurd number": (with_bad(1, 1e30), told("non_finite")),
    "all NaN": (floats(TONE * np.nan), "non_finite"),
    "64-bit float beyond 32 bits": (
        r.plain(np.where(np.arange(16000) == 77, 1e300, TONE), 16000, r.f64, r.FLOAT, 64),
        told("non_finite"),
    ),
    "floats on a 16-bit scale": (floats(TONE * 2**15), told("over_range", "rescaled")),
    "floats on a 24-bit scale": (floats(TONE * 2**23), told("over_range", "rescaled")),
    "floats on a 32-bit scale": (floats(TONE * 2**31), told("over_range", "rescaled")),
    # amplitude 4: RMS 4 / sqrt(2) = 2.83; too loud, yet no integer scale
    "floats eight times too loud": (floats(TONE * 8), Heard(1.0, 440, 2.85, ("over_range",))),
    "floats too small for sound": (floats(TONE * 1e-40), Heard(1.0, 0, 0.0, ("silence",))),
    # a sine of amplitude 4 cut at 1: |sin| > 1/4 for 84 % of the time
    "clipped": (r.plain(np.clip(TONE * 8, -1, 1), 16000), Heard(1.0, 440, 0.95, ("clipped",))),
    "just at full scale": (r.plain(TONE * 2, 16000), Heard(1.0, 440, 0.7)),
    "channels in opposite phase": (r.plain(r.cols(TONE, -TONE), 16000), Heard(1.0, 0, 0.0, ("cancelled",))),
    "an offset below zero": (r.plain(np.full(16000, -0.3), 16000), Heard(1.0, 0, 0.3, ("constant",))),
}


@pytest.mark.parametrize("name", CASES)
def test_samples(name: str, tmp_path: Path) -> None:
    data, wanted = CASES[name]
    found = heard(tmp_path, data)
    if isinstance(found, Heard) and found.rms in (0.0, 0.3):  # no tone to look for
        found = found._replace(hz=0)
    assert found == wanted


@pytest.mark.parametrize("rate", [8000, 16000, 44100, 48000])
def test_single_sample(rate: int, tmp_path: Path) -> None:
    found = heard(tmp_path, r.plain(np.full(1, 0.5), rate))
    assert isinstance(found, Heard)
    assert found.kinds == ("short", "constant")


def test_scale_is_the_smallest_that_holds_the_samples() -> None:
    assert integer_scale(np.array([0, 100, -20000], dtype=np.float32)) == 2**15
    assert integer_scale(np.array([0, 100, -40000], dtype=np.float32)) == 2**23
    assert integer_scale(np.array([0, 0.5, -1.8], dtype=np.float32)) is None
    assert integer_scale(np.zeros(4, dtype=np.float32)) is None
