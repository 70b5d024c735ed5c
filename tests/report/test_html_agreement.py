from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers.command_line import airbench_edge
from helpers.judged_runs import items_of, run_by, same

from airbench_edge.report.agreement import AgreementModel, compare_judges
from airbench_edge.report.html import write_agreement
from airbench_edge.report.html.bland_altman import HEIGHT, WIDTH, bland_altman
from browser import Browser, chromium

NAMES = ("small", "large")
ITEMS = items_of({("sound_QA", "clotho"): 3, ("music_QA", "musiccaps"): 1})
SMALL, LARGE = [same(4), same(4), same(2), same(7)], [same(4), same(4), same(9), same(5)]


def model() -> AgreementModel:
    return compare_judges([run_by(ITEMS, SMALL, LARGE)], NAMES)


def page(path: Path, compared: AgreementModel) -> str:
    write_agreement(path, compared)
    return path.read_text(encoding="utf-8")


def test_points_of_the_figure_by_hand() -> None:
    points = model().readings[0].points
    # Scores 4|4 twice, 2|9 and 7|5: means of the two judges 4, 5.5 and 6; differences 0, 7 and -2.
    assert [(point.mean, point.difference, point.answers) for point in points] == [(4, 0, 2), (5.5, 7, 1), (6, -2, 1)]


def test_the_figure_holds_every_answer_and_says_its_lines() -> None:
    reading = model().readings[0]
    figure = bland_altman(reading)
    assert len(figure.dots) == 3
    for dot in figure.dots:
        assert figure.left <= dot.x <= figure.right
        assert dot.y - dot.radius >= 0 and dot.y + dot.radius <= HEIGHT
    first, second, third = figure.dots
    assert first.radius > second.radius == third.radius  # two answers against one each
    assert second.y < first.y < third.y  # upwards: second judge gives more
    limits = reading.parts[-1].agreement.limits
    assert limits is not None
    assert [level.words for level in figure.levels] == [
        "",
        "mean +1.25",  # (0 + 0 + 7 - 2) / 4
        f"limit {limits.high:+.2f}",
        f"limit {limits.low:+.2f}",
    ]
    assert figure.right < WIDTH


def test_the_page_shows_tables_figure_and_answers(tmp_path: Path) -> None:
    text = page(tmp_path / "page.html", model())
    assert "4 answers" in text
    (picture,) = re.findall(r"<svg class=\"agreement\".*?</svg>", text, re.S)
    tree = ElementTree.fromstring(picture)
    assert len(tree.findall("circle")) == 3
    assert "2 of mean 4.00 and difference +0.00" in picture
    assert text.index("2 2 → 9 9 (+7.0)") < text.index("7 7 → 5 5 (-2.0)")
    assert "NOT THE OFFICIAL PROMPT" not in text
    assert "default-src &#39;none&#39;" in text
    assert page(tmp_path / "again.html", model()) == text


def test_words_of_models_are_escaped(tmp_path: Path) -> None:
    attack = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    run = run_by(ITEMS, SMALL, LARGE, name=attack)
    text = page(tmp_path / "page.html", compare_judges([run], NAMES))
    assert attack not in text
    assert "&lt;script&gt;alert(1)" in text


def test_the_command_writes_the_page_and_no_file_of_the_run(tmp_path: Path) -> None:
    refused = airbench_edge("judge", "compare", tmp_path, "--judges", "a,b", "--json", "--html", tmp_path / "x.html")
    assert refused.code == 2
    assert "give one or the other" in " ".join(refused.err.replace("│", " ").split())


@pytest.mark.slow
@pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [1280, 400])
def test_a_browser_shows_it_and_its_policy_refuses_nothing(tmp_path: Path, width: int) -> None:
    place = tmp_path / "page.html"
    page(place, model())
    program = chromium()
    assert program is not None
    with Browser(program) as browser:
        browser.show(place, width=width)
        assert browser.complaints == []
        assert browser.requests == [place.as_uri()]
        assert browser.run("document.documentElement.scrollWidth") <= width
        assert browser.run("document.querySelector('.agreement').getBoundingClientRect().height") > 100
