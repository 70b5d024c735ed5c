import pytest
from hypothesis import given
from hypothesis import strategies as st

from airbench_edge.benchmark.answer_key import read_key
from airbench_edge.benchmark.notes import Unusable

OPTIONS = {"A": "rain", "B": "dog barking", "C": "car horn", "D": "clapping"}


def problem_of(options: dict[str, str], answer_gt: str) -> str:
    with pytest.raises(Unusable) as caught:
        read_key(options, answer_gt)
    return caught.value.problem.kind


@pytest.mark.parametrize(("answer_gt", "letter"), [("rain", "A"), ("dog barking", "B"), ("clapping", "D")])
def test_exact_text_needs_no_word(answer_gt: str, letter: str) -> None:
    key = read_key(OPTIONS, answer_gt)
    assert key.letters == (letter,)
    assert key.problem is None


@pytest.mark.parametrize(
    "answer_gt", [" Dog  barking. ", "DOG BARKING", "dog\tbarking", "dog barking\n", "ｄog barking"]
)
def test_other_spelling_is_recognised_and_said(answer_gt: str) -> None:
    key = read_key(OPTIONS, answer_gt)
    assert key.letters == ("B",)
    assert key.problem is not None
    assert key.problem.kind == "gt_spelling"


def test_numbers_are_compared_as_numbers() -> None:
    assert read_key({"A": "62", "B": "48.0"}, "48").letters == ("B",)
    assert read_key({"A": "62", "B": "48"}, "48.00").letters == ("B",)


@pytest.mark.parametrize("answer_gt", ["B", "b", "B.", "(B)", " b) "])
def test_letter_is_recognised_and_said(answer_gt: str) -> None:
    key = read_key(OPTIONS, answer_gt)
    assert key.letters == ("B",)
    assert key.problem is not None
    assert key.problem.kind == "gt_letter"


def test_text_of_an_option_goes_before_its_letter() -> None:
    # "A" is the text of option C here (a note name), so it is not the letter A.
    assert read_key({"A": "B", "B": "C", "C": "A"}, "A").letters == ("C",)


def test_text_and_letter_that_disagree_are_ambiguous() -> None:
    assert problem_of({"A": "b", "B": "c", "C": "a"}, "A.") == "ambiguous_gt"


def test_exact_text_goes_before_alike_text() -> None:
    assert read_key({"A": "am", "B": "AM", "C": "Am"}, "Am").letters == ("C",)
    assert problem_of({"A": "am", "B": "AM"}, "Am") == "ambiguous_gt"


def test_right_text_that_stands_twice_counts_twice() -> None:
    key = read_key({"A": "rock", "B": "pop", "C": "rock"}, "rock")
    assert key.letters == ("A", "C")
    assert key.problem is not None
    assert key.problem.kind == "same_choice_twice"
    assert read_key({"A": "rock", "B": "pop", "C": "rock"}, "Rock.").letters == ("A", "C")


@pytest.mark.parametrize("answer_gt", ["thunder", "E", "C", "D", "A B", "None", "."])
def test_key_that_is_no_option(answer_gt: str) -> None:
    assert problem_of({"A": "fake", "B": "real"}, answer_gt) == "gt_not_in_choices"


@given(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=4), st.text(min_size=1, max_size=8))
def test_letters_always_exist_and_share_one_text(texts: list[str], answer_gt: str) -> None:
    options = dict(zip("ABCD", texts, strict=False))
    try:
        key = read_key(options, answer_gt)
    except Unusable:
        assert answer_gt not in texts
    else:
        assert len({options[letter] for letter in key.letters}) == 1
        if answer_gt in texts:
            assert [options[letter] for letter in key.letters] == [answer_gt] * texts.count(answer_gt)
