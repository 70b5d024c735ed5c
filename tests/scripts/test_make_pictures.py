from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers.example_run import example_run

import make_pictures
from airbench_edge.report.build import build_report

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module")
def picture() -> str:
    return make_pictures.terminal_picture(build_report(example_run()), "airbench-edge report runs/<example>")


def _text(picture: str) -> str:
    return "".join(ElementTree.fromstring(picture).itertext()).replace("\xa0", " ")


def test_the_figures_of_the_report_are_in_the_picture(picture: str) -> None:
    # As the terminal prints them: foundation 56.4 and 54.4, chat 4.77 and 5.56.
    for words in ("Foundation in %", "56.4", "54.4", "4.77", "5.56", "Speaker gender recognition", "runs/<example>"):
        assert words in _text(picture), words


def test_it_holds_the_figures_and_neither_the_identities_before_nor_the_legend_after(picture: str) -> None:
    assert "Result" in _text(picture)
    assert "qwen2_audio" not in _text(picture)
    assert "How to read it" not in _text(picture)


def test_it_loads_nothing_and_equal_reports_give_equal_pictures(picture: str) -> None:
    assert not re.search(r"@font-face|url\((?!#)|href", re.sub(r'clip-path="url\(#[^)]*\)"', "", picture))
    again = make_pictures.terminal_picture(build_report(example_run()), "airbench-edge report runs/<example>")
    assert again == picture


def test_no_line_is_cut(picture: str) -> None:
    lines = [float(length) for length in re.findall(r'textLength="([0-9.]+)"', picture)]
    assert max(lines) <= make_pictures.COLUMNS * 12.2 + 0.1  # Rich gives a letter 12.2 units


def test_every_picture_of_the_readme_is_there_and_all_are_small() -> None:
    named = set(re.findall(r"docs/pictures/[a-z]+\.(?:svg|png)", README.read_text(encoding="utf-8")))
    files = sorted(make_pictures.PICTURES.iterdir())
    assert {f"docs/pictures/{file.name}" for file in files} == named
    assert sum(file.stat().st_size for file in files) < 1_000_000
