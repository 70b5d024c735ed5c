from __future__ import annotations

import pytest
from helpers.made_items import answered, by_key, question, unanswered

from airbench_edge.benchmark.items import FoundationItem
from airbench_edge.benchmark.records import AlignedLetter, State
from airbench_edge.benchmark.scores.accuracy import accuracy_bounds, chance, official_accuracy, strict_accuracy
from airbench_edge.benchmark.scores.bounds import Bounds
from airbench_edge.benchmark.scores.marks import ALIGNED, Mark, align, mark_responses


def _mark(item: FoundationItem, text: str) -> Mark:
    return mark_responses([item], by_key(answered(item, text)))[0]


def test_the_same_response_under_both_rules() -> None:
    # The released scorer takes the first character, an A, and counts a wrong answer.
    mark = _mark(question(1), "Answer: B")
    assert (mark.official.letter, mark.official_right) == ("A", False)
    assert (mark.strict.letter, mark.strict_right) == ("B", True)


def test_a_phantom_option_is_wrong_officially_and_undecided_strictly() -> None:
    mark = _mark(question(1, choices=("male", "female"), answer_gt="female"), "C")
    assert (mark.official.letter, mark.official_right) == ("C", False)
    assert mark.strict.letter is None


@pytest.mark.parametrize(("text", "official"), [("A", True), ("C", False)])
def test_where_the_right_text_stands_twice(text: str, official: bool) -> None:
    # The released scorer resolves the key to the first of them; a careful reader accepts both.
    mark = _mark(question(1, choices=("dog", "cat", "dog", "cow"), answer_gt="dog"), text)
    assert mark.official_right is official
    assert mark.strict_right


def test_accuracy_of_every_state() -> None:
    items = [question(number) for number in range(7)]
    responses = by_key(
        answered(items[0], "B"),
        answered(items[1], "A"),
        answered(items[2], ""),
        answered(items[3], "I do not know."),
        unanswered(items[4], State.FAILED),
        unanswered(items[5], State.MISSING_AUDIO),
    )
    marks = mark_responses(items, responses)
    # Official: letters of items 0 and 1, one right; items 2 and 3 are dropped, the others never reach the scorer.
    official = official_accuracy(marks)
    assert (official.right, official.n, official.undecided, official.value) == (1, 2, 2, 0.5)
    # Strict: items 0 to 4 were heard.
    strict = strict_accuracy(marks)
    assert (strict.right, strict.n, strict.undecided, strict.value) == (1, 5, 2, 0.2)
    # Of 7 planned items one is right, and the five without a letter (2, 3, 4, 5 and the pending 6) may be.
    assert accuracy_bounds(marks) == Bounds(1 / 7, 6 / 7)


def test_nothing_readable_is_no_accuracy_officially_and_none_right_strictly() -> None:
    item = question(1)
    marks = mark_responses([item], by_key(answered(item, "")))
    assert official_accuracy(marks).value is None
    assert official_accuracy(marks).interval is None
    assert strict_accuracy(marks).value == 0.0


def test_chance_of_real_options() -> None:
    # A quarter, a half, and two of four texts that are right: (1/4 + 1/2 + 2/4) / 3.
    items = [
        question(1),
        question(2, choices=("male", "female"), answer_gt="male"),
        question(3, choices=("dog", "cat", "dog", "cow"), answer_gt="dog"),
    ]
    assert chance(mark_responses(items, {})) == pytest.approx(1.25 / 3)


def test_an_aligner_is_read_in_place_of_the_response() -> None:
    item = question(1)
    reply = AlignedLetter(1, "B")
    mark = align([_mark(item, "It sounds like brass to me")], {reply.key: reply})[0]
    assert (mark.official.letter, mark.strict.letter) == ("B", "B")
    assert mark.strict.how == ALIGNED


def test_an_aligner_that_failed_changes_nothing() -> None:
    mark = _mark(question(1), "B")
    failed = AlignedLetter(1, failure="too_long")
    assert align([mark], {failed.key: failed}) == [mark]
    assert align([mark], {}) == [mark]


def test_an_aligner_cannot_answer_for_an_empty_response() -> None:
    # Its prompt has it guess; the released scripts count that guess.
    reply = AlignedLetter(1, "B")
    mark = align([_mark(question(1), "")], {reply.key: reply})[0]
    assert mark.official_right
    assert mark.strict.letter is None
