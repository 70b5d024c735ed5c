from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.benchmark.letters.cleaning import first_turn, tidy, without_thinking
from airbench_edge.benchmark.letters.markup import plain


def test_tidy_gives_each_character_one_form() -> None:
    assert tidy("\ufeffＢ\u200b\r\n（ｃ）\x00it’s") == "B\n(c) it's"


def test_a_loop_in_a_very_long_text_is_cut_to_three_turns() -> None:
    assert tidy("B. rain\n" * 5_000) == "B. rain\n" * 3
    assert tidy("0" * 5_000) == "0" * 5_000  # a short text is not touched


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("B", "B"),
        ("<think>A</think>B", "B"),
        ("A</think>B", "B"),
        ("<think>A", None),
        ("<think>one</think><THINK>two</THINK>B", "B"),
        ("B<think>sure?</think>", "B"),
        ("<|channel|>analysis<|message|>A<|end|><|channel|>final<|message|>B", "B"),
    ],
)
def test_thinking_is_cut_out(text: str, outside: str | None) -> None:
    assert without_thinking(text) == outside


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("B<|im_end|>\n<|im_start|>user\nA", "B"),
        ("<|im_start|>assistant\nB", "B"),
        ("[/INST] B", "B"),
        ("B\n\nHuman: next\nAssistant: A", "B"),
        ("Assistant: B", "B"),
        ("Human: which?\nAssistant: B\nHuman: and now?", "B"),
        ("Question: which?\nAnswer: B", "answer: B"),
        ("B</s></s>", "B"),
    ],
)
def test_only_the_first_turn_of_the_model_is_kept(text: str, turn: str) -> None:
    assert first_turn(text).strip().lower() == turn.lower()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("**B**", "(B)"),
        ("**dog**", "dog"),
        ("$\\boxed{\\text{B}}$", "answer: (B)"),
        ("<answer>B</answer>", "answer: B"),
        ('```json\n{"answer": "B"}\n```', 'answer: "B"'),
        ("~~A~~ B", "B"),
        ("- [x] B\n- [ ] C", "answer: B"),
        ("<b>B</b>", "B"),
        ("<B>", "(B)"),
        ("snake_case _dog_", "snake_case dog"),
    ],
)
def test_markup_becomes_plain_lines(text: str, lines: str) -> None:
    assert plain(text).strip() == lines


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("AB<>/|[]{}\\\"'*_~`#$:\n thinkeouserasw"), max_size=200))
def test_cleaning_never_fails(text: str) -> None:
    spoken = without_thinking(tidy(text))
    assert spoken is None or isinstance(plain(first_turn(spoken)), str)
