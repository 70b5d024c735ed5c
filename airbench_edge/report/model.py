"""Everything that a person reads about a run, as data: the one source of every form of the report.

It is computed from the run folder alone and holds neither clock nor host name, so that equal runs give equal reports.
"""

from __future__ import annotations

import msgspec

from airbench_edge.audiolm.contract import Identity
from airbench_edge.benchmark.items import Track, UniqId
from airbench_edge.benchmark.notes import Note
from airbench_edge.benchmark.records import State
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.benchmark.scores.chat import ChatScores
from airbench_edge.benchmark.scores.counts import Counts
from airbench_edge.benchmark.scores.foundation import FoundationScores
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.report.standing import Place
from airbench_edge.run.data_source import DataSource
from airbench_edge.run.selection import Selection

SCHEMA = 1


class FoundationReading(msgspec.Struct, frozen=True):
    """The foundation track with letters from one source.

    Attributes:
        aligner: The language model that was asked for letters; None for the letters of the responses themselves.
        planned: Responses that the aligner was to be asked about.
        replied: Responses that it replied to.
        scores: The scores.
        places: Place of each complete category and of the average among the published models; empty for a data set
            whose figures must not be set beside published ones.
    """

    aligner: JudgeIdentity | None
    planned: int
    replied: int
    scores: FoundationScores
    places: dict[str, Place]


class Usage(msgspec.Struct, frozen=True):
    """What the verdicts of a judge took.

    Attributes:
        prompt_tokens: Tokens that it read.
        completion_tokens: Tokens that it wrote.
        asked_again: Verdicts that took more than one attempt.
        cost_usd: What these tokens cost at the list price, one by one; None where there is no such price. Replies that
            came out of the cache or a batch were cheaper.
        price_as_of: Date of that price.
    """

    prompt_tokens: int
    completion_tokens: int
    asked_again: int
    cost_usd: float | None = None
    price_as_of: str = ""


class ChatReading(msgspec.Struct, frozen=True):
    """The chat track as one judge sees it.

    Attributes:
        judge: The judge.
        planned: Items that it was to be asked about: fewer than the run has where only a sample is judged.
        models: Names under which the judge itself answered, with the number of verdicts.
        fingerprints: System fingerprints that an API returned, with the number of verdicts.
        asked_with: Settings that it had to be asked with instead of those of its identity, with the number of verdicts.
        usage: Tokens and price.
        scores: The scores, over the planned items.
        places: Place of each complete category and of the average among the published models; empty for a data set
            whose figures must not be set beside published ones.
        health: Health card of the judge; None where it was not checked. The scores of a judge that fails it are shown,
            and are not meaningful.
    """

    judge: JudgeIdentity
    planned: int
    models: dict[str, int]
    fingerprints: dict[str, int]
    asked_with: dict[str, int]
    usage: Usage
    scores: ChatScores
    places: dict[str, Place]
    health: HealthCard | None = None


class Gap(msgspec.Struct, frozen=True):
    """An item without a response.

    Attributes:
        track: Its track.
        uniq_id: Its id.
        folder: Folder of its clip.
        path: Name of its clip as written in the metadata.
        state: What became of it; None while the answer stage has not come to it.
        reason: Kind of error and message.
    """

    track: Track
    uniq_id: UniqId
    folder: str
    path: str
    state: State | None
    reason: str


class Sound(msgspec.Struct, frozen=True):
    """What reached the audio-LM of the clips, over all items.

    Attributes:
        duration_s: Seconds of the clips whose length is known.
        heard_s: Seconds of them that were heard.
        cut: Items of whose clip the audio-LM heard a part only.
        warnings: What the audio reader repaired or doubts, with the number of items.
    """

    duration_s: float
    heard_s: float
    cut: int
    warnings: dict[str, int]


class ReportModel(msgspec.Struct, frozen=True):
    """The whole report.

    Attributes:
        schema: Version of this form; it grows when a field changes its meaning or goes.
        program: Version of airbench-edge that computed it.
        audiolm: The model under test.
        providers: Session of the model to the execution provider that it really got.
        data: The data set.
        selection: Which of its items were planned.
        prompt: Whose wording of the foundation prompt the model was given.
        foundation: What became of the foundation items; None where none is planned.
        letters: The foundation scores, first with the letters of the responses themselves, then for each aligner.
        chat: What became of the chat items; None where none is planned.
        judges: The chat scores of each judge.
        sound: What the model heard.
        gaps: Planned items without a response, in the order of the data set.
        notes: What the reader of the data set has to say about its records.
        ignored: Records in the run folder about items that are not planned.
    """

    schema: int
    program: str
    audiolm: Identity
    providers: dict[str, str]
    data: DataSource
    selection: Selection
    prompt: RulesName
    foundation: Counts | None
    letters: tuple[FoundationReading, ...]
    chat: Counts | None
    judges: tuple[ChatReading, ...]
    sound: Sound
    gaps: tuple[Gap, ...]
    notes: tuple[Note, ...]
    ignored: int
