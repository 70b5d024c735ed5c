"""Clips as audio files: the formats of the benchmark, small."""

from __future__ import annotations

import io

import numpy as np
import soundfile
import soxr

from synth.clip import SAMPLE_RATE, Wave

_PLAIN_WAV_S = 0.75
"""WAV clips up to this length hold plain 16-bit samples, longer ones 4-bit ADPCM, to keep the data set small."""


def encoded(wave: Wave, suffix: str, rate: int = SAMPLE_RATE) -> bytes:
    """``wave`` as the content of a mono file with ``suffix`` (``.wav``, ``.mp3`` or ``.flac``) at ``rate`` Hz."""
    out = io.BytesIO()
    wave = np.clip(soxr.resample(wave, SAMPLE_RATE, rate), -1.0, 1.0)
    if suffix == ".mp3":
        soundfile.write(out, wave, rate, format="MP3", bitrate_mode="VARIABLE", compression_level=0.9)
    elif suffix == ".flac":
        soundfile.write(out, wave, rate, format="FLAC", subtype="PCM_S8", compression_level=1.0)
    else:
        subtype = "PCM_16" if len(wave) < _PLAIN_WAV_S * rate else "IMA_ADPCM"
        soundfile.write(out, wave, rate, format="WAV", subtype=subtype)
    return out.getvalue()


def heard(wave: Wave, suffix: str, rate: int = SAMPLE_RATE) -> Wave:
    """``wave`` after a round trip through a file, back at 16 kHz, as a model would hear it."""
    samples, _ = soundfile.read(io.BytesIO(encoded(wave, suffix, rate)))
    return np.asarray(soxr.resample(samples, rate, SAMPLE_RATE), dtype=np.float64)
