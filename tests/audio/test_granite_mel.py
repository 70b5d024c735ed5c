from __future__ import annotations

import numpy as np
import pytest
from helpers.waveforms import chirp

from airbench_edge.audio.fixed_settings import check_settings
from airbench_edge.audio.granite_mel import SETTINGS, paired_log_mel
from airbench_edge.errors import InputError


@pytest.mark.parametrize(
    ("samples", "pairs"),
    # samples // 160 + 1 frames, the odd one dropped; fewer than 257 samples are filled up to 257, which make 2 frames.
    [(1, 1), (257, 1), (319, 1), (320, 1), (480, 2), (16000, 50), (480000, 1500)],
)
def test_pairs_of_frames(samples: int, pairs: int) -> None:
    assert paired_log_mel(chirp(samples / 16000)).shape == (pairs, 160)


def test_a_tone_stands_in_its_band_of_both_frames() -> None:
    tone = np.sin(2 * np.pi * 1000 * np.arange(16000) / 16000).astype(np.float32)
    pair = paired_log_mel(tone)[25]
    # 2595 log10(1 + f / 700): 1 kHz is 1000.0 mel, 8 kHz 2840.0; 81 gaps of 35.06 mel: band 1000 / 35.06 - 1 = 27.5
    assert pair[:80].argmax() in (27, 28)
    assert pair[80:].argmax() == pair[:80].argmax()


def test_the_range_is_two_below_the_loudest() -> None:
    # x / 4 + 1 of eight orders of magnitude: 8 / 4 = 2
    features = paired_log_mel(np.concatenate([chirp(1), np.zeros(16000, np.float32)]))
    assert features.max() - features.min() == pytest.approx(2)
    assert (paired_log_mel(np.zeros(16000, np.float32)) == np.float32(-10 / 4 + 1)).all()


def test_other_settings_are_refused() -> None:
    check_settings(
        {"sampling_rate": 16000, "melspec_kwargs": {"n_fft": 512}, "projector_window_size": 9},
        SETTINGS,
        "Granite Speech",
    )
    with pytest.raises(InputError, match="hop_length is 80, and only 160 is built here"):
        check_settings({"melspec_kwargs": {"hop_length": 80}}, SETTINGS, "Granite Speech")
