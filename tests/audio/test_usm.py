from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.waveforms import chirp

from airbench_edge.audio.fixed_settings import check_settings
from airbench_edge.audio.usm import SETTINGS, usm_log_mel
from airbench_edge.errors import InputError

GOLDEN = Path(__file__).parents[1] / "cases" / "gemma3n" / "golden.npz"


@pytest.mark.parametrize("seconds", ["0.05", "0.31"])
def test_features_are_those_of_transformers(seconds: str) -> None:
    with np.load(GOLDEN) as goldens:
        wanted = goldens[seconds][0]
    made, _, _ = usm_log_mel(chirp(float(seconds), 300))
    assert made.shape == wanted.shape
    assert made.dtype == np.float32
    # The logarithm of what is near its floor of 1e-5 shows the last digits of a Fourier transform.
    assert np.abs(made - wanted).max() < 0.05
    assert np.median(np.abs(made - wanted)) < 1e-4
    assert np.ptp(wanted) > 5


@pytest.mark.parametrize(
    ("samples", "frames", "sounding"),
    # Filled up to a multiple of 128, at least 640; a frame needs 513: frames = (filled - 513) // 160 + 1.
    [
        (1, 1, 1),
        (512, 1, 1),
        (640, 1, 1),
        (641, 2, 2),  # 768: (768 - 513) // 160 + 1
        (16000, 97, 97),
        (480000, 2997, 2997),
        (480001, 2997, 2997),
    ],
)
def test_frames(samples: int, frames: int, sounding: int) -> None:
    made, mask, heard = usm_log_mel(np.zeros(samples, np.float32))
    assert made.shape == (frames, 128)
    assert mask.shape == (frames,)
    assert mask.sum() == sounding
    assert heard == min(samples, 480000)


def test_silence_is_the_logarithm_of_the_floor() -> None:
    made, _, _ = usm_log_mel(np.zeros(1000, np.float32))
    assert np.abs(made - np.log(1e-5)).max() < 1e-5


def test_a_tone_is_loudest_in_its_bin() -> None:
    # 128 triangles between 125 and 7600 Hz on the mel scale: 1000 Hz is mel 1000 (by definition), 125 Hz 185, 7600 Hz
    # 2787; so it lies at (1000 - 185) / (2787 - 185) * 129 = 40.4 steps, and the peak of bin n is n + 1 steps up.
    tone = np.sin(2 * np.pi * 1000 * np.arange(16000) / 16000).astype(np.float32)
    made, _, _ = usm_log_mel(tone)
    assert set(made.argmax(axis=1)) == {39}


def test_other_settings_show_both_sides() -> None:
    check_settings({}, SETTINGS, "Gemma 3n")
    check_settings({"feature_size": 128, "mel_floor": 1e-05, "image_mean": [0.5]}, SETTINGS, "Gemma 3n")
    with pytest.raises(InputError, match=r"preprocessor_config\.json: feature_size is 80, and only 128 is built here"):
        check_settings({"feature_size": 80}, SETTINGS, "Gemma 3n")
    with pytest.raises(InputError, match="per_bin_mean is"):
        check_settings({"per_bin_mean": [1.0]}, SETTINGS, "Gemma 3n")
