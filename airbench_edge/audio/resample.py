"""Change of sample rate, block by block, so that a long clip never lies in memory at its stored rate."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import soxr

Waveform: TypeAlias = npt.NDArray[np.float32]

_QUALITY = "HQ"  # band-limited to 20 bits: what would alias is gone


class Resampler:
    """Streaming converter of one mono signal from a rate to another, both in Hz."""

    def __init__(self, stored_rate: int, wanted_rate: int) -> None:
        self._same = stored_rate == wanted_rate
        self._stream = None if self._same else soxr.ResampleStream(stored_rate, wanted_rate, 1, "float32", _QUALITY)
        self._latest = np.float32(0.0)
        self._made = 0

    def push(self, block: Waveform) -> Waveform:
        """Take some samples, give those that are ready."""
        if self._stream is None:
            return block
        self._latest = block[-1] if len(block) else self._latest
        return self._give(self._stream.resample_chunk(block))

    def finish(self) -> Waveform:
        """Give the rest; at least one sample comes out of a signal, however short it is."""
        if self._stream is None:
            return np.empty(0, dtype=np.float32)
        rest = self._give(self._stream.resample_chunk(np.empty(0, dtype=np.float32), last=True))
        return rest if self._made else np.array([self._latest], dtype=np.float32)

    def _give(self, made: Waveform) -> Waveform:
        self._made += len(made)
        return made
