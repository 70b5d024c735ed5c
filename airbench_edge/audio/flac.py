"""FLAC: what the header promises is proved by decoding, and a damaged stream is taken apart at its faults.

Source: RFC 9639, section 8 (metadata).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import soundfile

from airbench_edge.audio.decode import open_forward, read_blocks
from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.flac_frames import FlacFrame, scan_frames
from airbench_edge.audio.piece import Piece, Sound

_MARK = re.compile(rb"fLaC[\0\x80]\0\0\x22")  # with the head of the stream information, which always comes first
_INFO_SIZE = 34
_WHOLE_BYTES = (8, 16, 24)  # bits a sample for which the decoder gives back exactly what was stored
_READ = 1 << 16  # frames a step


class _Info(NamedTuple):
    """Stream information.

    Attributes:
        block: The 34 bytes themselves.
        frames_at: Offset of the first frame.
        end: Offset behind the stream.
        rate: In Hz.
        bits: Of a sample.
        total: Samples of a channel, 0 if not known.
        md5: Of the samples, None if not computed.
        block_size: Samples of a frame in a stream of equal frames.
    """

    block: bytes
    frames_at: int
    end: int
    rate: int
    bits: int
    total: int
    md5: bytes | None
    block_size: int


def take_flac(data: bytes) -> Sound:
    """Take a FLAC file apart; streams that were copied one behind the other are all taken.

    Raises:
        AudioError: The header is cut off, or no frame can be decoded.
    """
    starts = [0] + [found.start() for found in _MARK.finditer(data, 4)]
    sound = Sound([])
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        try:
            _take_stream(data, start, end, sound)
        except AudioError as error:
            if not sound.pieces:
                raise
            sound.warnings.append(error.kind.says(f"in a second stream: {error.message}"))
    return sound


def _take_stream(data: bytes, start: int, end: int, sound: Sound) -> None:
    info = _read_info(data, start, end)
    if _is_intact(data, start, info):
        sound.pieces.append(Piece((memoryview(data)[start:end],)))
    else:
        _take_damaged(data, info, sound)


def _read_info(data: bytes, start: int, end: int) -> _Info:
    block = data[start + 8 : start + 8 + _INFO_SIZE]
    at, last = start + 4, False
    while not last and at + 4 <= end:
        last = data[at] >= 0x80
        at += 4 + int.from_bytes(data[at + 1 : at + 4])
    if not last or at > end or len(block) < _INFO_SIZE:
        raise AudioError(Fault.TRUNCATED_HEADER, "The FLAC file is cut off inside its header.")
    packed = int.from_bytes(block[10:18])
    md5 = block[18:34]
    return _Info(
        block,
        at,
        end,
        rate=packed >> 44,
        bits=(packed >> 36 & 31) + 1,
        total=packed & (1 << 36) - 1,
        md5=md5 if any(md5) else None,
        block_size=int.from_bytes(block[2:4]),
    )


def _is_intact(data: bytes, start: int, info: _Info) -> bool:
    """Whether the stream decodes to the announced number of samples with the announced MD5."""
    if not info.total or not info.md5:
        return False
    return _digest(Piece((memoryview(data)[start : info.end],)), info) == (info.md5, info.total)


def _digest(piece: Piece, info: _Info) -> tuple[bytes, int]:
    """MD5 and number of the samples, as stored: little-endian, in as few bytes as their bits need."""
    md5, count = hashlib.md5(usedforsecurity=False), 0
    if info.bits not in _WHOLE_BYTES:
        return b"", 0
    try:
        with open_forward(piece) as handle:
            for block in read_blocks(handle, _READ, "int32"):
                stored = block.astype("<i4").view(np.uint8).reshape(-1, 4)
                md5.update(stored[:, 4 - info.bits // 8 :].tobytes())
                count += len(block)
    except (soundfile.LibsndfileError, AudioError):
        return b"", count
    return md5.digest(), count


def _take_damaged(data: bytes, info: _Info, sound: Sound) -> None:
    """Keep the frames that decode, let silence stand for those between them that do not, and say so."""
    frames = scan_frames(data, info.frames_at, info.end, info.block_size)
    # a stream of unknown length may be a recording that starts in the middle of a broadcast
    origin = frames[0].position if frames and not info.total else 0
    stop, lost = origin, 0
    for run, end in _good_runs(data, info, frames):
        gap = run[0].position - stop
        sound.pieces.append(_rebuild(data, info, run, end)._replace(silence=gap))
        stop, lost = run[-1].stop, lost + gap
    if stop == origin:
        empty = not data[info.frames_at : info.end].strip(b"\0")
        raise AudioError(
            Fault.NO_SAMPLES if empty else Fault.TRUNCATED, "The FLAC file holds no frame that can be decoded."
        )
    sound.warnings.extend(_complaints(info, frames, stop - origin, lost))
    complete = not lost and frames[-1].stop == stop and info.total in (0, stop) and not origin
    if complete and info.md5 and info.bits in _WHOLE_BYTES:
        whole = _digest(sound.pieces[-1], info)
        if whole != (info.md5, stop):
            sound.warnings.append(Fault.CHECKSUM.says("the samples do not match the MD5 in the header."))


def _complaints(info: _Info, frames: list[FlacFrame], stop: int, lost: int) -> Iterator[str]:
    found = f"{stop / info.rate:.2f} s are there."
    if lost:
        yield Fault.DAMAGED.says(f"{lost / info.rate:.2f} s of the stream are damaged; silence stands for them.")
    if info.total > stop:
        yield Fault.TRUNCATED.says(f"the header announces {info.total / info.rate:.2f} s, {found}")
    elif 0 < info.total < stop:
        yield Fault.BAD_HEADER.says(f"the header announces {info.total / info.rate:.2f} s, {found}")
    elif frames[-1].stop - frames[0].position > stop:
        yield Fault.TRUNCATED.says(f"the last frames cannot be decoded; {found}")


def _good_runs(data: bytes, info: _Info, frames: list[FlacFrame]) -> Iterator[tuple[list[FlacFrame], int]]:
    """Runs of frames that decode, each with the offset of its end."""
    ends = [frame.start for frame in frames[1:]] + [info.end]
    first = 0
    while first < len(frames):
        last = first
        while last + 1 < len(frames) and frames[last + 1].position == frames[last].stop:
            last += 1
        good = _count_good(_rebuild(data, info, frames[first : last + 1], ends[last]), frames[first : last + 1])
        if good:
            yield frames[first : first + good], ends[first + good - 1]
        first += good if first + good > last else good + 1


def _rebuild(data: bytes, info: _Info, run: list[FlacFrame], end: int) -> Piece:
    """A stream of its own for a run of frames: the same header, with the right length and no MD5."""
    packed = int.from_bytes(info.block[10:18]) & ~((1 << 36) - 1) | sum(frame.samples for frame in run)
    header = b"fLaC\x80\0\0\x22" + info.block[:10] + packed.to_bytes(8) + bytes(16)
    return Piece((header, memoryview(data)[run[0].start : end]))


def _count_good(piece: Piece, frames: list[FlacFrame]) -> int:
    """How many frames decode before the first that does not; the decoder checks their CRC."""
    done = 0
    try:
        with open_forward(piece) as handle:
            for frame in frames:
                if len(handle.read(frame.samples, dtype="int32", always_2d=True)) < frame.samples:
                    break
                done += 1
    except (soundfile.LibsndfileError, AudioError):
        pass
    return done
