"""The items of the benchmark: one question each, with the name of its clip."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

import msgspec

LETTERS = ("A", "B", "C", "D")

UniqId: TypeAlias = int | str


class Track(StrEnum):
    """The two halves of AIR-Bench."""

    FOUNDATION = "foundation"
    CHAT = "chat"


class ItemKey(NamedTuple):
    """Identity of an item; ``uniq_id`` alone repeats between the two tracks."""

    track: Track
    uniq_id: UniqId


class FoundationItem(msgspec.Struct, frozen=True, tag="foundation", tag_field="track"):
    """A single-choice question.

    Attributes:
        uniq_id: As written in the metadata, or a stable one made from the record's place.
        task: ``task_name``, letter by letter, spelling errors included.
        dataset: ``dataset_name``, letter by letter.
        path: Name of the clip as written in the metadata.
        question: The question, unchanged.
        choices: Texts of the four slots A to D; None where the option is absent, null, blank or NaN.
        answer_gt: Text of the right option, unchanged.
        accepted: Letters that a careful reader counts as right (two where the right text stands twice).
    """

    uniq_id: UniqId
    task: str
    dataset: str
    path: str
    question: str
    choices: tuple[str | None, str | None, str | None, str | None]
    answer_gt: str
    accepted: tuple[str, ...]

    @property
    def key(self) -> ItemKey:
        """Track and id."""
        return ItemKey(Track.FOUNDATION, self.uniq_id)

    @property
    def folder(self) -> str:
        """Name of the folder that holds the clip."""
        return f"{self.task}_{self.dataset}"

    @property
    def options(self) -> dict[str, str]:
        """Letter to text, only the options that exist."""
        return {letter: text for letter, text in zip(LETTERS, self.choices, strict=True) if text is not None}


class ChatItem(msgspec.Struct, frozen=True, tag="chat", tag_field="track"):
    """An open question with a reference answer.

    Attributes:
        uniq_id: As written in the metadata, or a stable one made from the record's place.
        task: ``task_name``, letter by letter.
        dataset: ``dataset_name``, letter by letter.
        path: Name of the clip as written in the metadata.
        question: The question, unchanged.
        answer_gt: The reference answer, unchanged.
        meta_info: Description of the sound for the judge: an opaque string, never parsed.
    """

    uniq_id: UniqId
    task: str
    dataset: str
    path: str
    question: str
    answer_gt: str
    meta_info: str

    @property
    def key(self) -> ItemKey:
        """Track and id."""
        return ItemKey(Track.CHAT, self.uniq_id)

    @property
    def folder(self) -> str:
        """Name of the folder that holds the clip."""
        return f"{self.task}_{self.dataset}"


Item: TypeAlias = FoundationItem | ChatItem
