"""Runs in memory to their comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from airbench_edge import __version__
from airbench_edge.benchmark.items import Item, ItemKey, Track
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.errors import InputError
from airbench_edge.report.compare.model import (
    COMPARISON_SCHEMA,
    Comparison,
    ComparisonModel,
    Drift,
    Section,
    Side,
)
from airbench_edge.report.compare.section import Pair, section
from airbench_edge.report.compare.values import Value, chat_values, foundation_values
from airbench_edge.run.folder import Aligned, Judged, RunData
from airbench_edge.run.manifest import manifest_differences

Instrument = TypeVar("Instrument", Aligned, Judged)


def compare_runs(runs: Sequence[RunData], rules: RulesName) -> ComparisonModel:
    """Compare every run with the first one, over the items that both have answered.

    Scores are compared only if the same judge (or aligner) gave them, down to its weights and settings.

    Raises:
        InputError: Two runs are of different data sets, or have nothing that can be compared.
    """
    first, *others = runs
    return ComparisonModel(
        COMPARISON_SCHEMA, __version__, rules, _side(first), tuple(_compare(first, other, rules) for other in others)
    )


def _compare(first: RunData, second: RunData, rules: RulesName) -> Comparison:
    items = _common_items(first, second)
    drift = tuple(_drift(first, second, items))
    if not any(track.answered for track in drift):
        raise InputError(
            f"{first.path} and {second.path} have no item that both have answered: let both runs go on first."
        )
    remarks = list(_remarks(first, second, items))
    sections = tuple(_sections(first, second, items, rules))
    if not sections:
        nothing = f"No item was answered by {first.path} and {second.path} both so that {rules} rules can read it."
        raise InputError(remarks[0] if remarks else nothing)
    return Comparison(
        second=_side(second),
        differs=_differences(first, second),
        drift=drift,
        sections=sections,
        remarks=tuple(remarks),
    )


def _differences(first: RunData, second: RunData) -> dict[str, tuple[str, str]]:
    """What people look for comes first: the details of two models may differ in every file."""
    differs = manifest_differences(first.manifest, second.manifest)
    return dict(sorted(differs.items(), key=lambda difference: difference[0].startswith("model.details.")))


def _side(run: RunData) -> Side:
    return Side(str(run.path), run.manifest.model, run.manifest.prompt)


def _common_items(first: RunData, second: RunData) -> list[Item]:
    """Items that both runs plan.

    Raises:
        InputError: There are none, or they are other questions under the same ids.
    """
    theirs = {item.key: item for item in second.items}
    common = [item for item in first.items if item.key in theirs]
    data, other = first.manifest.data, second.manifest.data
    # The fingerprint is over the metadata of the tracks that a run asked for.
    same_tracks = first.manifest.selection.tracks == second.manifest.selection.tracks
    if (same_tracks and data.fingerprint != other.fingerprint) or any(theirs[item.key] != item for item in common):
        raise InputError(
            f"{first.path} and {second.path} were made with different data sets ({data.name} and {other.name}): "
            "compare runs of the same one."
        )
    if not common:
        raise InputError(f"{first.path} and {second.path} have no item in common: compare runs of the same items.")
    return common


def _remarks(first: RunData, second: RunData, items: Sequence[Item]) -> Iterator[str]:
    """Why the chat track is not compared, where it is not."""
    if not any(item.key.track is Track.CHAT for item in items) or _common(first.verdicts, second.verdicts):
        return
    judges = [", ".join(judged.identity.name for judged in run.verdicts.values()) or "none" for run in (first, second)]
    yield (
        f"Chat scores are not compared, as no judge of the same weights and settings has judged both runs "
        f"({judges[0]} in {first.path}, {judges[1]} in {second.path}): judge both with one, by airbench-edge judge."
    )


def _sections(first: RunData, second: RunData, items: Sequence[Item], rules: RulesName) -> Iterator[Section]:
    letters: list[tuple[Aligned | None, Aligned | None]] = [(None, None), *_common(first.letters, second.letters)]
    for one, other in letters:
        values = foundation_values(first, one, rules), foundation_values(second, other, rules)
        if pairs := _pairs(first, second, items, *values):
            yield section(Track.FOUNDATION, one.identity if one else None, pairs)
    for judged, same in _common(first.verdicts, second.verdicts):
        if pairs := _pairs(first, second, items, chat_values(first, judged, rules), chat_values(second, same, rules)):
            yield section(Track.CHAT, judged.identity, pairs)


def _common(first: Mapping[str, Instrument], second: Mapping[str, Instrument]) -> list[tuple[Instrument, Instrument]]:
    """Instruments of equal identity, in both runs."""
    return [(one, other) for one in first.values() for other in second.values() if one.identity == other.identity]


def _pairs(
    first: RunData,
    second: RunData,
    items: Sequence[Item],
    ours: Mapping[ItemKey, Value],
    theirs: Mapping[ItemKey, Value],
) -> list[Pair]:
    return [
        Pair(item, (ours[item.key], theirs[item.key]), (_text(first, item) or "", _text(second, item) or ""))
        for item in items
        if item.key in ours and item.key in theirs
    ]


def _drift(first: RunData, second: RunData, items: Sequence[Item]) -> Iterator[Drift]:
    for track in Track:
        common = [item for item in items if item.key.track is track]
        texts = [(_text(first, item), _text(second, item)) for item in common]
        both = [(one, other) for one, other in texts if one is not None and other is not None]
        if common:
            yield Drift(track, len(common), len(both), sum(one == other for one, other in both))


def _text(run: RunData, item: Item) -> str | None:
    response = run.responses.get(item.key)
    return response.text if response else None
