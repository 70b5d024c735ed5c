"""A clip from a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from airbench_edge.audio.containers import take_apart
from airbench_edge.audio.decode import decode
from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.resample import Waveform

_LARGEST = 1 << 30  # bytes of a file


@dataclass(frozen=True, eq=False)
class Clip:
    """A clip as the model hears it.

    Attributes:
        waveform: Mono float32, shape [samples], always finite: the mean over the
            channels, at the rate that was asked for.
        sample_rate: As stored, in Hz.
        channels: As stored.
        duration_s: Seconds of sound that were really in the file.
        warnings: What was odd or had to be mended, each ``kind: sentence`` with a kind of ``Fault``.
    """

    waveform: Waveform
    sample_rate: int
    channels: int
    duration_s: float
    warnings: tuple[str, ...]


def read_clip(path: Path, sample_rate: int | None = None) -> Clip:
    """Read a clip; its format is found by its content, whatever its name.

    Args:
        path: The file; links are followed.
        sample_rate: Rate of the waveform in Hz; the stored rate if None.

    Raises:
        AudioError: The file cannot be used; its ``kind`` says why.
    """
    try:
        decoded = decode(take_apart(_read_bytes(path)), sample_rate)
    except AudioError as error:
        raise AudioError(error.kind, error.message, str(path)) from error.__cause__
    return Clip(decoded.waveform, decoded.sample_rate, decoded.channels, decoded.duration_s, decoded.warnings)


def _read_bytes(path: Path) -> bytes:
    try:
        if not path.exists():
            linked = " (a link to nothing)" if path.is_symlink() else ""
            raise AudioError(Fault.MISSING, f"There is no such file{linked}.")
        if not path.is_file():
            raise AudioError(Fault.NOT_A_FILE, "This is a folder or a device, not a file.")
        if (size := path.stat().st_size) > _LARGEST:
            raise AudioError(Fault.TOO_LONG, f"The file has {size / _LARGEST:.1f} GiB; a clip may have at most one.")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise AudioError(Fault.UNREADABLE, f"The file cannot be read: {error}.") from error
    if not data:
        raise AudioError(Fault.EMPTY_FILE, "The file is empty: 0 bytes.")
    return data
