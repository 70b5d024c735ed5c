from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.waveforms import chirp

from airbench_edge.audio.fixed_settings import check_settings
from airbench_edge.audio.speechlib import SETTINGS, speechlib_log_mel
from airbench_edge.errors import InputError

ANSWERS = json.loads((Path(__file__).parents[1] / "cases" / "phi4_multimodal_prompts.json").read_text("utf-8"))[
    "answers"
]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: f"{answer['samples']} samples")
def test_features_are_those_of_transformers(answer: dict[str, Any]) -> None:
    made = speechlib_log_mel(chirp(answer["samples"] / 16_000))
    assert made.dtype == np.float32
    assert list(made.shape) == answer["shape"]
    assert np.abs(made[::30, ::20] - np.array(answer["features"])).max() < 1e-4  # they are rounded to 4 places


@pytest.mark.parametrize(
    ("samples", "frames"),
    # None beyond the end: (samples - 400) // 160 + 1; what is shorter than a frame is filled up to one.
    [(1, 1), (400, 1), (559, 1), (560, 2), (16_000, 98), (480_000, 2998)],
)
def test_frames(samples: int, frames: int) -> None:
    assert speechlib_log_mel(np.zeros(samples, np.float32)).shape == (frames, 80)


def test_silence_is_zero_and_loudness_a_shift() -> None:
    # The floor is 1, whose logarithm is 0; twice the amplitude is four times the power: ln 4 = 1.386 more.
    assert not speechlib_log_mel(np.zeros(2000, np.float32)).any()
    sound = chirp(0.3)
    quiet, loud = speechlib_log_mel(0.25 * sound), speechlib_log_mel(0.5 * sound)
    above = quiet > 0
    assert above.mean() > 0.9
    assert np.allclose(loud[above] - quiet[above], np.log(4), atol=1e-4)


def test_a_tone_is_loudest_in_its_band() -> None:
    # 1 kHz is 1127 ln(1 + 1000 / 700) = 999.99 mel; 82 edges from 0 to 1127 ln(1 + 7690 / 700) = 2799.4 mel are 34.56
    # apart, so it lies between the centres of bands 27 (28 x 34.56 = 967.7) and 28 (1002.2), and nearer to 28.
    tone = np.sin(2 * np.pi * 1000 * np.arange(16_000) / 16_000).astype(np.float32)
    assert set(speechlib_log_mel(0.3 * tone).argmax(axis=1)) == {28}


def test_what_is_not_built_is_refused() -> None:
    check_settings(
        {"feature_extractor_type": "Phi4MMAudioFeatureExtractor", "dynamic_hd": 36, "hop_length": 160},
        SETTINGS,
        "Phi-4-multimodal",
    )
    with pytest.raises(InputError, match=r"preemphasis is 0\.9, and only 0\.97 is built here"):
        check_settings({"preemphasis": 0.9}, SETTINGS, "Phi-4-multimodal")
