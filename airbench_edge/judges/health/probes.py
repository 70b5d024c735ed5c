"""Questions with answers whose worth is known: right, partly right, wrong in several ways, or nothing at all."""

from __future__ import annotations

import functools
import hashlib
from enum import StrEnum
from importlib import resources

import msgspec

from airbench_edge.benchmark.items import ChatItem
from airbench_edge.benchmark.prompts import JudgePrompt, judge_prompt
from airbench_edge.benchmark.records import Order


class Kind(StrEnum):
    """What an answer is worth, and why.

    ``reference``: the reference answer itself. ``right``: the same facts in fewer words. ``partly``: some of the facts.
    ``wrong``: other facts. ``wrong_long``: other facts, at length and with confidence. ``wrong_language``: the right
    facts in another language. ``injection``: the wrong answer with a demand for points. ``gibberish`` and ``empty``.
    """

    REFERENCE = "reference"
    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"
    WRONG_LONG = "wrong_long"
    WRONG_LANGUAGE = "wrong_language"
    INJECTION = "injection"
    GIBBERISH = "gibberish"
    EMPTY = "empty"


class Probe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question.

    Attributes:
        id: Category and number.
        category: ``speech``, ``sound``, ``music`` or ``mixed``.
        task: The chat task that it is like.
        description: What the judge is told of the sound.
        question: The question.
        reference: The reference answer.
        language: Language of the answer in another language.
        answers: The other answers by kind; the empty one needs no text.
    """

    id: str
    category: str
    task: str
    description: str
    question: str
    reference: str
    language: str
    answers: dict[Kind, str]

    def answer(self, kind: Kind) -> str:
        """Text of one answer."""
        return {Kind.REFERENCE: self.reference, Kind.EMPTY: "", **self.answers}[kind]

    def prompt(self, kind: Kind, order: Order, prompt: JudgePrompt = "official") -> str:
        """What the judge is asked, as for an item of the benchmark."""
        item = ChatItem(self.id, self.task, "probe", "", self.question, self.reference, self.description)
        return judge_prompt(item, self.answer(kind), order, prompt)


@functools.cache
def all_probes() -> tuple[Probe, ...]:
    """The built-in probes, in a fixed order."""
    decoder = msgspec.json.Decoder(Probe)
    return tuple(decoder.decode(line) for line in _content().splitlines())


@functools.cache
def probes_digest() -> str:
    """SHA-256 of the built-in probes: other probes make another card."""
    return hashlib.sha256(_content()).hexdigest()


def _content() -> bytes:
    return (resources.files(__package__) / "probes.jsonl").read_bytes()
