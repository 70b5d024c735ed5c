"""Audio Flamingo 3 and GLM-ASR, which only transformers 5 has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", minversion="5.0", reason="these families came with transformers 5")

from helpers.tiny_windowed import make_audioflamingo3, make_glmasr
from helpers.waveforms import chirp

from airbench_edge.export.folder import export_checkpoint
from airbench_edge.export.verify import verify

pytestmark = pytest.mark.slow

# Windows of 10 s, at most 3 of them: one, one just full, two by the skin of their teeth, three, more than are heard.
CLIPS = {f"{seconds} s": chirp(seconds, 200 + 10 * seconds) for seconds in (0.5, 3, 9.99, 10, 10.01, 20.5, 29.995, 35)}


@pytest.mark.parametrize("make", [make_audioflamingo3, make_glmasr])
def test_float32_says_the_same_token_for_token(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "checkpoint")
    export_checkpoint(tmp_path / "checkpoint", tmp_path / "out")
    results = list(verify(tmp_path / "checkpoint", tmp_path / "out", CLIPS, new_tokens=24))
    assert [result.clip for result in results] == list(CLIPS)
    for result in results:
        assert result.first_difference is None
        assert result.logit_difference < 1e-3 < 5 < result.logit_range
