"""MPEG audio (MP3 and its elder layers): frames are found one by one, so that no tag, picture or rubbish is decoded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.id3 import skip_id3
from airbench_edge.audio.mpeg_frame import Frame, read_frame
from airbench_edge.audio.mpeg_length import make_length_header, read_length_header
from airbench_edge.audio.piece import Piece, Sound

_CHAIN = 3  # frames that must follow one another before the first is believed; two if they end the file
_RUBBISH = 1 << 16  # bytes in front of the first frame that are looked through
_TAGS = (b"TAG", b"APETAGEX", b"LYRICSBEGIN", b"ID3")


class Run(NamedTuple):
    """Frames that follow one another without a gap.

    Attributes:
        start: Offset of the first.
        end: Offset behind the last.
        frames: How many.
        first: Header of the first.
    """

    start: int
    end: int
    frames: int
    first: Frame


def find_run(data: bytes, at: int, limit: int | None = None) -> Run | None:
    """The first run of frames that starts at or after an offset, and before ``limit``; None if there is none."""
    while (at := data.find(b"\xff", at, limit)) >= 0:
        run = _follow(data, at)
        if run and (run.frames >= _CHAIN or (run.frames == _CHAIN - 1 and run.end == len(data))):
            return run
        at += 1
    return None


def is_mpeg(data: bytes) -> bool:
    """Whether frames of sound start here, or behind not too much rubbish, or did before they were cut off."""
    return _is_cut(data, 0) or find_run(data, 0, _RUBBISH) is not None


def take_mpeg(data: bytes) -> Sound:
    """Take an MPEG audio stream apart.

    Raises:
        AudioError: It holds no frames.
    """
    start = skip_id3(data)
    runs = list(_runs(data, start))
    if not runs:
        raise AudioError(_why_empty(data, start), "The MPEG stream holds no complete frames of sound.")
    sound = Sound([])
    for streams in _alike(runs):
        _take_stream(data, streams, sound)
    lost = [data[before.end : after.start] for before, after in pairwise(runs)]
    skipped = sum(
        len(gap) for gap in (data[start : runs[0].start], *lost) if gap.strip(b"\0") and not gap.startswith(_TAGS)
    )
    if skipped:
        sound.warnings.append(
            Fault.DAMAGED.says(f"{skipped} bytes between the MPEG frames are no sound and were skipped.")
        )
    _check_end(data, runs[-1], sound)
    return sound


def _why_empty(data: bytes, start: int) -> Fault:
    if start > len(data) or _is_cut(data, start):
        return Fault.TRUNCATED
    return Fault.DAMAGED if data[start:].strip(b"\0") else Fault.NO_SAMPLES


def _is_cut(data: bytes, start: int) -> bool:
    """Whether what follows is the start of a stream too short to hold the frames that would prove it one."""
    frame = read_frame(data, start)
    return frame is not None and len(data) - start < _CHAIN * frame.length


def _runs(data: bytes, start: int) -> Iterator[Run]:
    while run := find_run(data, start):
        yield run
        start = skip_id3(data, run.end)


def _follow(data: bytes, start: int) -> Run | None:
    """The run of complete frames that starts exactly here."""
    first = read_frame(data, start)
    if first is None:
        return None
    end, frames = start, 0
    frame: Frame | None = first
    while frame and frame.stream == first.stream and end + frame.length <= len(data):
        end, frames = end + frame.length, frames + 1
        frame = read_frame(data, end)
    return Run(start, end, frames, first)


def _alike(runs: list[Run]) -> Iterator[list[Run]]:
    for _, group in groupby(runs, key=lambda run: run.first.stream):
        yield list(group)


def _take_stream(data: bytes, runs: list[Run], sound: Sound) -> None:
    """One stream, behind a length header of our own where it has none or one that says something else.

    The decoder believes that header, and without one guesses the length from the first frame.
    """
    first = memoryview(data)[runs[0].start : runs[0].end]
    parts = [first, *(memoryview(data)[run.start : run.end] for run in runs[1:])]
    frames, size = sum(run.frames for run in runs), sum(len(part) for part in parts)
    header = read_length_header(bytes(first[: runs[0].first.length]))
    if header and header.frames > frames:
        sentence = f"the header announces {header.frames} frames of sound, {frames - 1} are there."
        sound.warnings.append(Fault.TRUNCATED.says(sentence))
    if header and (abs(header.frames - (frames - 1)) > 1 or abs(header.size - size) > size // 200):
        frames -= 1
        parts[0] = first[runs[0].first.length :]
        header = None
    if not header:
        parts.insert(0, memoryview(make_length_header(bytes(first[:4]), frames)))
    sound.pieces.append(Piece(tuple(parts)))


def _check_end(data: bytes, last: Run, sound: Sound) -> None:
    rest = data[last.end :].strip(b"\0")
    frame = read_frame(data, last.end)
    if skip_id3(data, last.end) > len(data):
        sound.warnings.append(Fault.TRUNCATED.says("the file ends inside a tag; what followed it is missing."))
    elif frame and frame.stream == last.first.stream:
        sound.warnings.append(Fault.TRUNCATED.says("the last frame is cut off."))
    elif rest and not rest.startswith(_TAGS):
        sound.warnings.append(Fault.EXTRA_DATA.says(f"{len(rest)} bytes behind the last frame were left out."))
