"""Waveform to the log-mel spectrogram of SpeechLib, the front end of Phi-4-multimodal.

Source: the Phi-4-Mini technical report (Microsoft 2025), as realised by ``Phi4MultimodalFeatureExtractor`` of the
library transformers: frames of 25 ms every 10 ms, none beyond the end, each emphasised by itself, samples that count
to 32,768, the natural logarithm, no normalisation over the clip.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from airbench_edge.audio.filterbank import into_bands

RATE = 16_000
HOP = 160
BINS = 80

_FRAME = 400
_N_FFT = 512
_EMPHASIS = np.float32(0.97)
_SCALE = np.float32(32_768)
_FLOOR = 1.0
_HIGH_HZ = 7690.0
_BATCH = 1024  # frames

SETTINGS: Mapping[str, object] = {
    "feature_size": BINS,
    "sampling_rate": RATE,
    "hop_length": HOP,
    "n_fft": _N_FFT,
    "win_length": _FRAME,
    "preemphasis": 0.97,
    "audio_compression_rate": 8,
    "audio_downsample_rate": 1,
    "audio_feat_stride": 1,
    "mel_min_frequency": 0,
    "mel_max_frequency": 7690,
}
"""What a feature extractor may say: one of other settings is not built here."""


def speechlib_log_mel(waveform: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Compute the spectrogram, [frames, 80].

    Args:
        waveform: Mono at 16 kHz, [samples]; shorter than a frame, it is filled up to one.
    """
    padded = np.pad(waveform, (0, max(0, _FRAME - len(waveform))))
    views = np.lib.stride_tricks.sliding_window_view(padded, _FRAME)[::HOP]
    blocks = [_log_mel(views[start : start + _BATCH]) for start in range(0, len(views), _BATCH)]
    return np.concatenate(blocks)


def _log_mel(frames: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Of frames, [frames, samples]; the sample before a frame is taken to be its first one."""
    before = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    emphasised = (frames - _EMPHASIS * before) * _SCALE
    power = np.abs(np.fft.rfft(emphasised * np.hamming(_FRAME), n=_N_FFT, axis=1)) ** 2
    log_mel: npt.NDArray[np.float32] = np.log(np.maximum(into_bands(power, _filters()), _FLOOR)).astype(np.float32)
    return log_mel


@cache
def _filters() -> npt.NDArray[np.float64]:
    """Triangles on the mel scale of Kaldi, straight in mel rather than in Hz, peak 1, [257, 80]."""
    edges = np.linspace(0.0, _mel(_HIGH_HZ), BINS + 2)
    mel = _mel(np.arange(_N_FFT // 2 + 1) * (RATE / _N_FFT))[:, None]
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    filters: npt.NDArray[np.float64] = np.maximum(
        0.0, np.minimum((mel - left) / (centre - left), (right - mel) / (right - centre))
    )
    return filters


def _mel(hz: npt.ArrayLike) -> npt.NDArray[np.float64]:
    mel: npt.NDArray[np.float64] = 1127.0 * np.log1p(np.asarray(hz) / 700.0)
    return mel
