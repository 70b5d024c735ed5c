"""What the reader would hand to a model, file by file."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from airbench_edge.audio.faults import AudioError
from airbench_edge.audio.reader import read_clip

_RATE = 16000


class ProbeLine(msgspec.Struct, frozen=True):
    """One file; what a refused file lacks is None.

    Attributes:
        path: As given.
        sample_rate: As stored, in Hz.
        channels: As stored.
        duration_s: Seconds of sound in the file.
        heard_s: Seconds of the waveform at 16 kHz.
        rms: Root mean square of that waveform.
        warnings: As in ``Clip``.
        error_kind: Kind of fault if the file is refused.
        message: Why it is refused.
    """

    path: str
    sample_rate: int | None = None
    channels: int | None = None
    duration_s: float | None = None
    heard_s: float | None = None
    rms: float | None = None
    warnings: tuple[str, ...] = ()
    error_kind: str | None = None
    message: str | None = None


def probe(path: Path) -> ProbeLine:
    """Read a file as for a model at 16 kHz and describe the outcome; never raises for what is in the file."""
    shown = str(path).encode("utf-8", "backslashreplace").decode()  # a name may hold bytes that are no text
    try:
        clip = read_clip(path, _RATE)
    except AudioError as error:
        return ProbeLine(shown, error_kind=error.kind.value, message=error.message)
    rms = float(np.sqrt(np.mean(np.square(clip.waveform, dtype=np.float64))))
    return ProbeLine(
        shown,
        clip.sample_rate,
        clip.channels,
        clip.duration_s,
        len(clip.waveform) / _RATE,
        rms,
        clip.warnings,
    )
