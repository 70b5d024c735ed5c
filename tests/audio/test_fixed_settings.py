"""Tests of airbench_edge.audio.fixed_settings."""

from __future__ import annotations

import pytest

from airbench_edge.audio.fixed_settings import check_settings
from airbench_edge.errors import InputError

BUILT = {"n_fft": 512, "n_mels": 80}


def test_what_is_built_or_unknown_passes() -> None:
    check_settings({}, BUILT, "A")
    check_settings({"n_fft": 512, "image_mean": [0.5], "melspec": {"n_mels": 80, "other": 1}}, BUILT, "A")


@pytest.mark.parametrize("found", [{"n_mels": 64}, {"n_fft": 512, "melspec": {"n_mels": 64}}])
def test_another_setting_is_refused_with_both_sides(found: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"n_mels is 64, and only 80 is built here: this front end knows A\."):
        check_settings(found, BUILT, "A")
