"""Every prompt of AIR-Bench, word for word as in the released scripts, and one more for judges, and nowhere else.

Sources: ``Inference_Foundation.py``, ``Inference_Chat.py``, ``align_in_foundation.py`` and ``score_chat.py`` of
OFA-Sys/AIR-Bench. Texts of the data set and of models are put in once and never searched for placeholders; the released
scripts replace one placeholder after the other, so that a text which holds one captures the next value.

The name of a clip is in no prompt: file names of the data set tell the answer.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from airbench_edge.benchmark.items import LETTERS, ChatItem, FoundationItem
from airbench_edge.benchmark.records import Order
from airbench_edge.benchmark.rules_name import RulesName

FOUNDATION_INSTRUCTION: Final = (
    "Choose the most suitable answer from options A, B, C, and D to respond the question in next line, you may only"
    " choose A or B or C or D."
)

ALIGNMENT_OPENING: Final = (
    'There is a question "QUESTION", and one response is "ANSWER". Among the following choices, which option best'
    " matches this response? You may only response with the letter of the option. If the letter of an option has"
    " already appeared in the Answer, then simply return that letter. If there are no matching options, then choose one"
    " at random. The following lines are the options."
)
ALIGNMENT_CLOSING: Final = "To reiterate, the response you provide to me must be a single letter, either A, B, C, or D."

JUDGE_TEMPLATE: Final = """\
You are a helpful and precise assistant for checking the quality of the answer.
[Detailed Audio Description]
XAudioX
[Question]
XQuestionX
[The Start of Assistant 1s Answer]
XAssistant1X
[The End of Assistant 1s Answer]
[The Start of Assistant 2s Answer]
XAssistant2X
[The End of Assistant 2s Answer]
[System]
We would like to request your feedback on the performance of two AI assistants in response to the user question and \
audio description displayed above. AI assistants are provided with detailed audio descriptions and questions.
Please rate the helpfulness, relevance, accuracy, and comprehensiveness of their responses. Each assistant receives an \
overall score on a scale of 1 to 10, where a higher score indicates better overall performance. Please output a single \
line containing only two values indicating the scores for Assistant 1 and 2, respectively. The two scores are \
separated by a space."""


EDGE_JUDGE_TEMPLATE: Final = """\
You are a helpful and precise assistant for checking the quality of the answer.
We would like to request your feedback on the performance of two AI assistants in response to the user question and \
audio description displayed below. AI assistants are provided with detailed audio descriptions and questions.
Please rate the helpfulness, relevance, accuracy, and comprehensiveness of their responses. Each assistant receives an \
overall score on a scale of 1 to 10, where a higher score indicates better overall performance. Please output a single \
line containing only two values indicating the scores for Assistant 1 and 2, respectively. The two scores are \
separated by a space.
[Detailed Audio Description]
XAudioX
[Question]
XQuestionX
[Answer of Assistant 1]
XAssistant1X
[Answer of Assistant 2]
XAssistant2X
[Scores]"""
"""Not of AIR-Bench: the same request with what never changes first, so that a local judge evaluates it once."""

JudgePrompt: TypeAlias = Literal["official", "edge"]
"""How a judge is asked; verdicts of two prompts are those of two instruments."""

_JUDGE_TEMPLATES: Final[Mapping[JudgePrompt, str]] = {"official": JUDGE_TEMPLATE, "edge": EDGE_JUDGE_TEMPLATE}

JUDGE_PROMPTS: Final[Mapping[JudgePrompt, str]] = {
    name: f"{name}, sha256 {hashlib.sha256(text.encode()).hexdigest()}" for name, text in _JUDGE_TEMPLATES.items()
}
"""Which prompt a verdict was asked for with, for the identity of a judge."""


def foundation_prompt(item: FoundationItem, rules: RulesName) -> str:
    """The text that goes with the clip of a single-choice item.

    ``official`` always shows four lines; an option that does not exist reads ``None``, as in the released script.
    ``strict`` shows the options that exist and names only their letters; with four options both are the same.
    """
    official = rules == "official"
    shown = dict(zip(LETTERS, (str(text) for text in item.choices), strict=True)) if official else item.options
    return "\n".join([_instruction(list(shown)), item.question, *_option_lines(shown)])


def chat_prompt(item: ChatItem) -> str:
    """The text that goes with the clip of a chat item: the bare question."""
    return item.question


def alignment_prompt(item: FoundationItem, response: str) -> str:
    """The question to a language model which option a response means.

    As in the released script, A and B alone are offered as soon as C or D does not exist, and the closing line still
    names four letters.
    """
    opening = _filled(ALIGNMENT_OPENING, {"QUESTION": item.question, "ANSWER": response})
    texts = item.choices if None not in item.choices[2:] else item.choices[:2]
    shown = {letter: str(text) for letter, text in zip(LETTERS, texts, strict=False)}
    return "\n".join([opening, *_option_lines(shown), ALIGNMENT_CLOSING])


def judge_prompt(item: ChatItem, response: str, order: Order, prompt: JudgePrompt = "official") -> str:
    """The whole user message to a judge about one response to a chat item."""
    reference_first = order is Order.REFERENCE_FIRST
    first, second = (item.answer_gt, response) if reference_first else (response, item.answer_gt)
    return _filled(
        _JUDGE_TEMPLATES[prompt],
        {"XAudioX": item.meta_info, "XQuestionX": item.question, "XAssistant1X": first, "XAssistant2X": second},
    )


def _instruction(letters: Sequence[str]) -> str:
    comma = "," if len(letters) > 2 else ""
    listed = f"{', '.join(letters[:-1])}{comma} and {letters[-1]}"
    return _filled(FOUNDATION_INSTRUCTION, {"A, B, C, and D": listed, "A or B or C or D": " or ".join(letters)})


def _option_lines(shown: Mapping[str, str]) -> list[str]:
    return [f"{letter}. {text}" for letter, text in shown.items()]


def _filled(template: str, values: Mapping[str, str]) -> str:
    return re.sub("|".join(values), lambda place: values[place[0]], template)
