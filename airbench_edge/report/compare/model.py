"""What a comparison of runs says, as data: the one source of its forms. It holds neither clock nor host name."""

from __future__ import annotations

import msgspec

from airbench_edge.audiolm.contract import Identity
from airbench_edge.benchmark.items import Track, UniqId
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.statistics.interval import Interval

COMPARISON_SCHEMA = 1


class Side(msgspec.Struct, frozen=True):
    """One of the runs.

    Attributes:
        path: Its folder as given.
        audiolm: Its model.
        prompt: Whose wording of the foundation prompt the model was given.
    """

    path: str
    audiolm: Identity
    prompt: RulesName


class Drift(msgspec.Struct, frozen=True):
    """How alike the responses of two runs are on a track.

    Attributes:
        track: The track.
        common: Items in both runs.
        answered: Of these, items that both have answered.
        identical: Of these, items with the very same response.
    """

    track: Track
    common: int
    answered: int
    identical: int


class TaskDifference(msgspec.Struct, frozen=True):
    """A foundation task, or a group of chat tasks, over the items that count in both runs.

    Attributes:
        name: ``task_name``, or the name of the group.
        label: The same for people.
        category: Its category; None for a task that AIR-Bench does not know.
        n: Items that count in both.
        first: Accuracy as a share, or mean score, of the first run.
        second: The same of the second run.
        difference: Second minus first.
        interval: Of the difference: 95 %, bootstrap over the pairs; None of a single item.
        fell: Items on which the second run is worse.
        rose: Items on which it is better.
        p: Exact test of McNemar for accuracy, signed-rank test of Wilcoxon for scores.
        p_holm: The same, adjusted by Holm over the tasks of the table.
    """

    name: str
    label: str
    category: str | None
    n: int
    first: float
    second: float
    difference: float
    interval: Interval | None
    fell: int
    rose: int
    p: float
    p_holm: float


class MeanDifference(msgspec.Struct, frozen=True):
    """A category, or the average of the categories; figures are None as soon as a part is missing.

    Attributes:
        name: Its name.
        n: Items below it that count in both.
        first: Mean of the first run.
        second: Mean of the second run.
        difference: Second minus first.
        interval: 95 %, bootstrap over the pairs within their tasks.
        missing: Parts without an item that counts in both.
    """

    name: str
    n: int
    first: float | None
    second: float | None
    difference: float | None
    interval: Interval | None
    missing: tuple[str, ...]


class Moved(msgspec.Struct, frozen=True):
    """An item that came out otherwise.

    Attributes:
        uniq_id: Its id.
        task: Its ``task_name``.
        folder: Folder of its clip.
        path: Name of its clip.
        question: The question.
        first: 1 for right and 0 for not right, or the score, in the first run.
        second: The same in the second run.
        first_read: The letter that was read in the first run, empty for none; or the model's scores with the reference
            first and with the model first, as ``7 / 8``.
        second_read: The same in the second run.
        first_response: What the model of the first run said.
        second_response: What the model of the second run said.
    """

    uniq_id: UniqId
    task: str
    folder: str
    path: str
    question: str
    first: float
    second: float
    first_read: str
    second_read: str
    first_response: str
    second_response: str


class Section(msgspec.Struct, frozen=True):
    """A track as one instrument sees it.

    Attributes:
        track: The track.
        instrument: The judge, or the aligner; None for letters read from the responses themselves.
        tasks: Tasks in the order of the paper, or groups in that of ``cal_score.py``, then unknown tasks.
        means: Categories and the average.
        moved: Items that came out otherwise, the largest changes first.
    """

    track: Track
    instrument: JudgeIdentity | None
    tasks: tuple[TaskDifference, ...]
    means: tuple[MeanDifference, ...]
    moved: tuple[Moved, ...]


class Comparison(msgspec.Struct, frozen=True):
    """A run against the first one.

    Attributes:
        second: The run.
        differs: What the runs do not have in common, as ``model.details.dtype``: value in the first and in the second.
        drift: How alike the responses are, by track.
        sections: The scores.
        remarks: What could not be compared, one sentence each.
    """

    second: Side
    differs: dict[str, tuple[str, str]]
    drift: tuple[Drift, ...]
    sections: tuple[Section, ...]
    remarks: tuple[str, ...]


class ComparisonModel(msgspec.Struct, frozen=True):
    """All runs against the first one.

    Attributes:
        schema: Version of this form; it grows when a field changes its meaning or goes.
        program: Version of airbench-edge that computed it.
        rules: Rules under which items count and are right.
        first: The first run.
        others: The others, each against the first.
    """

    schema: int
    program: str
    rules: RulesName
    first: Side
    others: tuple[Comparison, ...]
