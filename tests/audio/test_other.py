"""Containers left to libsndfile: read whole, and a missing end is told or refused, never silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.audio_recipes import Heard, heard, recipes

r = recipes
KINDS = [
    ("AIFF", "PCM_16"),
    ("AIFF", "FLOAT"),
    ("AU", "PCM_16"),
    ("AU", "ULAW"),
    ("CAF", "PCM_16"),
    ("CAF", "ALAC_16"),
    ("W64", "PCM_16"),
    ("NIST", "PCM_16"),
    ("NIST", "ULAW"),
]


@pytest.mark.parametrize(("container", "subtype"), KINDS)
def test_other(container: str, subtype: str, tmp_path: Path) -> None:
    data = r.sf_bytes(r.tone(440, 4.0, 8000), 8000, container, subtype)
    assert heard(tmp_path, data) == Heard(4.0, 440, 0.35)
    half = heard(tmp_path, data[: len(data) // 2])
    if container == "CAF":  # what is needed to decode it stands at the end, or cannot be found
        assert half == "truncated"
    else:
        assert isinstance(half, Heard)
        assert (half.hz, half.kinds) == (440, ("truncated",))
        assert 1.7 < half.seconds <= 2.0
    assert heard(tmp_path, data[:20]) == "truncated_header"


@pytest.mark.parametrize(("container", "subtype"), [kind for kind in KINDS if kind[0] != "CAF"])
def test_what_lies_behind_is_not_heard(container: str, subtype: str, tmp_path: Path) -> None:
    data = r.sf_bytes(r.tone(440, 4.0, 8000), 8000, container, subtype)
    assert heard(tmp_path, data + bytes(range(250)) * 20) == Heard(4.0, 440, 0.35, ("extra_data",))


def test_length_not_known_to_the_writer(tmp_path: Path) -> None:
    data = r.sf_bytes(r.tone(440, 1.0, 8000), 8000, "AU", "PCM_16")
    assert heard(tmp_path, data[:8] + b"\xff\xff\xff\xff" + data[12:]) == Heard(1.0, 440, 0.35)
