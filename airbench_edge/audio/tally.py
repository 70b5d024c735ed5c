"""What the samples themselves say: unusable numbers are taken out, and oddities are told."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.resample import Waveform

_WINDOW_S = 0.025  # an analysis window of the log-mel front end
_SILENT = 2.0**-15  # one step of a 16-bit sample
_TOP = 127 / 128  # full scale of the coarsest format, 8 bit
_CLIPPED_SHARE = 0.2  # a sine that just reaches full scale spends 0.08 of its time there, one clipped at a third 0.5
_ABSURD = 2.0**32  # beyond any scale at which samples are written
_BAD_SHARE = 0.01
_CANCELLED = 1e-3  # mono power left of the channels' power; independent channels leave one half
_INTEGER_MEDIAN = 16.0  # a float clip whose typical sample is this large was written on an integer scale
_INTEGER_PEAKS = (2.0**15, 2.0**23, 2.0**31)


class Tally:
    """Statistics over the stored samples of one clip."""

    def __init__(self) -> None:
        self.frames = 0
        self._samples = 0
        self._bad = 0
        self._clipped = 0
        self._peak = 0.0
        self._power = 0.0
        self._mono_power = 0.0
        self._low, self._high = np.inf, -np.inf

    def mono(self, block: npt.NDArray[np.float32]) -> Waveform:
        """Mean over the channels of a block [frames, channels], with samples that are no sound set to 0."""
        peak = float(np.abs(block).max())
        if not peak <= _ABSURD:
            good = np.abs(block) <= _ABSURD
            self._bad += block.size - int(np.count_nonzero(good))
            block = np.where(good, block, np.float32(0.0))
            peak = float(np.abs(block).max())
        mixed: Waveform = block[:, 0] if block.shape[1] == 1 else block.mean(axis=1, dtype=np.float32)
        self._count(block, mixed, peak)
        return mixed

    def _count(self, block: npt.NDArray[np.float32], mixed: Waveform, peak: float) -> None:
        self.frames += len(block)
        self._samples += block.size
        self._peak = max(self._peak, peak)
        if peak >= _TOP:
            self._clipped += int(np.count_nonzero(np.abs(block) >= _TOP))
        self._mono_power += float(np.square(mixed, dtype=np.float64).sum())
        if block.shape[1] == 1:
            self._power = self._mono_power
        else:
            self._power += float(np.square(block, dtype=np.float64).sum()) / block.shape[1]
        self._low, self._high = min(self._low, float(mixed.min())), max(self._high, float(mixed.max()))

    def warnings(self, sample_rate: int, is_float: bool) -> list[str]:
        """Every oddity of the whole clip.

        Raises:
            AudioError: So many samples are no numbers that what is left is not the sound.
        """
        if self._bad > _BAD_SHARE * self._samples:
            raise AudioError(
                Fault.NON_FINITE, f"{self._bad} of {self._samples} samples are NaN, infinite or absurdly large."
            )
        return [
            fault.says(sentence)
            for fault, applies, sentence in (
                (Fault.NON_FINITE, self._bad > 0, f"samples set to 0 because they were no usable number: {self._bad}."),
                (Fault.SHORT, self.frames < _WINDOW_S * sample_rate, "the clip is shorter than one analysis window."),
                (Fault.SILENCE, self._peak <= _SILENT, "nothing is louder than one step of a 16-bit sample."),
                (Fault.CANCELLED, self._cancels, "the channels cancel each other; their mean is almost silent."),
                (Fault.CONSTANT, self._constant, f"every sample is {self._high:.3g}: an offset, no sound."),
                (Fault.OVER_RANGE, is_float and self._peak > 1.0, f"samples reach {self._peak:.3g}, full scale is 1."),
                (
                    Fault.CLIPPED,
                    self._flat_topped,
                    f"{self._clipped / self._samples:.0%} of the samples are at full scale.",
                ),
            )
            if applies
        ]

    @property
    def _cancels(self) -> bool:
        return self._peak > _SILENT and self._mono_power < _CANCELLED * self._power

    @property
    def _constant(self) -> bool:
        return self._high - self._low <= _SILENT < abs(self._high) and not self._cancels

    @property
    def _flat_topped(self) -> bool:
        return self._peak <= 1.0 and self._clipped > _CLIPPED_SHARE * self._samples and not self._constant


def integer_scale(waveform: Waveform) -> float | None:
    """Full scale of a float clip that was written on an integer scale: 2^15, 2^23 or 2^31; None for an ordinary one."""
    sounding = np.abs(waveform[waveform != 0])
    if not len(sounding) or np.median(sounding) < _INTEGER_MEDIAN:
        return None
    return next((full for full in _INTEGER_PEAKS if sounding.max() <= full), _INTEGER_PEAKS[-1])
