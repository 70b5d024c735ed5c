"""Triangular mel filters on Slaney's scale and on O'Shaughnessy's, and the product that applies filters.

Sources: M. Slaney, Auditory Toolbox, Technical Report 1998-010, Interval Research (1998): the mel scale is linear,
200/3 Hz a mel, up to 1 kHz and logarithmic above, 27 mel for a factor of 6.4; every triangle has the area 1.
D. O'Shaughnessy, Speech Communication: Human and Machine (1987): 2595 log10(1 + f / 700) mel.
"""

from __future__ import annotations

from functools import cache
from math import log

import numpy as np
import numpy.typing as npt

_BREAK_HZ = 1000.0
_HZ_A_MEL = 200.0 / 3.0
_BREAK_MEL = _BREAK_HZ / _HZ_A_MEL
_LOG_STEP = log(6.4) / 27.0

_ALONE = 2**19  # multiplications


def mel_to_hz(mel: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Frequencies in Hz of points on Slaney's mel scale, same shape."""
    return np.where(mel < _BREAK_MEL, mel * _HZ_A_MEL, _BREAK_HZ * np.exp(_LOG_STEP * (mel - _BREAK_MEL)))


def hz_to_mel(hz: float) -> float:
    """Place of a frequency on Slaney's mel scale."""
    return hz / _HZ_A_MEL if hz < _BREAK_HZ else _BREAK_MEL + log(hz / _BREAK_HZ) / _LOG_STEP


@cache
def mel_filters(bins: int, n_fft: int, sampling_rate: int, top_hz: float = 8000.0) -> npt.NDArray[np.float64]:
    """Weights that turn a power spectrum into mel energies, shape [n_fft // 2 + 1, bins].

    ``top_hz`` is 8 kHz for every Whisper front end, whatever its sampling rate.
    """
    edges = mel_to_hz(np.linspace(0.0, hz_to_mel(top_hz), bins + 2))
    spectrum = np.linspace(0.0, sampling_rate / 2, n_fft // 2 + 1)[:, None]
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    rising = (spectrum - left) / (centre - left)
    falling = (right - spectrum) / (right - centre)
    weights: npt.NDArray[np.float64] = np.maximum(0.0, np.minimum(rising, falling)) * 2.0 / (right - left)
    weights.setflags(write=False)
    return weights


@cache
def peak_filters(bins: int, n_fft: int, sampling_rate: int, low_hz: float, high_hz: float) -> npt.NDArray[np.float64]:
    """Triangles of peak 1 on O'Shaughnessy's scale, as the Hidden Markov Toolkit has them, [n_fft // 2 + 1, bins]."""
    low, high = (2595.0 * np.log10(1.0 + hz / 700.0) for hz in (low_hz, high_hz))
    edges = 700.0 * (10.0 ** (np.linspace(low, high, bins + 2) / 2595.0) - 1.0)
    spectrum = np.arange(n_fft // 2 + 1)[:, None] * (sampling_rate / n_fft)
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (spectrum - left) / (centre - left), (right - spectrum) / (right - centre)
    weights: npt.NDArray[np.float64] = np.maximum(0.0, np.minimum(rising, falling))
    weights.setflags(write=False)
    return weights


def into_bands(spectra: npt.NDArray[np.float64], filters: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What each filter lets through of each frame: ``spectra @ filters``, shape [frames, bands].

    In pieces so small that BLAS multiplies them in one thread. The threads of OpenBLAS wait spinning after a product,
    for ten times as long as it took, in the way of those that run the graphs.

    Args:
        spectra: Power or magnitude, [frames, frequencies].
        filters: Weights, [frequencies, bands].
    """
    bands = np.empty((len(spectra), filters.shape[1]))
    frames = max(1, _ALONE // filters.size)
    for start in range(0, len(spectra), frames):
        np.matmul(spectra[start : start + frames], filters, out=bands[start : start + frames])
    return bands
