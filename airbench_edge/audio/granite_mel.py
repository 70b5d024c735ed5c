"""Waveform to the log-mel spectrogram that Granite Speech hears: pairs of frames side by side, for the whole clip.

Source: ``GraniteSpeechFeatureExtractor`` of the library transformers, which takes ``MelSpectrogram`` of torchaudio with
its defaults and scales it as Whisper does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from airbench_edge.audio.filterbank import into_bands, peak_filters

RATE = 16_000
WIDTH = 160  # two frames of 80 bins

_HOP = 160
_WINDOW = 400
_N_FFT = 512
_BINS = 80
_FLOOR = 1e-10
_BATCH = 128  # frames: what stays in the cache between the steps
_RANGE = 8.0  # orders of magnitude kept below the loudest value
_SHORTEST = _N_FFT // 2 + 1  # samples; torchaudio refuses less, as half a frame is mirrored at both ends

SETTINGS: Mapping[str, object] = {
    "sample_rate": RATE,
    "sampling_rate": RATE,
    "n_fft": _N_FFT,
    "win_length": _WINDOW,
    "hop_length": _HOP,
    "n_mels": _BINS,
}
"""What a feature extractor may say: one of other settings is not built here."""


def paired_log_mel(waveform: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Compute the spectrogram, [frames / 2, 160]: log10 of the energies, cut off 8 below the largest, then x / 4 + 1.

    Args:
        waveform: Mono at 16 kHz, [samples]; one too short to be mirrored is filled up with silence.
    """
    heard = np.zeros(max(_SHORTEST, len(waveform)))
    heard[: len(waveform)] = waveform
    padded = np.pad(heard, _N_FFT // 2, mode="reflect")
    views = np.lib.stride_tricks.sliding_window_view(padded, _N_FFT)[::_HOP]
    power = np.empty((len(views), _N_FFT // 2 + 1))
    for start in range(0, len(views), _BATCH):
        spectrum = np.fft.rfft(views[start : start + _BATCH] * _hann(), axis=1)
        np.add(spectrum.real**2, spectrum.imag**2, out=power[start : start + _BATCH])
    loud = np.log10(np.maximum(into_bands(power, peak_filters(_BINS, _N_FFT, RATE, 0.0, RATE / 2)), _FLOOR))
    scaled = np.maximum(loud, loud.max() - _RANGE) / 4.0 + 1.0
    even = scaled[: len(scaled) // 2 * 2]  # an odd last frame is dropped, after its loudness has counted
    pairs: npt.NDArray[np.float32] = even.reshape(-1, WIDTH).astype(np.float32)
    return pairs


@cache
def _hann() -> npt.NDArray[np.float64]:
    """A periodic window of 400 samples in the middle of the frame."""
    aside = (_N_FFT - _WINDOW) // 2
    return np.pad(np.hanning(_WINDOW + 1)[:-1], aside)
