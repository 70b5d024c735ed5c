"""Waveforms by formula, the same wherever they are computed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def chirp(seconds: float, start_hz: float = 200.0, rate: int = 16000) -> npt.NDArray[np.float32]:
    """A tone that rises by 300 Hz a second, with two harmonics, 0.3 loud; rounded so that no platform differs."""
    time = np.arange(round(seconds * rate)) / rate
    phase = 2 * np.pi * (start_hz + 150 * time) * time
    tone = np.sin(phase) + 0.5 * np.sin(2 * phase) + 0.25 * np.sin(5 * phase)
    return (np.round(0.3 * tone * 32768 / 1.75) / 32768).astype(np.float32)
