"""The log-mel front end against values that transformers 4.57.6 computed once.

``cases/audio/log_mel.npz`` holds the output of ``WhisperFeatureExtractor(chunk_length=1)``, its numpy path, for the
first samples of ``chirp``: one shorter than the window, one that fills it, one that is cut to it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.waveforms import chirp

from airbench_edge.audio import MelSettings, log_mel
from airbench_edge.errors import InputError

GOLDEN = Path(__file__).parent.parent / "cases" / "audio" / "log_mel.npz"


@pytest.mark.parametrize(("bins", "samples"), [(80, 9000), (128, 16000), (80, 20000)])
def test_equal_to_transformers(bins: int, samples: int) -> None:
    with np.load(GOLDEN) as golden:
        wanted = golden[f"bins{bins}_samples{samples}"]
    found = log_mel(chirp(samples / 16000), MelSettings(bins=bins, chunk_s=1))
    assert found.shape == (bins, 100)
    assert found.dtype == np.float32
    assert np.abs(found - wanted).max() <= 2e-6


def test_frames_without_sound_are_what_they_would_be_if_computed() -> None:
    waveform = chirp(0.33)
    padded = np.zeros(16000, dtype=np.float32)
    padded[: len(waveform)] = waveform
    settings = MelSettings(chunk_s=1)
    assert np.array_equal(log_mel(waveform, settings), log_mel(padded, settings))


def test_silence() -> None:
    # log10(1e-10) = -10 everywhere; (-10 + 4) / 4 = -1.5
    assert np.array_equal(
        log_mel(np.zeros(100, dtype=np.float32), MelSettings(bins=128)), np.full((128, 3000), -1.5, "f4")
    )


def test_range_is_eight_orders_below_the_loudest() -> None:
    found = log_mel(chirp(0.5), MelSettings(chunk_s=1))
    assert found.max() - found.min() == pytest.approx(2.0, abs=1e-6)  # 8 / 4


def test_window_of_the_clip_itself() -> None:
    waveform = chirp(1.0)[:15999]
    assert log_mel(waveform, MelSettings(), samples=len(waveform)).shape == (80, 99)


@pytest.mark.parametrize(("samples", "frames"), [(1, 1), (160, 1), (161, 2), (480000, 3000)])
def test_frames_that_hold_sound(samples: int, frames: int) -> None:
    assert MelSettings().frames(samples) == frames


def test_settings_from_a_configuration_file() -> None:
    config = {"feature_size": 128, "chunk_length": 8, "padding_value": 0.0, "dither": 0.0, "nb_max_frames": 800}
    assert MelSettings.from_config(config) == MelSettings(bins=128, chunk_s=8)
    assert MelSettings.from_config(config).samples == 128000


@pytest.mark.parametrize(
    "config",
    [
        {"feature_size": 0},
        {"hop_length": "160"},
        {"n_fft": True},
        {"n_fft": 1},
        {"n_fft": 10**9},
        {"chunk_length": 10**9},
        {"dither": 1e-5},
        {"padding_value": None},
        {"padding_side": "left"},
        {"feature_extractor_type": "SeamlessM4TFeatureExtractor"},
    ],
    ids=str,
)
def test_unusable_settings(config: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(config))):
        MelSettings.from_config(config)
