from __future__ import annotations

import numpy as np
import pytest

from airbench_edge.audiolm.whisper.decoding import Decoded, Opening
from airbench_edge.audiolm.whisper.guards import compression_ratio, has_no_speech, repeats_itself
from airbench_edge.audiolm.whisper.languages import LANGUAGES, language_name

BEST_OF_TIMES = (
    "It was the best of times, it was the worst of times. It was the age of wisdom, it was the age of foolishness. It "
    "was the epoch of belief, it was the epoch of incredulity. It was the season of light, it was the season of "
    "darkness."
)


def opening(no_speech: float) -> Opening:
    return Opening(None, 1.0, no_speech, np.zeros(1, np.float32))


@pytest.mark.parametrize(
    ("no_speech", "average", "text", "silent"),
    [
        (0.95, -0.70, " you", True),  # tiny.en on digital silence
        (0.93, -0.12, " Yn yw'n" * 40, True),  # base on faint noise
        (0.12, -0.39, " Ever tried, ever failed.", False),  # a clear recording
        (0.55, -1.87, " I'm gonna be a", False),  # bad speech, but speech
        (0.33, -0.11, " " + "_" * 200, True),  # base on clicks
        (0.10, -0.30, " \u266a \u266a", True),
        (0.10, -0.30, " \u3053\u3093\u306b\u3061\u306f", False),
        (0.70, -0.20, " Stop!", False),  # sure of its words against a noisy background
    ],
)
def test_silence_needs_two_witnesses(no_speech: float, average: float, text: str, silent: bool) -> None:
    assert has_no_speech(opening(no_speech), Decoded([], average), text) is silent


def test_rhetoric_is_no_loop() -> None:
    assert not repeats_itself(BEST_OF_TIMES)
    assert repeats_itself("Thank you. " * 12)
    assert not repeats_itself("")


def test_the_ratio_is_that_of_zlib() -> None:
    # 1000 equal bytes pack into 17: 2 of header, 11 of block, 4 of checksum.
    assert compression_ratio("a" * 1000) == pytest.approx(1000 / 17, rel=0.1)
    assert compression_ratio("") == 0


def test_languages_have_names() -> None:
    assert (LANGUAGES["de"], LANGUAGES["haw"], LANGUAGES["ht"]) == ("German", "Hawaiian", "Haitian Creole")
    assert all(2 <= len(code) <= 3 and name[0].isupper() for code, name in LANGUAGES.items())
    assert language_name("xx") == "xx"
