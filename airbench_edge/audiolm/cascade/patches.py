"""Waveform to the log-mel patches that YAMNet looks at.

Source: ``features.py`` and ``params.py`` of YAMNet in tensorflow/models, research/audioset/yamnet, and the filters of
``tf.signal.linear_to_mel_weight_matrix``: triangles in mel (HTK's formula, 1127 ln(1 + f / 700)), not in Hz.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from airbench_edge.audio import Waveform
from airbench_edge.audio.filterbank import into_bands

SAMPLE_RATE = 16000
BANDS, FRAMES = 64, 96  # of a patch; 96 frames are 0.96 s

_WINDOW, _HOP, _FFT = 400, 160, 512  # samples
_PATCH_HOP = 48  # frames
_LOWEST_HZ, _HIGHEST_HZ = 125.0, 7500.0
_OFFSET = 0.001

Patches = npt.NDArray[np.float32]


def log_mel_patches(waveform: Waveform) -> Patches:
    """Patches that overlap by half, [patches, frames, bands]; silence fills up the last one.

    Args:
        waveform: Mono at ``SAMPLE_RATE``, [samples].
    """
    shortest = (FRAMES - 1) * _HOP + _WINDOW
    hop = _PATCH_HOP * _HOP
    further = -(-max(0, len(waveform) - shortest) // hop)
    padded = np.zeros(shortest + further * hop)
    padded[: len(waveform)] = waveform
    hann = np.hanning(_WINDOW + 1)[:-1]  # periodic
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::_HOP] * hann
    magnitude = np.abs(np.fft.rfft(frames, _FFT))
    log_mel = np.log(into_bands(magnitude, _filters()) + _OFFSET).astype(np.float32)
    views = np.lib.stride_tricks.sliding_window_view(log_mel, FRAMES, axis=0)[::_PATCH_HOP]
    return np.ascontiguousarray(views.transpose(0, 2, 1))


@cache
def _filters() -> npt.NDArray[np.float64]:
    """Weights [frequencies, bands]; the constant part of the spectrum has none."""
    edges = np.linspace(_mel(_LOWEST_HZ), _mel(_HIGHEST_HZ), BANDS + 2)
    spectrum = _mel(np.linspace(0.0, SAMPLE_RATE / 2, _FFT // 2 + 1))[:, None]
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    triangles = np.minimum((spectrum - left) / (centre - left), (right - spectrum) / (right - centre))
    weights: npt.NDArray[np.float64] = np.maximum(0.0, triangles)
    weights[0] = 0.0
    return weights


def _mel(hz: npt.NDArray[np.float64] | float) -> npt.NDArray[np.float64]:
    return np.asarray(1127.0 * np.log1p(np.asarray(hz) / 700.0))
