"""The items of a run as the page holds them: one list for each property, texts by their number, foundation first.

Short names and lists instead of records keep the page of a full run at a few megabytes. ``assets/report.js`` reads it.
"""

from __future__ import annotations

import msgspec


class LetterColumns(msgspec.Struct, frozen=True):
    """The letters that one rule read, an entry a foundation item.

    Attributes:
        letters: One character each, ``-`` for none.
        results: ``r`` right, ``w`` wrong, ``u`` undecided, ``n`` no response.
        how: How the letter was found, or why there is none.
    """

    letters: str
    results: str
    how: list[int]


class LetterSource(msgspec.Struct, frozen=True):
    """Letters from the responses themselves, or from an aligner.

    Attributes:
        name: Name of the aligner; empty for the responses themselves.
        official: By the rule of the released scorer.
        strict: By the careful rule.
        replies: What the aligner said, raw, by number of the item.
        failures: Why it said nothing.
    """

    name: str
    official: LetterColumns
    strict: LetterColumns
    replies: dict[int, int]
    failures: dict[int, int]


class VerdictCell(msgspec.Struct, frozen=True, array_like=True):
    """One verdict and what was read in it; pairs are the score of the audio-LM and that of the reference."""

    reply: int | None
    finish: int
    failure: int
    official: tuple[float, float] | None
    official_why: int
    strict: tuple[float, float] | None
    strict_why: int
    expected: tuple[float, float] | None


class JudgeSource(msgspec.Struct, frozen=True):
    """What one judge said, an entry a chat item.

    Attributes:
        name: Its name.
        planned: ``1`` for an item that it was to be asked about, ``0`` for the others.
        results: Rule to ``s`` scored in both orders, ``u`` unread, ``n`` not judged.
        scores: Rule to the mean score of the two orders; None where one of them has none.
        reference_first: Verdicts with the reference answer first.
        model_first: Verdicts with the audio-LM's answer first.
    """

    name: str
    planned: str
    results: dict[str, str]
    scores: dict[str, list[float | None]]
    reference_first: list[VerdictCell | None]
    model_first: list[VerdictCell | None]


class ItemColumns(msgspec.Struct, frozen=True):
    """What the items are and what the audio-LM said; ``reason``, ``warnings`` and ``clip`` by number of the item.

    Attributes:
        choices: Options A to D of each foundation item.
        right: Its right letters.
        reference: Reference answer of each chat item.
        meta: Its ``meta_info``.
        spread: Highest less lowest strict score that its response got, over all judges and orders; None below two.
        clip: Where its sound is: an address, or ``#`` and the id of an element of the page.
    """

    id: list[str]
    task: list[int]
    label: list[int]
    dataset: list[int]
    path: list[int]
    question: list[int]
    state: list[int]
    response: list[int | None]
    finish: list[int]
    duration: list[float | None]
    heard: list[float | None]
    reason: dict[int, int]
    warnings: dict[int, list[int]]
    choices: list[list[int | None]]
    right: list[str]
    reference: list[int]
    meta: list[int]
    spread: list[float | None]
    clip: dict[int, str]


class PageData(msgspec.Struct, frozen=True):
    """Everything that the item table shows."""

    texts: list[str]
    items: ItemColumns
    letters: list[LetterSource]
    judges: list[JudgeSource]
