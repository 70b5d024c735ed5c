import hashlib
from pathlib import Path
from typing import get_args

import pytest

from airbench_edge.benchmark.items import ChatItem, FoundationItem, Track
from airbench_edge.benchmark.metadata import parse_metadata
from airbench_edge.benchmark.prompts import (
    ALIGNMENT_CLOSING,
    ALIGNMENT_OPENING,
    FOUNDATION_INSTRUCTION,
    JUDGE_TEMPLATE,
    alignment_prompt,
    chat_prompt,
    foundation_prompt,
    judge_prompt,
)
from airbench_edge.benchmark.records import Order
from airbench_edge.benchmark.rules_name import RulesName

CASES = Path(__file__).parent.parent / "cases" / "meta"
JUDGE_ITEM = ChatItem(1, "speech_QA", "iemocap", "secret.wav", "Who speaks?", "Mom speaks.", "{'gender': 'male'}")


def foundation(*choices: str | None, question: str = "Which sound?") -> FoundationItem:
    a, b, c, d = choices
    return FoundationItem(1, "Sound_AQA", "avqa", "secret-047.wav", question, (a, b, c, d), a or "", ("A",))


def foundation_case(name: str) -> FoundationItem:
    item = parse_metadata((CASES / name).read_bytes(), Track.FOUNDATION, name).items[0]
    assert isinstance(item, FoundationItem)
    return item


def chat_case(name: str) -> list[ChatItem]:
    items = parse_metadata((CASES / name).read_bytes(), Track.CHAT, name).items
    return [item for item in items if isinstance(item, ChatItem)]


@pytest.mark.parametrize(
    ("text", "length", "digest"),
    [
        (FOUNDATION_INSTRUCTION, 135, "3d72559a992768378c4950bb126eb53fc1497d4c3ded480bc1b56550ba98c87d"),
        (ALIGNMENT_OPENING, 377, "f8fb042164c2d980926c04513d4503ac080233af23b9e0dd0e266e3b0334c68c"),
        (ALIGNMENT_CLOSING, 91, "4201b35a72723a0d9ab3199f2767d8d73487c0c0f6bc6f16fd027aa4458523bf"),
        (JUDGE_TEMPLATE, 905, "65b6fac0603294104033e226b1ee54c67bf6a404e7a83dd4e9db2e470cf75168"),
    ],
)
def test_texts_are_those_of_the_released_scripts(text: str, length: int, digest: str) -> None:
    assert len(text) == length
    assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_official_foundation_prompt() -> None:
    assert foundation_prompt(foundation("dog", "cat", "rain", "car"), "official") == (
        "Choose the most suitable answer from options A, B, C, and D to respond the question in next line, "
        "you may only choose A or B or C or D.\nWhich sound?\nA. dog\nB. cat\nC. rain\nD. car"
    )


def test_official_prompt_shows_phantom_options() -> None:
    prompt = foundation_prompt(foundation("fake", "real", None, None), "official")
    assert prompt.endswith("\nWhich sound?\nA. fake\nB. real\nC. None\nD. None")


def test_strict_prompt_names_only_options_that_exist() -> None:
    assert foundation_prompt(foundation("fake", "real", None, None), "strict") == (
        "Choose the most suitable answer from options A and B to respond the question in next line, "
        "you may only choose A or B.\nWhich sound?\nA. fake\nB. real"
    )
    three = foundation_prompt(foundation("x", "y", None, "z"), "strict")
    assert "from options A, B, and D to respond" in three
    assert three.endswith("choose A or B or D.\nWhich sound?\nA. x\nB. y\nD. z")


def test_both_rules_agree_on_four_options() -> None:
    item = foundation("dog", "cat", "rain", "car")
    assert foundation_prompt(item, "strict") == foundation_prompt(item, "official")


@pytest.mark.parametrize("rules", get_args(RulesName))
def test_foundation_prompt_keeps_markup_and_placeholders(rules: RulesName) -> None:
    lines = foundation_prompt(foundation_case("f_text_markup.json"), rules).split("\n")
    assert lines[1:] == ["Is it [bold]loud[/bold] or [/] {0} %s $HOME?", "A. [red]", "B. {}", "C. %d", "D. <b>"]
    lines = foundation_prompt(foundation_case("f_text_placeholder.json"), rules).split("\n")
    assert lines[1:] == [
        "What does the word ANSWER in QUESTION mean?",
        "A. ANSWER",
        "B. QUESTION",
        "C. XAssistant2X",
        "D. XAudioX",
    ]


