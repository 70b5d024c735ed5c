from __future__ import annotations

from typing import Any

import pytest
from helpers.reading_cases import accepted, options_of, read_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.benchmark.letters import read_letter, strict_letter

SOUNDS = {"A": "rain falling", "B": "dog barking", "C": "a car horn", "D": "people clapping"}
CASES = read_cases("choice_answers.jsonl", "letters_more.jsonl")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_reads_a_response_as_a_careful_reader_does(case: dict[str, Any]) -> None:
    reading = strict_letter(case["response"], options_of(case))
    assert reading.letter in accepted(case), f"{case['response']!r} ({case['why']}): {reading}"


@pytest.mark.parametrize(
    ("response", "how"),
    [
        ("(b)", "whole_letter"),
        ("Dog barking.", "whole_text"),
        ("B. It barks.", "leading_letter"),
        ("I choose B.", "stated_letter"),
        ("A? My final answer is B.", "final_letter"),
        ("See option B of the list.", "named_letter"),
        ("The answer is dog barking.", "stated_text"),
        ("Somebody recorded dog barking there.", "text_in_sentence"),
        ("A dog barks.", "words_of_text"),
        ("It could be B.", "only_candidate"),
        ("A, C and D are wrong.", "only_one_left"),
    ],
)
def test_says_how_a_letter_was_found(response: str, how: str) -> None:
    assert strict_letter(response, SOUNDS) == ("B", how)


@pytest.mark.parametrize(
    ("response", "why"),
    [
        (None, "empty"),
        ("<|endoftext|>", "empty"),
        ("<think>It is B", "only_thinking"),
        ("A and B are right.", "several_letters"),
        ("There is rain falling. There is also dog barking.", "several_texts"),
        ("A. dog barking", "letter_against_text"),
        ("E", "beyond_options"),
        ("A or B", "left_open"),
        ("A. Scratch that.", "taken_back"),
        ("I cannot tell.", "refusal"),
        ("It is not B.", "rejected_only"),
        ("A, B, C, D", "lists_all"),
        ("A loud noise.", "no_option_named"),
    ],
)
def test_says_why_a_response_is_undecided(response: str | None, why: str) -> None:
    assert strict_letter(response, SOUNDS) == (None, why)


def test_a_letter_that_is_also_another_options_text_is_undecided() -> None:
    assert strict_letter("D", {"A": "C", "B": "D", "C": "E", "D": "F"}) == (None, "letter_or_text")


@pytest.mark.parametrize("letter", ["A", "Ｂ", "Ⓒ", "d"])
@pytest.mark.parametrize(
    "decoration",
    [
        "{}",
        " {}\n",
        "({})",
        "[{}]",
        '"{}"',
        "**{}**",
        "`{}`",
        "{}.",
        "{})",
        "Option {}",
        "Answer: {}",
        "\\boxed{{{}}}",
        "<answer>{}</answer>",
        '{{"answer": "{}"}}',
        "```\n{}\n```",
        "<think>?</think>{}",
        "{}<|im_end|>",
        "{0} {0} {0}",
    ],
)
def test_finds_a_letter_in_every_usual_decoration(letter: str, decoration: str) -> None:
    plain_letter = {"Ｂ": "B", "Ⓒ": "C"}.get(letter, letter.upper())
    assert strict_letter(decoration.format(letter), SOUNDS).letter == plain_letter


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_any_number_of_options_can_be_offered(count: int) -> None:
    options = {letter: f"sound {name}" for letter, name in zip("ABCDEF"[:count], "klmnop", strict=False)}
    last = list(options)[-1]
    assert strict_letter(f"The answer is {last}.", options).letter == last
    assert strict_letter(options[last], options).letter == last


def test_read_letter_looks_at_the_rules_name() -> None:
    assert read_letter("official", "Because it barks: B", SOUNDS).letter == "B"
    assert read_letter("strict", "Based on the noise, D", SOUNDS).letter == "D"
    assert read_letter("official", "Based on the noise, D", SOUNDS).letter == "B"


FRAGMENTS = st.sampled_from(
    [
        "A",
        "B",
        "c",
        "E",
        "dog barking",
        "people",
        "clapping",
        "not",
        "no",
        "or",
        "and",
        "but",
        "answer",
        "option",
        "is",
        ".",
        ",",
        "?",
        "\n",
        ":",
        "(",
        ")",
        '"',
        "<think>",
        "</think>",
        "<answer>",
        "\\boxed{",
        "wrong",
        "right",
        "wait",
        "不是",
        "选",
        "\x00",
        "Human:",
        "<|im_end|>",
        "final",
        "maybe",
        "I cannot tell",
        "the second",
        "1",
        "_",
        "*",
        "{",
        "}",
        "~~",
        "\ud800",
        "Ｂ",
        "B)",
    ]
)
ANY_TEXT = st.one_of(
    st.text(), st.lists(FRAGMENTS, max_size=25).map(" ".join), st.lists(FRAGMENTS, max_size=25).map("".join)
)


@settings(max_examples=400, deadline=None)
@given(ANY_TEXT, st.integers(min_value=1, max_value=4))
def test_any_text_gives_an_offered_letter_or_a_reason(text: str, count: int) -> None:
    options = dict(list(SOUNDS.items())[:count])
    reading = strict_letter(text, options)
    assert reading.letter is None or reading.letter in options
    assert reading.how
    assert strict_letter(text, options) == reading


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(min_size=1), min_size=2, max_size=4), ANY_TEXT)
def test_options_may_be_any_texts(choices: list[str], text: str) -> None:
    options = dict(zip("ABCD", choices, strict=False))
    assert strict_letter(text, options).letter in {None, *options}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from("ABCD"), st.sampled_from("ABCD"))
def test_two_chosen_letters_are_never_bent_to_one(first: str, second: str) -> None:
    expected = first if first == second else None
    for response in (f"{first} and {second}", f"Answer: {first}\nAnswer: {second}", f"{first}, {second}"):
        assert strict_letter(response, SOUNDS).letter == expected


@pytest.mark.parametrize("unit", ["B ", "B. dog barking\n", "The answer is B. "])
def test_reads_a_loop_of_a_hundred_thousand_characters(unit: str) -> None:
    assert strict_letter(unit * (100_000 // len(unit)), SOUNDS).letter == "B"


@pytest.mark.parametrize(
    "unit", ["A B ", "not ", "<think>", '" ', "\\boxed{", "<b>", '{"a": ', "A and ", "~~", "\nHuman: ", " ", "1. "]
)
def test_a_million_characters_are_read_at_once(unit: str) -> None:
    strict_letter(unit * (1_000_000 // len(unit)), SOUNDS)
