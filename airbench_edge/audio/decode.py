"""Pieces of a sound to one mono waveform, by libsndfile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import soundfile

from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.piece import Joined, Piece, Sound
from airbench_edge.audio.resample import Resampler, Waveform
from airbench_edge.audio.tally import Tally, integer_scale

RATES = range(1000, 1_000_001)  # Hz; anything else is a broken header
CHANNELS = range(1, 257)
_LONGEST_S = 6 * 3600
_BLOCK = 1 << 17  # samples a step
_BLAMED = (Fault.TRUNCATED_HEADER, Fault.TRUNCATED, Fault.DAMAGED, Fault.UNSUPPORTED_CODEC, Fault.BAD_HEADER)
_UNSUPPORTED = 4  # libsndfile: the container is known, its encoding is not


class Decoded(NamedTuple):
    """One clip as sound.

    Attributes:
        waveform: Mono, shape [samples], at the wanted rate.
        sample_rate: As stored, in Hz.
        channels: As stored.
        duration_s: Of the stored samples that were there.
        warnings: What the decoder and the samples said.
    """

    waveform: Waveform
    sample_rate: int
    channels: int
    duration_s: float
    warnings: tuple[str, ...]


def open_forward(piece: Piece) -> soundfile.SoundFile:
    """Open a piece for reading from its start to its end only.

    Left to itself, soundfile seeks after every block, which makes MP3 inexact and hides what is wrong in a FLAC stream.

    Raises:
        AudioError: libsndfile cannot open it.
    """
    stream, layout = Joined(piece.parts), piece.layout
    try:
        if layout is None:
            handle = soundfile.SoundFile(stream)
        else:
            handle = soundfile.SoundFile(
                stream,
                samplerate=layout.sample_rate,
                channels=layout.channels,
                format="RAW",
                subtype=layout.subtype,
                endian="BIG" if layout.big_endian else "LITTLE",
            )
    except soundfile.LibsndfileError as error:
        kind = Fault.UNSUPPORTED_CODEC if error.code == _UNSUPPORTED else Fault.BAD_HEADER
        raise AudioError(kind, f"The decoder does not accept this file: {error.error_string}") from error
    handle.seekable = lambda: False
    if handle.samplerate not in RATES or handle.channels not in CHANNELS:
        raise AudioError(
            Fault.BAD_HEADER, f"The header announces {handle.channels} channels at {handle.samplerate} Hz."
        )
    return handle


def read_blocks(handle: soundfile.SoundFile, frames: int, dtype: str) -> Iterator[npt.NDArray[Any]]:
    """Blocks [at most ``frames``, channels] to the announced end; the decoder must not look at what lies behind it."""
    left: int = handle.frames
    while len(block := handle.read(min(frames, left), dtype=dtype, always_2d=True)):
        left -= len(block)
        yield block


def decode(sound: Sound, sample_rate: int | None) -> Decoded:
    """Decode, mix to mono and bring to ``sample_rate`` (the stored rate if None), piece by piece.

    Raises:
        AudioError: Nothing can be decoded, or what comes out is no usable sound.
    """
    mixer = _Mixer(sample_rate, sound.warnings)
    for piece in sound.pieces:
        mixer.take(piece)
    return mixer.result()


class _Mixer:
    """Gathers the waveform of one clip."""

    def __init__(self, wanted_rate: int | None, warnings: Sequence[str]) -> None:
        self._wanted = wanted_rate
        self._stored: tuple[int, int] | None = None  # rate, channels of the first piece
        self._tally = Tally()
        self._made: list[Waveform] = []
        self._duration = 0.0
        self._float = False
        self._warnings = list(warnings)

    def take(self, piece: Piece) -> None:
        """Decode one piece to its end, or to the place where the decoder gives up."""
        try:
            handle = open_forward(piece)
        except AudioError as error:
            if not self._warnings and not self._made:
                raise
            self._warnings.append(error.kind.says(error.message))
            return
        with handle:
            rate: int = handle.samplerate
            self._stored = self._stored or (rate, handle.channels)
            if piece.layout:
                self._check_length(handle.frames / rate)
            self._float = self._float or handle.subtype in ("FLOAT", "DOUBLE")
            self._fill(piece.silence / rate)
            resampler = Resampler(rate, self._target)
            before = self._duration
            for block in self._blocks(handle):
                self._made.append(resampler.push(self._tally.mono(block)))
                self._lengthen(len(block) / rate)
            if self._duration > before:
                self._made.append(resampler.finish())

    def result(self) -> Decoded:
        """The whole clip."""
        if not self._stored or not self._tally.frames:
            raise self._emptiness()
        rate, channels = self._stored
        self._warnings += self._tally.warnings(rate, self._float)
        waveform = np.concatenate(self._made) if len(self._made) > 1 else self._made[0]
        full_scale = integer_scale(waveform) if self._float else None
        if full_scale:
            waveform = waveform / np.float32(full_scale)
            sentence = f"the floats are on an integer scale and were divided by {full_scale:.0f}."
            self._warnings.append(Fault.RESCALED.says(sentence))
        return Decoded(waveform, rate, channels, self._duration, tuple(self._warnings))

    @property
    def _target(self) -> int:
        return self._wanted or (self._stored[0] if self._stored else 0)

    def _fill(self, seconds: float) -> None:
        self._lengthen(seconds)
        self._made.append(np.zeros(round(seconds * self._target), dtype=np.float32))

    def _lengthen(self, seconds: float) -> None:
        self._duration += seconds
        self._check_length(self._duration)

    def _check_length(self, seconds: float) -> None:
        if seconds > _LONGEST_S:
            raise AudioError(Fault.TOO_LONG, f"The sound is longer than {_LONGEST_S // 3600} hours.")

    def _blocks(self, handle: soundfile.SoundFile) -> Iterator[npt.NDArray[np.float32]]:
        try:
            yield from read_blocks(handle, max(1, _BLOCK // handle.channels), "float32")
        except soundfile.LibsndfileError as error:
            sentence = f"the decoder gave up after {self._duration:.2f} s: {error.error_string}"
            self._warnings.append(Fault.DAMAGED.says(sentence))

    def _emptiness(self) -> AudioError:
        for warning in self._warnings:
            kind, sentence = warning.split(": ", 1)
            if kind in _BLAMED:
                return AudioError(Fault(kind), f"No sound can be decoded: {sentence}")
        return AudioError(Fault.NO_SAMPLES, "The file has a header but no sound in it.")
