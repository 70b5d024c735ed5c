"""What a run writes down: responses, aligned letters and verdicts, one JSON object a line.

Nothing here depends on the clock or on the machine, so that two runs of the same inputs give the same bytes.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from airbench_edge.benchmark.items import ItemKey, Track, UniqId


class Order(StrEnum):
    """Whose answer the judge reads first."""

    REFERENCE_FIRST = "reference_first"
    MODEL_FIRST = "model_first"


class State(StrEnum):
    """What became of an item in the answer stage; each is counted and shown."""

    ANSWERED = "answered"
    MISSING_AUDIO = "missing_audio"
    UNDECODABLE_AUDIO = "undecodable_audio"
    REFUSED_PATH = "refused_path"
    FAILED = "failed"
    NOT_RECORDED = "not_recorded"


class Response(msgspec.Struct, frozen=True, omit_defaults=True):
    """The text that the audio-LM gave for one item, raw.

    Attributes:
        track: Track of the item.
        uniq_id: Id of the item.
        state: What became of the item.
        text: The response, never edited; None unless ``state`` is ``answered``.
        finish: ``stop``, ``length`` (cut by the cap on new tokens) or ``unknown`` (recorded elsewhere).
        reason: For other states than ``answered``: the kind of error and its message.
        duration_s: Length of the clip in seconds.
        heard_s: Seconds of it that reached the model.
        warnings: What the audio reader repaired or doubts, one sentence each.
    """

    track: Track
    uniq_id: UniqId
    state: State
    text: str | None = None
    finish: str = "unknown"
    reason: str = ""
    duration_s: float | None = None
    heard_s: float | None = None
    warnings: tuple[str, ...] = ()

    @property
    def key(self) -> ItemKey:
        """Key under which the journal keeps the record."""
        return ItemKey(self.track, self.uniq_id)


class AlignedLetter(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an aligner (a language model) said a foundation response chose.

    Attributes:
        uniq_id: Id of the foundation item.
        text: Raw reply of the aligner; None where it failed.
        failure: Named reason why there is no reply, empty otherwise.
    """

    uniq_id: UniqId
    text: str | None = None
    failure: str = ""

    @property
    def key(self) -> ItemKey:
        """Key under which the journal keeps the record."""
        return ItemKey(Track.FOUNDATION, self.uniq_id)


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reply of a judge to one order of one chat item.

    Attributes:
        uniq_id: Id of the chat item.
        order: Whose answer came first.
        text: Raw reply; None where the judge failed.
        finish: ``stop``, ``length`` or ``unknown``.
        failure: Named reason why there is no reply (``too_long``, ``content_filter``, ...), empty otherwise.
        expected: Expected score of the first and second answer from the judge's distribution, if it has one.
        entropy: Entropy in nats of those two distributions.
        format_mass: Probability that the judge, unconstrained, would have begun with a digit.
        prompt_tokens: Length of the prompt for the judge, over all attempts.
        completion_tokens: Length of the reply, over all attempts.
        model: Model name that the judge itself returned.
        fingerprint: System fingerprint that an API returned.
        asked_with: Settings that the judge had to be asked with instead of those of its identity.
        attempts: How often it was asked until the reply could be read, or no more attempts were allowed.
    """

    uniq_id: UniqId
    order: Order
    text: str | None = None
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
    attempts: int = 1

    @property
    def key(self) -> tuple[UniqId, Order]:
        """Key under which the journal keeps the record."""
        return (self.uniq_id, self.order)
