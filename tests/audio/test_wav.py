"""The description of the samples: formats, widths, codecs, and headers that say something else than the samples."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from helpers.audio_recipes import Heard, heard, recipes

r = recipes
TONE = r.tone(440, 1, 16000)
S16 = r.s16(TONE)
OK = Heard(1.0, 440, 0.35)  # a sine of amplitude 0.5: RMS 0.5 / sqrt(2) = 0.354
TOLD = OK._replace(kinds=("bad_header",))
TWICE = Heard(2.0, 440, 0.35)


def pcm(body: bytes, bits: int, **wrong: int) -> bytes:
    data: bytes = r.wav(body, r.fmt(r.PCM, 1, 16000, bits, **wrong))
    return data


def mp3(seconds: float) -> bytes:
    data: bytes = r.sf_bytes(r.tone(440, seconds, 44100), 44100, "MP3")
    return data


SOUND: dict[str, tuple[bytes, Heard | str]] = {
    "16 bit": (pcm(S16, 16), OK),
    "8 bit is unsigned": (pcm(r.u8(TONE), 8), OK),
    "24 bit": (pcm(r.s24(TONE), 24), OK),
    "32 bit": (pcm(r.s32(TONE), 32), OK),
    "float": (r.plain(TONE, 16000, r.f32, r.FLOAT, 32), OK),
    "64-bit float": (r.plain(TONE, 16000, r.f64, r.FLOAT, 64), OK),
    "big-endian": (
        r.wav(r.s16be(TONE), r.fmt(r.PCM, 1, 16000, 16, end=">"), magic=b"RIFX", end=">"),
        OK,
    ),
    "extensible float": (r.wav(r.f32(TONE), r.fmt_ext(r.FLOAT, 1, 16000, 32)), OK),
    "extensible, 20 valid bits of 24": (r.wav(r.s24(TONE), r.fmt_ext(r.PCM, 1, 16000, 24, valid=20)), OK),
    "extensible without its subformat": (pcm(S16, 16)[:20] + b"\xfe\xff" + pcm(S16, 16)[22:], OK),
    "12 bits fill the upper part of 16": (pcm(S16, 12), OK),
    "20 bits fill the upper part of 24": (pcm(r.s24(TONE), 20), OK),
    "24 bits in frames of 4 bytes": (
        pcm((np.round(TONE * 2**23).astype("<i4") << 8).tobytes(), 24, block=4),
        OK,
    ),
    "no bits, but bytes a frame": (pcm(S16, 0, block=2), OK),
    "bytes a frame 0": (pcm(S16, 16, block=0), TOLD),
    "bytes a frame too few": (pcm(S16, 16, block=1), TOLD),
    "bytes a frame too many": (pcm(S16, 16, block=4), TOLD),
    "bytes a second wrong": (pcm(S16, 16, rate=12345), TOLD),
    "floats called integers": (pcm(r.f32(TONE), 32), TOLD),
    "A-law": (r.sf_bytes(TONE, 16000, "WAV", "ALAW"), OK),
    "mu-law": (r.sf_bytes(TONE, 16000, "WAV", "ULAW"), OK),
    "GSM, in blocks of 40 ms": (r.sf_bytes(TONE, 16000, "WAV", "GSM610"), OK),
    "MP3 inside": (r.wav(mp3(2.0), r.fmt(r.MP3TAG, 1, 44100, 0, block=1)), TWICE),
    "MP3 inside, with a picture": (
        r.wav(r.id3v2(r.apic(r.fake_jpeg())) + mp3(2.0), r.fmt(r.MP3TAG, 1, 44100, 0, block=1)),
        TWICE,
    ),
}

REFUSED: dict[str, tuple[bytes, Heard | str]] = {
    "neither bits nor bytes a frame": (pcm(S16, 0, block=0), "bad_header"),
    "negative rate": (r.wav(S16, r.fmt(r.PCM, 1, -16000, 16)), "bad_header"),
    "300 channels": (r.wav(S16, r.fmt(r.PCM, 300, 16000, 16)), "bad_header"),
    "extensible, 32 bits, integer or float not said": (r.wav(S16, r.fmt(r.EXT, 1, 16000, 32)), "bad_header"),
    "foreign subformat": (r.wav(S16, r.fmt_ext(1, 1, 16000, 16)[:-8] + bytes(8)), "unsupported_codec"),
    "Windows Media": (r.wav(S16, r.fmt(0x161, 1, 16000, 16)), "unsupported_codec"),
    "half-precision float": (r.wav(S16, r.fmt(r.FLOAT, 1, 16000, 16)), "unsupported_codec"),
    "MP3 called PCM": (pcm(mp3(1.0), 16), "bad_header"),
    "FLAC called PCM": (pcm(r.sf_bytes(TONE, 16000, "FLAC"), 16), "bad_header"),
    "PCM called MP3": (r.wav(S16, r.fmt(r.MP3TAG, 1, 44100, 0, block=1)), "damaged"),
    "ADPCM without bytes a frame": (r.wav(S16, r.fmt(2, 1, 16000, 4, block=0)), "bad_header"),
    "one byte of a 16-bit sample": (pcm(b"\1", 16), "no_samples"),
    "one of two channels": (r.wav(b"\1\1", r.fmt(r.PCM, 2, 16000, 16)), "no_samples"),
}


@pytest.mark.parametrize("name", SOUND | REFUSED)
def test_wav(name: str, tmp_path: Path) -> None:
    data, wanted = (SOUND | REFUSED)[name]
    assert heard(tmp_path, data) == wanted


def test_extensible_header_is_taken_apart_in_both_byte_orders(tmp_path: Path) -> None:
    # the subformat's number is stored in the file's byte order, so 1 is 00 00 00 01 here
    extra = struct.pack(">HII", 16, 0, 1) + bytes.fromhex("00000010") + bytes.fromhex("800000aa00389b71")
    form = r.fmt(r.EXT, 1, 16000, 16, extra=extra, end=">")
    assert heard(tmp_path, r.wav(r.s16be(TONE), form, magic=b"RIFX", end=">")) == OK
