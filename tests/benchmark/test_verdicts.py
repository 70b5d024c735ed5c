from __future__ import annotations

from typing import Any

import pytest
from helpers.reading_cases import read_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.benchmark.verdicts import official_verdict, read_verdict, strict_verdict

CASES = read_cases("judge_outputs.jsonl", "verdicts_more.jsonl")


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        *((text, (9, 6)) for text in ("9 6", "9 6\n", "\t9 6", "+9 6")),
        ("10 10", (10, 10)),
        ("0 0", (0, 0)),
        ("-3 5", (-3, 5)),
    ],
)
def test_the_official_rule_takes_two_integers_with_one_space(text: str, scores: tuple[int, int]) -> None:
    assert official_verdict(text) == (scores, "two_integers")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9\n6", "not_two_parts"),  # becomes 96
        ("9  6", "not_two_parts"),
        ("9\t6", "not_two_parts"),
        ("9, 6", "not_integers"),
        ("9 6.", "not_integers"),
        ("8.5 7", "not_integers"),
        ("9/10 6/10", "not_integers"),
        ("11 6", "above_ten"),
        ("9 6 extra", "not_two_parts"),
        ("Assistant 1: 9 6", "not_two_parts"),
        ("9 6\n\nBoth are good.", "not_two_parts"),
        ("", "not_two_parts"),
        (None, "not_two_parts"),
    ],
)
def test_the_official_rule_drops_all_else(text: str | None, why: str) -> None:
    assert official_verdict(text) == (None, why)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_reads_a_reply_as_a_careful_reader_does(case: dict[str, Any]) -> None:
    reading = strict_verdict(case["text"], case.get("finish", "unknown"))
    scores = None if reading.scores is None else list(reading.scores)
    assert scores == case["expected"], f"{case['text']!r} ({case['why']}): {reading}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8 7", "two_scores"),
        ("1. 8\n2. 7", "numbered_list"),
        ("Assistant 2: 7, Assistant 1: 8", "named_scores"),
        ("Both assistants receive 8.", "same_score"),
        (None, "empty"),
        ("<think>8 7", "only_thinking"),
        ("Both are good.", "no_scores"),
        ("8", "one_score"),
        ("8 dogs and 7 cats", "no_clear_pair"),
        ("8.5 7", "not_integer"),
        ("0 7", "out_of_range"),
        ("4/5 3/5", "other_scale"),
        ("Assistant 1: 7-8, Assistant 2: 6", "range"),
        ("Assistant 1: 8, 7; Assistant 2: 6, 5", "several_values"),
        ("8 7\n7 8", "contradictory"),
    ],
)
def test_names_the_form_or_the_reason(text: str | None, why: str) -> None:
    assert strict_verdict(text).why == why


SCORES = st.integers(min_value=1, max_value=10)


@settings(max_examples=60, deadline=None)
@given(SCORES, SCORES)
def test_every_pair_of_scores_is_read_in_its_order(first: int, second: int) -> None:
    forms = [f"{first} {second}", f"{first}, {second}", f"**{first} {second}**", f"{first}/10 {second}/10"]
    forms += [f"Assistant 1: {first}\nAssistant 2: {second}", f"Assistant 2: {second}\nAssistant 1: {first}"]
    assert [strict_verdict(form).scores for form in forms] == [(first, second)] * len(forms)
    assert official_verdict(forms[0]).scores == (first, second)


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=-20, max_value=200), st.integers(min_value=-20, max_value=200))
def test_nothing_out_of_range_is_clamped(first: int, second: int) -> None:
    in_range = 1 <= first <= 10 and 1 <= second <= 10
    assert strict_verdict(f"{first} {second}").scores == ((first, second) if in_range else None)


FRAGMENTS = st.sampled_from(
    [
        "8",
        "7",
        "10",
        "0",
        "8.5",
        " ",
        "\n",
        ",",
        "/10",
        "Assistant 1",
        "Assistant 2",
        ":",
        "and",
        "Scores",
        "final",
        "both",
        "-",
        "(",
        ")",
        '"',
        "not",
        "<think>",
        "</think>",
        "1.",
        "2.",
        "助手1",
        "分",
        "½",
        "\ud800",
        "|",
        "{",
        "}",
        "accuracy",
        "wrote",
    ]
)
ANY_TEXT = st.one_of(
    st.text(), st.lists(FRAGMENTS, max_size=20).map(" ".join), st.lists(FRAGMENTS, max_size=20).map("".join)
)


@settings(max_examples=400, deadline=None)
@given(ANY_TEXT, st.sampled_from(["stop", "length", "unknown"]))
def test_any_reply_gives_two_scores_or_a_reason(text: str, finish: str) -> None:
    reading = read_verdict("strict", text, finish)
    assert reading.why
    assert reading.scores is None or all(1 <= score <= 10 for score in reading.scores)
    assert read_verdict("strict", text, finish) == reading
    assert read_verdict("official", text, finish) == official_verdict(text)


@settings(max_examples=100, deadline=None)
@given(SCORES, SCORES, st.integers(min_value=1, max_value=40))
def test_a_cut_reply_never_gives_other_scores_than_the_whole_one(first: int, second: int, length: int) -> None:
    # "8 1" may be the beginning of "8 10": it is no verdict.
    whole = f"Assistant 1: {first}\nAssistant 2: {second}\nBoth are good."
    assert strict_verdict(whole[:length], "length").scores in {None, (first, second)}


@pytest.mark.parametrize("unit", ["8 7 ", "1. ", "Assistant 1 ", '" ', "(", "<think>", "8,", "1 to 10 "])
def test_a_million_characters_are_read_at_once(unit: str) -> None:
    strict_verdict(unit * (1_000_000 // len(unit)))
