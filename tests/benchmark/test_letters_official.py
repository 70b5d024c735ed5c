from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.benchmark.letters import official_letter, read_letter

READ = {
    # The first character is a capital A to D.
    **dict.fromkeys(["B", "B.", "B\nA", " B", "\nB", "Because", "Based on the audio, D."], "B"),
    **dict.fromkeys(["Answer: B", "Answer: B.", "A dog barks"], "A"),
    **dict.fromkeys(["Choose A", "Cannot tell"], "C"),
    "Definitely B": "D",
    # Otherwise the last but one.
    **dict.fromkeys(
        ["(B)", "[B]", '"B"', "The answer is B.", "The answer is (B)", "It is B)", "Option B:", "答案是B。"], "B"
    ),
    "I hear a CD": "C",
}
FAILED = [
    "b",
    "The answer is B",
    "The answer is (B).",
    "**B**",
    "The answer is: B. b-text",
    "None",
    "",
    "  \n ",
    "x",
    None,
]


@pytest.mark.parametrize(("response", "letter"), READ.items())
def test_reads_what_the_released_script_reads(response: str, letter: str) -> None:
    assert official_letter(response).letter == letter


@pytest.mark.parametrize("response", FAILED)
def test_fails_where_the_released_script_fails(response: str | None) -> None:
    assert official_letter(response).letter is None


def test_says_which_character_it_was() -> None:
    assert official_letter("B").how == "first_character"
    assert official_letter("(B)").how == "second_to_last_character"
    assert official_letter("None").how == "empty"
    assert official_letter("b").how == "no_letter"


def test_line_feeds_are_deleted_before_the_characters_are_counted() -> None:
    # "is B\n." becomes "is B.": the last but one character is B.
    assert official_letter("is B\n.").letter == "B"


def test_a_letter_that_is_not_offered_is_still_read() -> None:
    assert read_letter("official", "D", {"A": "male", "B": "female"}).letter == "D"


@settings(max_examples=200)
@given(st.text())
def test_any_text_gives_one_of_four_letters_or_none(text: str) -> None:
    stripped = text.strip().replace("\n", "")
    letter = official_letter(text).letter
    assert letter in {"A", "B", "C", "D", None}
    assert letter is None or letter in {stripped[0], stripped[-2:-1]}
