"""What the stages tell whoever watches them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from airbench_edge.benchmark.items import FoundationItem, Track
from airbench_edge.benchmark.letters import read_letter


class Stage(StrEnum):
    """The stages of a run, in their order."""

    ANSWER = "answer"
    ALIGN = "align"
    JUDGE = "judge"


class Outcome(StrEnum):
    """What became of one step, as far as can be said at once."""

    RIGHT = "right"
    WRONG = "wrong"
    UNDECIDED = "undecided"
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True)
class Step:
    """One item answered or aligned, or one verdict given.

    Attributes:
        track: Track of the item.
        folder: Folder of its clip.
        outcome: Right, wrong or undecided by the strict rule for a foundation item; done for a chat response or a
            verdict that can be read, undecided for one that cannot; failed where there is no text at all.
        audio_s: Seconds of sound that the model heard.
        score: The model's score in a verdict.
    """

    track: Track
    folder: str
    outcome: Outcome
    audio_s: float = 0.0
    score: float | None = None


def letter_outcome(item: FoundationItem, text: str | None) -> Outcome:
    """What a response, or the reply of an aligner, comes to by the strict rule."""
    if text is None:
        return Outcome.FAILED
    letter = read_letter("strict", text, item.options).letter
    if letter is None:
        return Outcome.UNDECIDED
    return Outcome.RIGHT if letter in item.accepted else Outcome.WRONG


class Progress(Protocol):
    """Watches the stages of one command; called from the main thread only."""

    def started(self, stage: Stage, name: str, total: int, already: int) -> None:
        """A stage of the named model or judge begins; earlier commands did ``already`` of its ``total`` steps."""
        ...

    def advanced(self, step: Step) -> None:
        """A step is done and written down."""
        ...

    def ended(self) -> None:
        """The stage is over, also when it was interrupted."""
        ...


class Silent:
    """Says nothing."""

    def started(self, stage: Stage, name: str, total: int, already: int) -> None:
        """Say nothing."""

    def advanced(self, step: Step) -> None:
        """Say nothing."""

    def ended(self) -> None:
        """Say nothing."""
