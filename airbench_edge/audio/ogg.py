"""Ogg: its pages are checked, and chained streams are taken apart so that each can be decoded.

Source: RFC 3533 (pages, their CRC and flags).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.piece import Piece, Sound

_FIRST, _LAST = 2, 4  # flags of a page
_HEADER = 27
_CODECS = {b"\x01vorbis": "Vorbis", b"OpusHead": "Opus", b"\x7fFLAC": "FLAC"}
_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class Page(NamedTuple):
    """One page.

    Attributes:
        start: Offset of its header.
        end: Offset behind its last byte.
        flags: First or last page of a stream, or neither.
        serial: Number of the stream.
        number: Count of the page within its stream.
        intact: Whether its checksum holds.
    """

    start: int
    end: int
    flags: int
    serial: int
    number: int
    intact: bool


def ogg_crc(data: bytes) -> int:
    """Ogg's CRC-32: the polynomial of zlib's, but unreflected and without inversion, so bits are mirrored around it."""
    reflected = zlib.crc32(data.translate(_MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{reflected:032b}"[::-1], 2)


def take_ogg(data: bytes) -> Sound:
    """Take an Ogg file apart.

    Raises:
        AudioError: It holds no complete page, or a codec that is not supported.
    """
    pages = list(_pages(data))
    if not pages:
        raise AudioError(Fault.TRUNCATED_HEADER, "The Ogg file is cut off inside its first page.")
    sound = Sound([])
    for link in _links(pages):
        _check_codec(data, link[0])
        sound.pieces.append(Piece((memoryview(data)[link[0].start : link[-1].end],)))
        _check_pages(link, sound)
    rest = data[pages[-1].end :].strip(b"\0")
    if rest and pages[-1].flags & _LAST:
        sound.warnings.append(Fault.EXTRA_DATA.says(f"{len(rest)} bytes behind the last page were left out."))
    return sound


def _pages(data: bytes) -> Iterator[Page]:
    """All complete pages, damaged ones too."""
    at = data.find(b"OggS")
    while at >= 0:
        page = _page(data, at)
        if page:
            yield page
        at = data.find(b"OggS", page.end if page and page.intact else at + 4)


def _page(data: bytes, at: int) -> Page | None:
    if len(data) < at + _HEADER:
        return None
    flags, _, serial, number, crc, segments = struct.unpack_from("<xBqIIIB", data, at + 4)
    lengths = data[at + _HEADER : at + _HEADER + segments]
    end = at + _HEADER + segments + sum(lengths)
    if len(lengths) < segments or end > len(data):
        return None
    whole = data[at : at + 22] + bytes(4) + data[at + 26 : end]
    return Page(at, end, flags, serial, number, ogg_crc(whole) == crc)


def _links(pages: list[Page]) -> Iterator[list[Page]]:
    """Streams that follow one another: a new one starts where a first page comes after a page that was not first."""
    link: list[Page] = []
    for page in pages:
        if link and page.flags & _FIRST and page.intact and not link[-1].flags & _FIRST:
            yield link
            link = []
        link.append(page)
    yield link


def _check_codec(data: bytes, first: Page) -> None:
    body = first.start + _HEADER + data[first.start + 26]
    head = data[body : body + 8]
    if first.flags & _FIRST and not head.startswith(tuple(_CODECS)):
        raise AudioError(Fault.UNSUPPORTED_CODEC, f"Ogg with the codec {head!r} is not supported; convert it to FLAC.")


def _check_pages(link: list[Page], sound: Sound) -> None:
    good = [page for page in link if page.intact and page.serial == link[0].serial]
    lost = sum(max(0, page.number - before.number - 1) for before, page in pairwise(good))
    if lost:
        sound.warnings.append(Fault.DAMAGED.says(f"{lost} of {good[-1].number + 1} Ogg pages are damaged or lost."))
    if not good or not good[-1].flags & _LAST:
        sound.warnings.append(Fault.TRUNCATED.says("the Ogg stream ends without its last page."))
