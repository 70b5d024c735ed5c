"""MPEG audio (MP3 and its elder layers): frames are found one by one, so that no tag, picture or rubbish is decoded.

Source: ISO/IEC 11172-3 and 13818-3 (frame header); the Xing/Info header that encoders put in front.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.id3 import skip_id3
from airbench_edge.audio.piece import Piece, Sound

_V1_RATES = (44100, 48000, 32000)
_V1_KBPS = {
    1: (32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    2: (32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    3: (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
}
_V2_KBPS = {
    1: (32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    2: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    3: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_CHAIN = 3  # frames that must follow one another before the first is believed; two if they end the file
_TAGS = (b"TAG", b"APETAGEX", b"LYRICSBEGIN", b"ID3")


class Frame(NamedTuple):
    """Header of one frame; what must not change within a stream is in ``stream``.

    Attributes:
        length: Bytes, header included.
        stream: Divisor of the rates (1, 2, 4 for MPEG 1, 2, 2.5), layer, sample rate in Hz, channels.
    """

    length: int
    stream: tuple[int, int, int, int]


class Run(NamedTuple):
    """Frames that follow one another without a gap.

    Attributes:
        start: Offset of the first.
        end: Offset behind the last.
        frames: How many.
        stream: What they have in common.
    """

    start: int
    end: int
    frames: int
    stream: tuple[int, int, int, int]


def read_frame(data: bytes, at: int) -> Frame | None:
    """The frame header at an offset; None if there is none."""
    if len(data) < at + 4 or data[at] != 0xFF or data[at + 1] & 0xE0 != 0xE0:
        return None
    divisor = {0: 4, 2: 2, 3: 1}.get(data[at + 1] >> 3 & 3)
    layer = 4 - (data[at + 1] >> 1 & 3)
    kbps_index, rate_index = data[at + 2] >> 4, data[at + 2] >> 2 & 3
    if divisor is None or layer == 4 or kbps_index in (0, 15) or rate_index == 3:
        return None
    rate = _V1_RATES[rate_index] // divisor
    bits_a_second = 1000 * (_V1_KBPS if divisor == 1 else _V2_KBPS)[layer][kbps_index - 1]
    padding = data[at + 2] >> 1 & 1
    if layer == 1:
        length = (12 * bits_a_second // rate + padding) * 4
    else:
        length = (72 if layer == 3 and divisor > 1 else 144) * bits_a_second // rate + padding
    return Frame(length, (divisor, layer, rate, 1 if data[at + 3] >> 6 == 3 else 2))


def find_run(data: bytes, at: int, limit: int | None = None) -> Run | None:
    """The first run of frames that starts at or after an offset, and before ``limit``; None if there is none."""
    while (at := data.find(b"\xff", at, limit)) >= 0:
        run = _follow(data, at)
        if run and (run.frames >= _CHAIN or (run.frames == _CHAIN - 1 and run.end == len(data))):
            return run
        at += 1
    return None


def take_mpeg(data: bytes) -> Sound:
    """Take an MPEG audio stream apart.

    Raises:
        AudioError: It holds no frames.
    """
    start = skip_id3(data)
    runs = list(_runs(data, start))
    if not runs:
        cut = start > len(data) or read_frame(data, start) is not None
        kind = Fault.TRUNCATED if cut else Fault.DAMAGED if data[start:].strip(b"\0") else Fault.NO_SAMPLES
        raise AudioError(kind, "The MPEG stream holds no complete frames of sound.")
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
    return Run(start, end, frames, first.stream)


def _alike(runs: list[Run]) -> Iterator[list[Run]]:
    for _, group in groupby(runs, key=lambda run: run.stream):
        yield list(group)


def _take_stream(data: bytes, runs: list[Run], sound: Sound) -> None:
    """One stream, behind a header of our own where it has none or one that announces another length.

    The decoder believes the header, and guesses the length from the first frame if there is none.
    """
    first = runs[0]
    frames, size = sum(run.frames for run in runs) - 1, sum(run.end - run.start for run in runs)
    announced = _announced(data[first.start : first.end])
    parts = [memoryview(data)[run.start : run.end] for run in runs]
    if announced and announced[0] > frames + 1:
        sentence = f"the header announces {announced[0]} frames of sound, {frames} are there."
        sound.warnings.append(Fault.TRUNCATED.says(sentence))
    if not announced or abs(announced[0] - frames) > 1 or abs(announced[1] - size) > size // 200:
        header = read_frame(data, first.start)
        if announced and header:
            parts[0] = parts[0][header.length :]
        parts.insert(0, memoryview(_length_header(data, first, frames + (not announced))))
    sound.pieces.append(Piece(tuple(parts)))


def _length_header(data: bytes, run: Run, frames: int) -> bytes:
    """A frame without sound that announces how many frames follow it; layer III only, else empty."""
    if run.stream[1] != 3:
        return b""
    head = bytes((data[run.start], data[run.start + 1] | 1, data[run.start + 2] & 0x0D | 0xE0, data[run.start + 3]))
    frame = read_frame(head, 0)
    side = (17 if run.stream[3] == 1 else 32) if run.stream[0] == 1 else (9 if run.stream[3] == 1 else 17)
    body = head + bytes(side) + b"Xing" + struct.pack(">II", 1, frames)
    return body.ljust(frame.length if frame else 0, b"\0")


def _announced(data: bytes) -> tuple[int, int] | None:
    """Frames and bytes that the Xing or Info header announces; None if there is none or it does not say."""
    head = data[:64]
    at = max(head.find(b"Xing"), head.find(b"Info"))
    if at < 0 or len(head) < at + 16:
        return None
    flags, frames, size = struct.unpack_from(">III", head, at + 4)
    return (frames, size) if flags & 3 == 3 else None


def _check_end(data: bytes, last: Run, sound: Sound) -> None:
    rest = data[last.end :].strip(b"\0")
    frame = read_frame(data, last.end)
    if frame and frame.stream == last.stream:
        sound.warnings.append(Fault.TRUNCATED.says("the last frame is cut off."))
    elif rest and not rest.startswith(_TAGS):
        sound.warnings.append(Fault.EXTRA_DATA.says(f"{len(rest)} bytes behind the last frame were left out."))
