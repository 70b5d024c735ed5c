from __future__ import annotations

import numpy as np
import pytest

from airbench_edge.audio.resample import Resampler, Waveform


def converted(waveform: Waveform, stored: int, wanted: int, step: int) -> Waveform:
    resampler = Resampler(stored, wanted)
    made = [resampler.push(waveform[at : at + step]) for at in range(0, len(waveform), step)]
    return np.concatenate([*made, resampler.finish()])


def sine(hz: float, rate: int, seconds: float = 1.0) -> Waveform:
    return (0.5 * np.sin(2 * np.pi * hz * np.arange(round(rate * seconds)) / rate)).astype(np.float32)


@pytest.mark.parametrize("stored", [8000, 11025, 22050, 44100, 48000, 96000])
def test_a_sine_stays_the_sine(stored: int) -> None:
    found = converted(sine(440, stored), stored, 16000, 10_000)
    assert len(found) == 16000
    # the first and last few milliseconds hold the filter's edge
    assert np.abs(found - sine(440, 16000))[500:-500].max() < 1e-4


def test_what_cannot_be_kept_is_gone() -> None:
    found = converted(sine(15000, 44100), 44100, 16000, 10_000)
    assert np.abs(found[500:-500]).max() < 1e-4


def test_size_of_the_steps_does_not_matter() -> None:
    whole = converted(sine(440, 44100), 44100, 16000, 100_000)
    assert np.abs(converted(sine(440, 44100), 44100, 16000, 777) - whole).max() < 1e-6


def test_equal_rates_change_nothing() -> None:
    waveform = sine(440, 16000)
    assert np.array_equal(converted(waveform, 16000, 16000, 999), waveform)


@pytest.mark.parametrize("samples", [1, 2, 3])
def test_something_comes_out_of_the_shortest_signal(samples: int) -> None:
    found = converted(np.full(samples, 0.25, dtype=np.float32), 96000, 16000, 10)
    assert len(found) >= 1
    assert np.isfinite(found).all()
