from __future__ import annotations

import re
from importlib.resources import files
from itertools import product

import pytest

STYLE = files("airbench_edge.report.html").joinpath("assets/report.css").read_text(encoding="utf-8")
PALETTES = [
    dict(re.findall(r"--([a-z]+): (#[0-9a-f]{3,6});", block)) for block in re.findall(r":root \{(.*?)\}", STYLE, re.S)
]


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_black_and_white() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("palette", PALETTES, ids=["light", "dark", "print"])
def test_every_text_can_be_read_on_every_ground(palette: dict[str, str]) -> None:
    texts = ("ink", "quiet", "official", "strict", "good", "bad", "unsure")
    grounds = ("paper", "card", "hover", "own", "notice")
    pairs = [pair for pair in product(texts, grounds) if pair[1] in palette]
    assert len(pairs) >= 28
    for text, ground in pairs:
        assert contrast(palette[text], palette[ground]) >= 4.5, (text, ground)  # level AA


def test_every_colour_that_is_used_is_defined() -> None:
    used = set(re.findall(r"var\(--([a-z]+)\)", STYLE))
    assert used <= PALETTES[0].keys() | {"shadow"}
    assert PALETTES[0].keys() == PALETTES[1].keys()
