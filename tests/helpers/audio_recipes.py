"""The recipes of ``cases/audio/make_audio.py``, and a short way to say what the reader made of a file."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from airbench_edge.audio import AudioError, Waveform, read_clip


def _load() -> Any:  # noqa: ANN401
    path = Path(__file__).parent.parent / "cases" / "audio" / "make_audio.py"
    spec = importlib.util.spec_from_file_location("make_audio", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_audio"] = module
    spec.loader.exec_module(module)
    return module


recipes = _load()


class Heard(NamedTuple):
    """A clip at 16 kHz: seconds to 0.01, strongest frequency to 1 Hz, RMS to 0.05, and the kinds of its warnings."""

    seconds: float
    hz: int
    rms: float
    kinds: tuple[str, ...] = ()


def heard(folder: Path, data: bytes) -> Heard | str:
    """Write the bytes to a file, read it; the kind of fault if it is refused."""
    path = folder / "clip.bin"
    path.write_bytes(data)
    try:
        clip = read_clip(path, 16000)
    except AudioError as error:
        return str(error.kind)
    assert clip.waveform.dtype == np.float32
    assert np.isfinite(clip.waveform).all()
    assert abs(len(clip.waveform) / 16000 - clip.duration_s) < 0.001
    kinds = tuple(warning.split(":")[0] for warning in clip.warnings)
    hz = round(strongest_hz(clip.waveform, 16000))
    return Heard(round(clip.duration_s, 2), hz, round(rms(clip.waveform) * 20) / 20, kinds)


def strongest_hz(waveform: Waveform, sample_rate: int) -> float:
    """Frequency of the largest value of the spectrum, in Hz; the mean is taken out first."""
    spectrum = np.abs(np.fft.rfft(waveform - waveform.mean()))
    return float(spectrum.argmax() * sample_rate / len(waveform))


def rms(waveform: Waveform) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(np.square(waveform, dtype=np.float64))))
