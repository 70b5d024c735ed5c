"""Foundation items one by one: the letter that each response chose, and whether it is the right one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from airbench_edge.benchmark.items import FoundationItem, ItemKey
from airbench_edge.benchmark.letters import LetterReading, read_letter
from airbench_edge.benchmark.records import AlignedLetter, Response, State
from airbench_edge.benchmark.scores.counts import is_empty

ALIGNED = "aligned"


class Mark(msgspec.Struct, frozen=True):
    """What one foundation item comes to under both rules.

    Attributes:
        item: The item.
        response: What the audio-LM said; None while the answer stage has not come to it.
        official: Letter by the rule of the released scorer.
        strict: Letter by the careful rule.
    """

    item: FoundationItem
    response: Response | None
    official: LetterReading
    strict: LetterReading

    @property
    def official_right(self) -> bool:
        """The released scorer takes the first option whose text equals ``answer_gt``."""
        options = self.item.options.items()
        truth = next((letter for letter, text in options if text == self.item.answer_gt), self.item.accepted[0])
        return self.official.letter == truth

    @property
    def strict_right(self) -> bool:
        """Where the right text stands twice, either letter is right."""
        return self.strict.letter in self.item.accepted

    @property
    def heard(self) -> bool:
        """Whether the item reached the audio-LM."""
        return self.response is not None and self.response.state in (State.ANSWERED, State.FAILED)


def mark_responses(items: Iterable[FoundationItem], responses: Mapping[ItemKey, Response]) -> list[Mark]:
    """Read every response once under each rule."""
    marks = []
    for item in items:
        response = responses.get(item.key)
        text, options = response.text if response else None, item.options
        official = read_letter("official", text, options)
        marks.append(Mark(item, response, official, read_letter("strict", text, options)))
    return marks


def align(marks: Sequence[Mark], aligned: Mapping[ItemKey, AlignedLetter]) -> list[Mark]:
    """The same marks with the letters that an aligner found.

    Where an aligner replied, its reply is read in place of the response, as the released scripts do: be it all
    responses that it was asked about, or only those that the careful rule left undecided. An empty response stays
    undecided under ``strict``: the alignment prompt has the aligner guess a letter for it.
    """
    return [_aligned(mark, aligned.get(mark.item.key)) for mark in marks]


def _aligned(mark: Mark, reply: AlignedLetter | None) -> Mark:
    if reply is None or reply.text is None or mark.response is None:
        return mark
    options = mark.item.options
    official = _called_aligned(read_letter("official", reply.text, options))
    if is_empty(mark.response):
        return msgspec.structs.replace(mark, official=official)
    strict = _called_aligned(read_letter("strict", reply.text, options))
    return msgspec.structs.replace(mark, official=official, strict=strict)


def _called_aligned(reading: LetterReading) -> LetterReading:
    return LetterReading(reading.letter, ALIGNED) if reading.letter else reading
