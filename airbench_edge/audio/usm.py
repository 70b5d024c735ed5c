"""Waveform to the log-mel spectrogram of the Universal Speech Model, the front end of Gemma 3n.

Source: Y. Zhang et al., Google USM (2023), as realised by ``Gemma3nAudioFeatureExtractor`` of the library transformers:
frames of 32 ms every 10 ms, each emphasised by itself, magnitudes instead of powers, the natural logarithm, no
normalisation over the clip.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from airbench_edge.audio.filterbank import into_bands, peak_filters

RATE = 16_000
HOP = 160
BINS = 128

_FRAME = 512
_N_FFT = 1024  # twice the frame: "overdrive"
_EMPHASIS = np.float32(0.97)
_FLOOR = 1e-5
_LOW_HZ, _HIGH_HZ = 125.0, 7600.0
_MULTIPLE = 128  # samples
_SHORTEST = _FRAME + _MULTIPLE  # the first multiple that holds a frame and the sample after it
_LONGEST = 30 * RATE

SETTINGS: Mapping[str, object] = {
    "feature_size": BINS,
    "sampling_rate": RATE,
    "frame_length": _FRAME,
    "frame_length_ms": 32.0,
    "hop_length": HOP,
    "hop_length_ms": 10.0,
    "fft_length": _N_FFT,
    "fft_overdrive": True,
    "min_frequency": _LOW_HZ,
    "max_frequency": _HIGH_HZ,
    "preemphasis": 0.97,
    "preemphasis_htk_flavor": True,
    "mel_floor": _FLOOR,
    "input_scale_factor": 1.0,
    "dither": 0.0,
    "padding_value": 0.0,
    "per_bin_mean": None,
    "per_bin_stddev": None,
}
"""What a feature extractor may say: one of other settings is not built here."""


def usm_log_mel(
    waveform: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_], int]:
    """Compute the spectrogram of the first 30 seconds.

    Args:
        waveform: Mono at 16 kHz, [samples]; shorter than a frame, it is filled up to one.

    Returns:
        The spectrogram, [frames, 128]; which frames begin in the sound, [frames]; and how many samples were heard.
    """
    heard = min(len(waveform), _LONGEST)
    padded = np.zeros(max(_SHORTEST, -(-heard // _MULTIPLE) * _MULTIPLE), np.float32)
    padded[:heard] = waveform[:heard]
    views = np.lib.stride_tricks.sliding_window_view(padded, _FRAME + 1)[::HOP]
    emphasised = np.empty((len(views), _FRAME), np.float32)
    emphasised[:, 0] = views[:, 0] * (1 - _EMPHASIS)
    emphasised[:, 1:] = views[:, 1:-1] - _EMPHASIS * views[:, :-2]
    magnitudes = np.abs(np.fft.rfft(emphasised * _hann(), n=_N_FFT, axis=1))
    energies = into_bands(magnitudes, peak_filters(BINS, _N_FFT, RATE, _LOW_HZ, _HIGH_HZ))
    log_mel = np.log(np.maximum(energies, _FLOOR)).astype(np.float32)
    return log_mel, np.arange(len(views)) * HOP < heard, heard


@cache
def _hann() -> npt.NDArray[np.float32]:
    return (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_FRAME, dtype=np.float32) / _FRAME)).astype(np.float32)
