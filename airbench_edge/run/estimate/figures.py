"""What an estimate says, as data."""

from __future__ import annotations

import msgspec

from airbench_edge.benchmark.items import Track
from airbench_edge.run.data_source import DataSource

ESTIMATE_SCHEMA = 1


class Sound(msgspec.Struct, frozen=True):
    """What would be heard.

    Attributes:
        with_clip: Items whose clip is there.
        measured: Clips that were decoded to measure their length.
        hours: Hours of sound, each item counted: of each folder, the mean length of its measured clips times its items.
    """

    with_clip: int
    measured: int
    hours: float


class Answering(msgspec.Struct, frozen=True):
    """How long the audio-LM would take for a track on this machine.

    Attributes:
        track: The track.
        items: Items with a clip.
        measured: Items that were answered to measure it, one before them left out.
        seconds: Mean seconds an item.
        hours: For all of them.
        low: Lower end of the 95 % interval of ``hours``; None where one item was measured.
        high: Its upper end.
    """

    track: Track
    items: int
    measured: int
    seconds: float
    hours: float
    low: float | None
    high: float | None


class Judging(msgspec.Struct, frozen=True):
    """What a judge would be asked, and what that takes.

    Attributes:
        judge: As given.
        requests: Prompts: two for each chat item that it would judge, those left out that have no recorded response.
        prompt_tokens: Tokens of all of them; None for recorded verdicts.
        longest: Tokens of the longest one.
        tokenizer: How the tokens were counted.
        memory: Bytes that a local judge takes on the CPU with a context as long as the longest prompt; None for others.
        measured: Prompts that were judged to measure the time, one before them left out.
        hours: For all of them on this machine; None where it was not measured.
        usd: Price in USD of an API where each reply is two numbers; None where no price is known.
        usd_most: The same where each reply is as long as it may be: no bound where responses are not known yet, because
            their prompts may be longer.
        price_as_of: Date of the price.
    """

    judge: str
    requests: int
    prompt_tokens: int | None
    longest: int | None
    tokenizer: str
    memory: int | None = None
    measured: int = 0
    hours: float | None = None
    usd: float | None = None
    usd_most: float | None = None
    price_as_of: str = ""


class Estimate(msgspec.Struct, frozen=True):
    """What a run would take.

    Attributes:
        schema: Version of this form; it grows when a field changes its meaning or goes.
        program: Version of airbench-edge that computed it.
        model: As given.
        data: The data set.
        items: Items of each track that would be answered.
        sound: What would be heard; None for a model that needs no sound.
        answering: How long the answers would take, by track; empty where it was not measured.
        judging: What each judge would take.
        remarks: What the figures leave out, one sentence each.
    """

    schema: int
    program: str
    model: str
    data: DataSource
    items: dict[Track, int]
    sound: Sound | None
    answering: tuple[Answering, ...]
    judging: tuple[Judging, ...]
    remarks: tuple[str, ...]
