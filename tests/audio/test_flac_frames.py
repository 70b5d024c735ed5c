from __future__ import annotations

from helpers.audio_recipes import recipes
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.audio.flac_frames import FlacFrame, scan_frames

r = recipes
TWO = r.sf_bytes(r.tone(440, 2.0, 16000), 16000, "FLAC", "PCM_16")  # 32000 samples = 7 * 4096 + 3328


def test_frames_follow_one_another() -> None:
    frames = scan_frames(TWO, 86, len(TWO), 4096)
    assert [frame.position for frame in frames] == [number * 4096 for number in range(8)]
    assert [frame.samples for frame in frames] == [4096] * 7 + [3328]
    assert frames[0].start == 86
    assert frames[-1].stop == 32000


def test_frame_whose_header_is_broken_is_left_out() -> None:
    frames = scan_frames(TWO, 86, len(TWO), 4096)
    broken = bytearray(TWO)
    broken[frames[3].start + 4] ^= 1
    assert scan_frames(bytes(broken), 86, len(TWO), 4096) == frames[:3] + frames[4:]


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_rubbish_between_frames_adds_none(rubbish: bytes) -> None:
    frames = scan_frames(TWO, 86, len(TWO), 4096)
    at = frames[4].start
    found = scan_frames(TWO[:at] + rubbish + TWO[at:], 86, len(TWO) + len(rubbish), 4096)
    moved = [FlacFrame(frame.start + len(rubbish), frame.position, frame.samples) for frame in frames[4:]]
    assert found == frames[:4] + moved


def test_no_frames_in_rubbish() -> None:
    assert scan_frames(bytes(range(256)) * 50, 0, 12800, 4096) == []
