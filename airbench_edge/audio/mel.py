"""Waveform to the log-mel spectrogram that Whisper-like audio encoders expect.

Source: A. Radford et al., Robust Speech Recognition via Large-Scale Weak Supervision (2022), section 2.2, as realised
by ``WhisperFeatureExtractor`` of the library transformers, whose configuration files are read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from airbench_edge.audio.filterbank import into_bands, mel_filters
from airbench_edge.audio.fixed_settings import check_settings
from airbench_edge.errors import InputError

SETTINGS: dict[str, object] = {"feature_extractor_type": "WhisperFeatureExtractor", "padding_side": "right"}
"""What of a ``preprocessor_config.json`` is built in one way only."""

_RANGES = {
    "feature_size": ("bins", 1, 512),
    "sampling_rate": ("sampling_rate", 1000, 200_000),
    "hop_length": ("hop_length", 1, 16384),
    "n_fft": ("n_fft", 16, 16384),
    "chunk_length": ("chunk_s", 1, 3600),
}
"""Setting to field, least and largest value; beyond, nothing is meant, and it would be computed without end."""

_FLOOR = 1e-10
_RANGE = 8.0  # orders of magnitude kept below the loudest value
_BATCH = 128  # frames: what stays in the cache between the steps


@dataclass(frozen=True)
class MelSettings:
    """Front end of one audio encoder; the defaults are those of ``WhisperFeatureExtractor``.

    Attributes:
        bins: Mel bins, 80 or 128 in known models.
        sampling_rate: In Hz.
        hop_length: Samples from one frame to the next.
        n_fft: Samples in a frame.
        chunk_s: Seconds of the model's window.
        padding_value: What fills the window after the sound.
    """

    bins: int = 80
    sampling_rate: int = 16000
    hop_length: int = 160
    n_fft: int = 400
    chunk_s: int = 30
    padding_value: float = 0.0

    @classmethod
    def from_config(cls, config: Mapping[str, object]) -> MelSettings:
        """Read the content of a ``preprocessor_config.json``; what is absent keeps its default.

        Raises:
            InputError: A value is no sensible whole number, or asks for something that cannot be reproduced here.
        """
        check_settings(config, SETTINGS, "WhisperFeatureExtractor")
        found: dict[str, int] = {}
        for key, (field, least, largest) in _RANGES.items():
            value = config.get(key, getattr(cls, field))
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= largest:
                raise InputError(
                    f"preprocessor_config.json: {key} must be a whole number from {least} to {largest}, not {value!r}."
                )
            found[field] = value
        if config.get("dither") or config.get("do_normalize"):
            raise InputError(
                "preprocessor_config.json: dither and do_normalize are not supported; export the model without."
            )
        padding = config.get("padding_value", 0.0)
        if not isinstance(padding, int | float):
            raise InputError(f"preprocessor_config.json: padding_value must be a number, not {padding!r}.")
        return cls(**found, padding_value=float(padding))

    @property
    def samples(self) -> int:
        """Samples in the model's window."""
        return self.chunk_s * self.sampling_rate

    def frames(self, samples: int) -> int:
        """Frames that hold sound when the waveform has so many samples: what an attention mask counts."""
        return ceil(samples / self.hop_length)


def log_mel(
    waveform: npt.NDArray[np.float32], settings: MelSettings, samples: int | None = None
) -> npt.NDArray[np.float32]:
    """Compute the log-mel spectrogram, shape [bins, samples // hop_length].

    log10 of the mel energies (at least 1e-10), cut off 8 below the largest value of the window, then (x + 4) / 4.

    Args:
        waveform: Mono at the settings' sampling rate, shape [samples].
        settings: The encoder's front end.
        samples: Length to which the waveform is padded or cut; the model's whole window if None.
    """
    length = settings.samples if samples is None else samples
    frames = length // settings.hop_length
    heard = _sounding_frames(len(waveform), frames, settings)
    power = _power(_window(waveform, length, settings), heard, settings)
    loud = into_bands(power, mel_filters(settings.bins, settings.n_fft, settings.sampling_rate))
    np.log10(np.maximum(loud, _FLOOR, out=loud), out=loud)
    loudest = max(loud.max(initial=-np.inf), np.log10(_FLOOR) if heard < frames else -np.inf)
    log_spec = np.full((settings.bins, frames), np.log10(_FLOOR), dtype=np.float32)
    log_spec[:, :heard] = loud.T
    np.maximum(log_spec, np.float32(loudest - _RANGE), out=log_spec)
    log_spec += 4.0
    log_spec /= 4.0
    return log_spec


def _sounding_frames(samples: int, frames: int, settings: MelSettings) -> int:
    """Frames that overlap the sound; the spectrum of the others is known without computing it."""
    if settings.padding_value:
        return frames
    return min(frames, ceil((samples + settings.n_fft // 2) / settings.hop_length))


def _window(waveform: npt.NDArray[np.float32], length: int, settings: MelSettings) -> npt.NDArray[np.float64]:
    """The sound in its window, with half a frame mirrored at both ends so that frames are centred on their hop."""
    window = np.full(length, settings.padding_value, dtype=np.float64)
    window[: len(waveform)] = waveform[:length]
    return np.pad(window, settings.n_fft // 2, mode="reflect")


def _power(window: npt.NDArray[np.float64], frames: int, settings: MelSettings) -> npt.NDArray[np.float64]:
    """Power spectrum under a periodic Hann window, shape [frames, n_fft // 2 + 1]."""
    hann = np.hanning(settings.n_fft + 1)[:-1]
    views = np.lib.stride_tricks.sliding_window_view(window, settings.n_fft)[:: settings.hop_length][:frames]
    power = np.empty((frames, settings.n_fft // 2 + 1))
    for start in range(0, frames, _BATCH):
        spectrum = np.fft.rfft(views[start : start + _BATCH] * hann, axis=1)
        np.add(spectrum.real**2, spectrum.imag**2, out=power[start : start + _BATCH])
    return power
