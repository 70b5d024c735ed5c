"""What the rest of the program knows of a judge: a prompt goes in, a raw reply comes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from airbench_edge.benchmark.items import UniqId
from airbench_edge.benchmark.prompts import JUDGE_PROMPTS, JudgePrompt
from airbench_edge.benchmark.records import Order
from airbench_edge.errors import InputError


class SpendingCapReached(InputError):
    """A judge may not spend more; what it has said so far is kept."""


class JudgeIdentity(msgspec.Struct, frozen=True):
    """The measuring instrument; scores of two different ones are never averaged.

    Attributes:
        kind: ``llama``, ``openai`` or ``recorded``.
        name: Short name for people, also the stem of its verdict file: letters, digits, dot, dash and underscore.
        details: Everything that can change a verdict: weights hash, engine build, template, sampling, reply form.
    """

    kind: str
    name: str
    details: dict[str, str]

    @property
    def prompt(self) -> JudgePrompt:
        """Which prompt it is asked with; recorded verdicts count as asked for with the official one."""
        return "edge" if self.details.get("judge prompt") == JUDGE_PROMPTS["edge"] else "official"


class JudgeRequest(msgspec.Struct, frozen=True):
    """One question to a judge.

    Attributes:
        uniq_id: Id of the item that it is about.
        order: Order of the two answers; None for a letter alignment.
        prompt: The whole user message.
        letters: For a letter alignment, the letters that exist; empty for a verdict.
        attempt: How often the same was asked before and not answered readably; a judge that samples draws anew.
    """

    uniq_id: UniqId
    order: Order | None
    prompt: str
    letters: tuple[str, ...] = ()
    attempt: int = 0


class JudgeReply(msgspec.Struct, frozen=True):
    """What came back, raw. The fields are those of ``benchmark.records.Verdict``."""

    text: str | None
    finish: str = "unknown"
    failure: str = ""
    expected: tuple[float, float] | None = None
    entropy: tuple[float, float] | None = None
    format_mass: float | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    model: str = ""
    fingerprint: str = ""
    asked_with: str = ""


class Judge(Protocol):
    """A language model that compares two answers, or names the letter that a response chose."""

    @property
    def identity(self) -> JudgeIdentity:
        """Which instrument this is."""
        ...

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        """Ask every request once, in the order that suits the back end, and yield each reply as it arrives.

        A request that fails yields a reply whose ``failure`` names the reason; the others go on.

        Raises:
            InputError: Nothing further can succeed (wrong key, spent quota).
        """
        ...

    def close(self) -> None:
        """Free the weights or the connections."""
        ...
