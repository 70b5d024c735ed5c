from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace

import msgspec
import pytest
from helpers.example_run import example_run
from helpers.hostile_run import HOSTILE, with_texts
from helpers.html_page import ComparisonPage
from helpers.run_pairs import answers_run, judged_run, moved_run

from airbench_edge.benchmark.items import FoundationItem, Track
from airbench_edge.report.compare import compare_runs
from airbench_edge.report.html.comparison_rows import change_scale
from airbench_edge.run.folder import RunData


@pytest.fixture(scope="module")
def page() -> ComparisonPage:
    return ComparisonPage(example_run(), moved_run("other"))


def _all_b(run: RunData) -> RunData:
    """The run with B everywhere: the texts of others are option A, so every item of which A or B is right moves."""
    return replace(
        run,
        responses={key: msgspec.structs.replace(response, text="B") for key, response in run.responses.items()},
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_others_stay_texts(text: str) -> None:
    def of(words: str) -> ComparisonPage:
        run = with_texts(words)
        return ComparisonPage(_all_b(run), run)

    hostile, harmless = of(text), of("harmless")
    assert hostile.shape == harmless.shape
    assert text in hostile.data["texts"]
    assert harmless.source.count("</script") == hostile.source.count("</script") == 2


def test_the_policy_lets_only_the_one_script_and_the_one_style_pass(page: ComparisonPage) -> None:
    policy = next(attrs["content"] for _, attrs in page.elements if "http-equiv" in attrs)
    running = [(tag, text) for tag, attrs, text in page.inner if "type" not in attrs]
    assert [tag for tag, _ in running] == ["style", "script"]
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for _, text in running]
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes[1]}'; style-src 'sha256-{hashes[0]}'; "
        "media-src 'none'; base-uri 'none'; form-action 'none'"
    )


def test_nothing_comes_from_elsewhere(page: ComparisonPage) -> None:
    assert all(address.startswith("#") for address in page.values("href"))
    assert page.values("src", "srcset", "action", "data", "poster", "style", "xlink:href") == []
    for _, attrs, text in page.inner:
        if "type" not in attrs:
            assert not re.search(r"https?:|//\w|@import|url\(|innerHTML|eval\(|fetch\(", text)


def test_every_link_within_the_page_leads_somewhere(page: ComparisonPage) -> None:
    ids = set(page.values("id"))
    links = [address[1:] for address in page.values("href") if not address.startswith("#task/")]
    assert links
    assert set(links) <= ids
    chosen = [address.removeprefix("#task/") for address in page.values("href") if address.startswith("#task/")]
    assert chosen
    assert set(chosen) <= set(page.values("value"))


def test_equal_runs_give_equal_bytes(page: ComparisonPage) -> None:
    assert ComparisonPage(example_run(), moved_run("other")).source == page.source


def test_the_figures_are_those_of_the_comparison(page: ComparisonPage) -> None:
    foundation, chat = compare_runs([example_run(), moved_run("other")], "strict").others[0].sections
    average = foundation.means[-1]
    assert average.first is not None
    assert average.second is not None
    for figure in (
        f"First {100 * average.first:.1f} Second {100 * average.second:.1f} Change",
        f"{len(foundation.moved)} items of 540 came out otherwise",
        f"{len(chat.moved)} items of {sum(task.n for task in chat.tasks)} came out otherwise",
    ):
        assert figure in page.text, figure


def test_every_item_that_moved_is_there_with_what_was_asked(page: ComparisonPage) -> None:
    foundation, chat = compare_runs([example_run(), moved_run("other")], "strict").others[0].sections
    texts, items = page.data["texts"], page.data["items"]
    assert items["id"] == [str(item.uniq_id) for section in (foundation, chat) for item in section.moved]
    asked = {(item.key.track, str(item.uniq_id)): item for item in example_run().items}
    for place, (section, name) in enumerate(zip(items["section"], items["id"], strict=True)):
        item = asked[Track.CHAT if section else Track.FOUNDATION, name]
        assert texts[items["question"][place]] == item.question
        if isinstance(item, FoundationItem):
            options = [text and texts[text] for text in items["choices"][place]]
            assert [option for option in options if option] == list(item.options.values())
            assert items["reference"][place] is None
        else:
            assert items["choices"][place] is None
            assert texts[items["reference"][place]] == item.answer_gt


def test_a_letter_that_was_not_found_is_undecided_and_not_wrong() -> None:
    page = ComparisonPage(answers_run("one", ["B", "B"]), answers_run("two", ["hm", "A"]))
    words = [page.data["texts"][number] for number in page.data["items"]["second_result"]]
    assert words == ["undecided", "wrong"]


def test_several_runs_have_a_name_and_a_table_each() -> None:
    page = ComparisonPage(example_run(), moved_run("int8", 7), moved_run("int4", 2))
    assert "Foundation of int8 Chat of int8 Foundation of int4 Chat of int4" in page.text
    assert len([attrs for tag, attrs in page.elements if attrs.get("class") == "chart"]) == 4
    assert [attrs for tag, attrs in page.elements if attrs.get("name") == "section"]
    assert set(page.data["items"]["section"]) == {0, 1, 2, 3}


def test_runs_of_one_model_are_called_by_their_folders() -> None:
    page = ComparisonPage(answers_run("runs/a", ["B"]), answers_run("runs/b", ["A"]))
    assert "runs/b beside runs/a" in page.text


def test_runs_that_say_the_same_have_no_item_to_show() -> None:
    page = ComparisonPage(example_run(), example_run())
    assert "0 items of 540 came out otherwise: 0 worse, 0 better" in page.text
    assert "Nothing: model, data set, selection and prompt are the same." in page.text
    assert page.data["items"]["id"] == []


def test_a_mean_without_a_figure_says_why() -> None:
    page = ComparisonPage(answers_run("one", ["B", "B"]), answers_run("two", ["B", "A"]))
    assert "Average has no figure, for want of these categories: speech, sound, music." in page.text
    assert "not complete, see below" in page.text


def test_a_scale_holds_every_change_with_zero_in_the_middle() -> None:
    # 2 of 4 scores rise, by 1 and 2: the mean change is 0.75, its interval ends below 2.
    (section,) = (
        compare_runs([judged_run("one", [4, 5, 6, 7]), judged_run("two", [5, 7, 6, 7])], "strict").others[0].sections
    )
    scale = change_scale(section)
    assert (scale.low, scale.high, scale.at(0.0)) == (-2.0, 2.0, 50.0)
    assert scale.ticks == {"−2": -2.0, "−1": -1.0, "0": 0.0, "+1": 1.0, "+2": 2.0}
    (same,) = compare_runs([answers_run("one", ["B"]), answers_run("two", ["B"])], "strict").others[0].sections
    assert change_scale(same).high == 0.02
