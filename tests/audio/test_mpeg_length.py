from __future__ import annotations

import pytest
from helpers.audio_recipes import recipes

from airbench_edge.audio.mpeg_frame import read_frame
from airbench_edge.audio.mpeg_length import make_length_header, read_length_header

STREAM = recipes.sf_bytes(recipes.tone(440, 3.0, 44100), 44100, "MP3")
FRAME = read_frame(STREAM, 0)
assert FRAME is not None
FIRST = STREAM[: FRAME.length]


def test_header_of_an_encoder() -> None:
    # the encoder starts 1105 samples early: 1152 * n >= 132300 + 1105 gives n = 116
    assert read_length_header(FIRST) == (116, len(STREAM))


@pytest.mark.parametrize("at", [5, 28], ids=["side information", "flags"])
def test_damaged_header_says_nothing(at: int) -> None:
    damaged = bytearray(FIRST)
    damaged[at] ^= 0xFF
    assert read_length_header(bytes(damaged)) == (0, 0)


def test_frame_of_sound_is_no_header() -> None:
    assert FRAME is not None
    assert read_length_header(STREAM[FRAME.length :]) is None


@pytest.mark.parametrize("head", ["fffb9064", "fffb90c4", "fff380c4", "fff38064", "ffe318c4", "fffa9064"])
def test_made_header_is_one_whole_frame_of_the_same_stream(head: str) -> None:
    made = make_length_header(bytes.fromhex(head), 77)
    frame, wanted = read_frame(made, 0), read_frame(bytes.fromhex(head), 0)
    assert frame is not None
    assert wanted is not None
    assert (frame.stream, frame.length) == (wanted.stream, len(made))
    assert made[-100:] == bytes(100)
    assert b"Xing\0\0\0\1\0\0\0\x4d" in made


def test_layer_two_has_no_such_header() -> None:
    assert make_length_header(bytes.fromhex("fffda404"), 77) == b""
