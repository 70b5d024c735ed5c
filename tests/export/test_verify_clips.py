from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from helpers.waveforms import chirp

from airbench_edge.errors import InputError
from airbench_edge.export.verify_clips import SECONDS, built_in, from_folder


def test_the_built_in_clips_are_half_a_second_to_35_seconds_long() -> None:
    lengths = [len(clip(16_000)) / 16_000 for clip in built_in().values()]
    assert lengths == list(SECONDS)
    assert (lengths[0], lengths[-1]) == (0.5, 35.0)


def test_the_built_in_clips_are_sound_the_same_every_time_and_unlike_each_other() -> None:
    first, again = ([clip(8_000) for clip in built_in().values()] for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one, other)
        assert 0.1 < np.sqrt(np.mean(one**2)) < np.abs(one).max() <= 1
    assert not any(np.array_equal(first[0], clip[: len(first[0])]) for clip in first[1:])


def test_a_folder_is_read_with_its_folders_at_the_rate_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    soundfile.write(tmp_path / "inner" / "b.wav", chirp(0.5), 16_000)
    soundfile.write(tmp_path / "a.flac", chirp(1.0), 16_000)
    (tmp_path / ".hidden").write_text("no sound")
    clips = from_folder(tmp_path)
    assert {name: len(clip(8_000)) for name, clip in clips.items()} == {"a.flac": 8_000, "inner/b.wav": 4_000}


def test_folders_without_sound_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        from_folder(tmp_path / "none")
    with pytest.raises(InputError, match="There is no file in"):
        from_folder(tmp_path)
    (tmp_path / "notes.txt").write_text("no sound")
    with pytest.raises(InputError, match=r"notes\.txt"):
        from_folder(tmp_path)["notes.txt"](16_000)
