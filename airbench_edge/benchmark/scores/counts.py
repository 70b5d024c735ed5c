"""What became of a set of items: the denominators that every score is shown with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from airbench_edge.benchmark.records import Response, State


class Counts(msgspec.Struct, frozen=True):
    """Number of items in each state.

    Attributes:
        planned: All items of the set. The other states below add up to it, except ``empty`` and ``truncated``.
        answered: Items with a response.
        empty: Of these, responses that hold nothing but blanks.
        truncated: Of these, responses that were cut by the cap on new tokens.
        failed: The clip was there but the audio-LM failed on it.
        missing_audio: There is no clip.
        undecodable_audio: The clip cannot be decoded.
        refused_path: The path of the clip leads out of the data set.
        not_recorded: A recorded audio-LM has no response for the item.
        pending: The answer stage has not come to the item.
    """

    planned: int = 0
    answered: int = 0
    empty: int = 0
    truncated: int = 0
    failed: int = 0
    missing_audio: int = 0
    undecodable_audio: int = 0
    refused_path: int = 0
    not_recorded: int = 0
    pending: int = 0

    @property
    def heard(self) -> int:
        """Items that reached the audio-LM: the denominator of ``strict``."""
        return self.answered + self.failed

    @property
    def coverage(self) -> float | None:
        """Share of the planned items that reached the audio-LM."""
        return self.heard / self.planned if self.planned else None


def is_empty(response: Response) -> bool:
    """Whether the audio-LM answered with nothing but blanks."""
    return response.state is State.ANSWERED and not (response.text or "").strip()


def count(responses: Iterable[Response | None]) -> Counts:
    """Count the responses of a set of items, one entry an item, None for an item that was not reached yet."""
    states: Counter[str] = Counter()
    for response in responses:
        states["planned"] += 1
        states[response.state.value if response else "pending"] += 1
        if response and is_empty(response):
            states["empty"] += 1
        if response and response.finish == "length":
            states["truncated"] += 1
    return Counts(**states)


def total(counts: Iterable[Counts]) -> Counts:
    """Add up the counts of sets that have no item in common."""
    states: Counter[str] = Counter()
    for part in counts:
        states.update(msgspec.structs.asdict(part))
    return Counts(**states)