def test_a_question_that_quotes_the_instruction_is_kept() -> None:
    question = "Is it A, B, C, and D or A or B or C or D?"
    prompt = foundation_prompt(foundation("1", "2", None, None, question=question), "strict")
    assert prompt.split("\n")[1] == question


def test_chat_prompt_is_the_bare_question() -> None:
    assert chat_prompt(JUDGE_ITEM) == "Who speaks?"


def test_alignment_prompt() -> None:
    lines = alignment_prompt(foundation("dog", "cat", "rain", "car"), "I hear barking.").split("\n")
    assert lines[0].startswith('There is a question "Which sound?", and one response is "I hear barking.". Among')
    assert "already appeared in the Answer, then" in lines[0]
    assert lines[1:] == ["A. dog", "B. cat", "C. rain", "D. car", ALIGNMENT_CLOSING]


@pytest.mark.parametrize("choices", [("x", "y", None, None), ("x", "y", None, "z"), ("x", "y", "z", None)])
def test_alignment_offers_two_options_as_soon_as_one_of_c_and_d_is_absent(choices: tuple[str | None, ...]) -> None:
    lines = alignment_prompt(foundation(*choices), "x").split("\n")
    assert lines[1:] == ["A. x", "B. y", ALIGNMENT_CLOSING]


def test_alignment_does_not_fill_placeholders_inside_data() -> None:
    prompt = alignment_prompt(foundation_case("f_text_placeholder.json"), "The QUESTION is no ANSWER.")
    assert prompt.startswith(
        'There is a question "What does the word ANSWER in QUESTION mean?", '
        'and one response is "The QUESTION is no ANSWER.". Among'
    )


def test_judge_prompt_in_both_orders() -> None:
    first = judge_prompt(JUDGE_ITEM, "A man.", Order.REFERENCE_FIRST)
    assert first.split("\n")[:12] == [
        "You are a helpful and precise assistant for checking the quality of the answer.",
        "[Detailed Audio Description]",
        "{'gender': 'male'}",
        "[Question]",
        "Who speaks?",
        "[The Start of Assistant 1s Answer]",
        "Mom speaks.",
        "[The End of Assistant 1s Answer]",
        "[The Start of Assistant 2s Answer]",
        "A man.",
        "[The End of Assistant 2s Answer]",
        "[System]",
    ]
    second = judge_prompt(JUDGE_ITEM, "A man.", Order.MODEL_FIRST).split("\n")
    assert (second[6], second[9]) == ("A man.", "Mom speaks.")


def test_judge_prompt_does_not_fill_placeholders_inside_data() -> None:
    sign, question = chat_case("c_placeholder_text.json")
    lines = judge_prompt(sign, r"XAudioX \1 XQuestionX", Order.REFERENCE_FIRST).split("\n")
    assert lines[2] == "The sign reads XQuestionX and XAssistant1X."
    assert lines[6] == "It says XAssistant2X."
    assert lines[9] == r"XAudioX \1 XQuestionX"
    assert judge_prompt(question, "No.", Order.REFERENCE_FIRST).split("\n")[4] == "What is XAudioX?"


def test_text_that_imitates_the_markers_is_sent_as_it_is() -> None:
    [item] = chat_case("c_injection.json")
    prompt = judge_prompt(item, "The lake.", Order.REFERENCE_FIRST)
    assert prompt.count(item.answer_gt) == 1
    assert prompt.endswith("separated by a space.")


def test_no_prompt_tells_the_name_of_the_clip() -> None:
    item = foundation("dog", "cat", None, None)
    prompts = [
        *(foundation_prompt(item, rules) for rules in get_args(RulesName)),
        alignment_prompt(item, "x"),
        chat_prompt(JUDGE_ITEM),
        *(judge_prompt(JUDGE_ITEM, "x", order) for order in Order),
    ]
    assert not any("secret" in prompt for prompt in prompts)


def test_official_prompts_stand_nowhere_else() -> None:
    package = Path(__file__).parents[2] / "airbench_edge"
    for sign in ("Choose the most suitable answer", "There is a question", "helpful and precise assistant"):
        holders = [path.name for path in package.rglob("*.py") if sign in path.read_text(encoding="utf-8")]
        assert holders == ["prompts.py"], sign
