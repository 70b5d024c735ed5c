"""Chunks: lengths that lie, padding that is missing, chunks that are cut, hidden, doubled or out of order."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from helpers.audio_recipes import Heard, heard, recipes

r = recipes
S16 = r.s16(r.tone(440, 1, 16000))  # 32000 bytes
FMT = r.fmt(r.PCM, 1, 16000, 16)
OK = Heard(1.0, 440, 0.35)
NOISE = np.random.default_rng(0).bytes(3001)
LIST = r.chunk(b"LIST", b"INFOISFT\x06\0\0\0synth\0")
ENDLESS = 0xFFFFFFFF


def told(kind: str, seconds: float = 1.0) -> Heard:
    return OK._replace(seconds=seconds, kinds=(kind,))


def chunks(*parts: bytes) -> bytes:
    body = b"WAVE" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def ds64(size: int) -> bytes:
    data: bytes = r.chunk(b"ds64", struct.pack("<QQQI", size + 72, size, size // 2, 0))
    return data


def rf64(size: int, magic: bytes = b"RF64") -> bytes:
    data: bytes = r.wav(S16, FMT, magic=magic, before=ds64(size), data_size=ENDLESS, riff_size=ENDLESS)
    return data


CASES: dict[str, tuple[bytes, Heard | str]] = {
    # padding and order
    "odd chunk, padding forgotten": (r.wav(S16, FMT, before=r.chunk(b"junk", b"\1" * 7, pad=False)), OK),
    "odd unknown chunk, padding forgotten": (
        r.wav(S16, FMT, before=r.chunk(b"abcd", b"\1" * 7, pad=False)),
        OK,
    ),
    "odd data, padding forgotten": (chunks(r.chunk(b"fmt ", FMT), r.chunk(b"data", S16 + b"\1", pad=False), LIST), OK),
    "data before fmt": (chunks(r.chunk(b"data", S16), r.chunk(b"fmt ", FMT)), OK),
    # lengths of other chunks
    "length of a chunk beyond the file, fmt and data behind it": (
        r.wav(S16, FMT, before=r.chunk(b"abcd", b"\1", 0x12345678)),
        OK._replace(kinds=("bad_header", "bad_header")),
    ),
    "length of a chunk into the samples": (
        chunks(r.chunk(b"fmt ", FMT), r.chunk(b"LIST", b"INFO", 3000), r.chunk(b"data", S16)),
        told("bad_header"),
    ),
    "the same, with the word data in a text": (
        chunks(
            r.chunk(b"fmt ", FMT), r.chunk(b"LIST", b"INFOISFT\x10\0\0\0big data, no lie!", 3000), r.chunk(b"data", S16)
        ),
        told("bad_header"),
    ),
    "fmt longer than it says": (
        chunks(r.chunk(b"fmt ", FMT + b"\0\0", 16), r.chunk(b"data", S16)),
        told("bad_header"),
    ),
    "fmt far shorter than it says": (chunks(r.chunk(b"fmt ", FMT, 99999), r.chunk(b"data", S16)), told("bad_header")),
    "length of the file wrong": (r.wav(S16, FMT, riff_size=7), OK),
    # length of the samples: not known
    "endless": (r.wav(S16, FMT, data_size=ENDLESS, riff_size=ENDLESS), OK),
    "endless less the header": (r.wav(S16, FMT, data_size=ENDLESS - 36, riff_size=ENDLESS), OK),
    "endless, signed": (r.wav(S16, FMT, data_size=0x7FFFFFFF, riff_size=0x7FFFFFFF), OK),
    "endless, rounded": (r.wav(S16, FMT, data_size=0x7FFFF000, riff_size=0x7FFFF024), OK),
    "endless, a tag behind": (r.wav(S16, FMT, data_size=ENDLESS, riff_size=ENDLESS, after=LIST), OK),
    "never filled in": (r.wav(S16, FMT, data_size=0, riff_size=0), told("bad_header")),
    "never filled in, a tag behind": (r.wav(S16, FMT, data_size=0, riff_size=0, after=LIST), told("bad_header")),
    # length of the samples: wrong
    "ten times too long": (r.wav(S16, FMT, data_size=320000), told("truncated")),
    "half of them announced, the file's length right": (r.wav(S16, FMT, data_size=16000), told("bad_header")),
    "an odd number announced": (r.wav(S16, FMT, data_size=15999), told("bad_header")),
    "cut in the middle": (r.wav(S16, FMT)[: 44 + 16000], told("truncated", 0.5)),
    "cut inside a sample": (r.wav(S16, FMT)[: 44 + 16001], told("truncated", 0.5)),
    # what lies behind
    "noise behind the file": (r.wav(S16, FMT) + NOISE, told("extra_data")),
    "noise behind the samples": (r.wav(S16, FMT, after=NOISE), told("extra_data")),
    "nothing but zeros behind the samples": (r.wav(S16, FMT, after=bytes(30000)), OK),
    "another file behind": (r.wav(S16, FMT) * 2, told("extra_data")),
    "a second data chunk": (r.wav(S16, FMT, after=r.chunk(b"data", S16)), told("extra_data")),
    "an empty data chunk first": (r.wav(S16, FMT, before=r.chunk(b"data", b"")), OK),
    # 64-bit lengths
    "RF64": (rf64(32000), OK),
    "BW64": (rf64(32000, b"BW64"), OK),
    "RF64 announces 8 GiB": (rf64(1 << 33), told("truncated")),
    "RF64 announces nothing": (rf64(0), OK),
    "RF64 without its lengths": (r.wav(S16, FMT, magic=b"RF64", data_size=ENDLESS, riff_size=ENDLESS), OK),
    # nothing to be mended
    "no samples, a tag behind": (r.wav(b"", FMT, after=LIST), "no_samples"),
    "cut behind the header": (r.wav(S16, FMT)[:44], "no_samples"),
    "cut behind fmt": (r.wav(S16, FMT)[:36], "truncated_header"),
    "cut inside fmt": (r.wav(S16, FMT)[:30], "truncated_header"),
    "cut inside the first twelve bytes": (r.wav(S16, FMT)[:8], "truncated_header"),
    "cut inside the first four bytes": (b"RIF", "truncated_header"),
    "no fmt at all": (chunks(r.chunk(b"data", S16)), "truncated_header"),
    "a film": (b"RIFF" + struct.pack("<I", 100) + b"AVI " + bytes(96), "not_audio"),
}


@pytest.mark.parametrize("name", CASES)
def test_riff(name: str, tmp_path: Path) -> None:
    data, wanted = CASES[name]
    assert heard(tmp_path, data) == wanted
