from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import msgspec
import pytest
from helpers import official_case
from helpers.example_run import JUDGE, example_run, judged
from helpers.hostile_run import HOSTILE, with_texts
from helpers.html_page import Page

from airbench_edge.benchmark.records import Response, State
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.run.folder import Judged


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(example_run())


@pytest.mark.parametrize("text", [*HOSTILE, "<!--", "</title>", "</style>"])
def test_texts_of_others_stay_texts(text: str) -> None:
    hostile, harmless = Page(with_texts(text)), Page(with_texts("harmless"))
    assert hostile.shape == harmless.shape
    assert text in hostile.data["texts"]
    assert harmless.source.count("</script") == hostile.source.count("</script") == 2


def test_texts_of_others_are_no_templates() -> None:
    assert "{{ model.schema }}" in Page(with_texts("{{ model.schema }}")).text


def test_unknown_tasks_with_hostile_names_stay_texts() -> None:
    def of(task: str) -> Page:
        items = tuple(msgspec.structs.replace(item, task=task) for item in official_case.items()[:20])
        return Page(example_run(items=items))

    for text in HOSTILE:
        page = of(text)
        assert page.shape == of("harmless").shape
        assert f"foundation/{text}" in page.values("value")


def test_the_policy_lets_only_the_one_script_and_the_one_style_pass(page: Page) -> None:
    policy = next(attrs for _, attrs in page.elements if attrs.get("http-equiv") == "Content-Security-Policy")[
        "content"
    ]
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    running = [(tag, text) for tag, attrs, text in page.inner if "type" not in attrs]
    assert [tag for tag, _ in running] == ["style", "script"]
    for tag, text in running:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"
    assert rules["default-src"] == rules["media-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    # It holds from where it stands on, so it stands before everything that it is about.
    assert page.source.index("Content-Security-Policy") < page.source.index("<style")


def test_nothing_comes_from_elsewhere(page: Page) -> None:
    assert all(address.startswith("#") for address in page.values("href"))
    assert page.values("src", "srcset", "action", "data", "poster", "style", "xlink:href") == []
    assert not [attrs for _, attrs in page.elements if any(name.startswith("on") for name in attrs)]
    for _, attrs, text in page.inner:
        if "type" not in attrs:
            assert not re.search(r"https?:|//\w|@import|url\(|innerHTML|eval\(|fetch\(", text)


def test_equal_runs_give_equal_bytes(page: Page) -> None:
    assert Page(example_run()).source == page.source
    assert Page(example_run(path=Path("elsewhere"))).source == page.source


def test_the_figures_are_those_of_the_report(page: Page) -> None:
    # As the terminal prints them: foundation 56.4 and 54.4, chat 4.77 and 5.56.
    for figure in ("56.4", "54.4", "4.77", "5.56", "95 % interval 4.44–5.11", "540 of 540 items heard (100 %)"):
        assert figure in page.text, figure


def test_published_models_with_this_one_among_them(page: Page) -> None:
    chat = page.text[page.text.index("Qwen2-Audio") :]
    assert chat.index("BLSP") < chat.index("nano") < chat.index("PandaGPT")
    assert "average 7 of 11" in chat


def test_synthetic_data_stand_beside_nobody() -> None:
    page = Page(example_run(synthetic=True))
    assert "Qwen2-Audio" not in page.text
    assert "Not shown: the clips and questions of this data set are synthetic" in page.text
    assert ("circle", "class") not in {(tag, *attrs) for tag, attrs in page.elements if "published" in str(attrs)}


def test_partial_runs_say_why_they_have_no_place() -> None:
    items = official_case.items()[:20]
    page = Page(example_run(items=items, verdicts={}))
    assert "No place can be given" in page.text
    assert "The average has no figure, for want of these categories" in page.text
    assert "Chat" not in page.words


def test_what_is_missing_is_said() -> None:
    lost, *_ = official_case.items()
    responses = {**official_case.responses(), lost.key: Response(*lost.key, State.MISSING_AUDIO, reason="No clip.")}
    page = Page(example_run(responses=responses))
    assert "1 item without a clip" in page.text
    assert "539 of 540 items heard (99.8 %)" in page.text


def test_one_section_for_each_judge() -> None:
    other: Judged = judged(official_case.items(), (), JudgeIdentity("openai", "another", {}))
    page = Page(example_run(verdicts={"a": example_run().verdicts[JUDGE.name], "b": other}))
    assert page.text.count("scores of 1 to 10 by another") == 2
    assert "0 of 228 items judged (0.0 %)" in page.text
    assert [attrs for tag, attrs in page.elements if attrs.get("name") == "judge"]


def test_a_judge_of_a_sample_is_called_one() -> None:
    page = Page(example_run(verdicts={"a": judged(official_case.chat_items()[:100], ())}))
    assert "0 of 100 items of the sample judged" in page.text
    assert page.words.count("not complete, see below") == 2  # official and strict


def test_the_overview_needs_no_script(page: Page) -> None:
    hidden = [attrs.get("id") for _, attrs in page.elements if "hidden" in attrs]
    assert hidden == ["filters", "count", "scroller"]
    assert "noscript" in {tag for tag, _ in page.elements}


def test_a_mark_for_each_figure_of_the_charts(page: Page) -> None:
    kinds = [attrs.get("class") for tag, attrs in page.elements if tag in ("line", "circle", "path")]
    # 19 tasks, 3 categories, the average, once more on the card and in the legend.
    assert kinds.count("chance") == 19 + 3 + 1 + 1 + 1
    # 4 categories, 2 groups, the average, its card, the legend.
    assert kinds.count("reference-first") == kinds.count("model-first") == 4 + 2 + 1 + 1 + 1
