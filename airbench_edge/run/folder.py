"""The run folder as it is read: everything that a report needs, with neither model nor audio nor data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from airbench_edge.benchmark.items import Item, ItemKey, Track, UniqId
from airbench_edge.benchmark.notes import Note
from airbench_edge.benchmark.records import AlignedLetter, Order, Response, Verdict
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.run.health import read_card
from airbench_edge.run.journal import read_journal
from airbench_edge.run.machine import Machine, Timing, read_machine, read_timings
from airbench_edge.run.manifest import Manifest, read_manifest
from airbench_edge.run.sheet import read_sheet

MANIFEST = "run.json"
ITEMS = "items.jsonl"
NOTES = "notes.jsonl"
RESPONSES = "responses.jsonl"
LETTERS = "letters"
VERDICTS = "verdicts"


@dataclass(frozen=True)
class Aligned:
    """What one aligner said.

    Attributes:
        identity: The aligner.
        planned: Ids of the foundation items that it was to be asked about.
        records: Its replies by item.
        ignored: Replies about items that are not in the run.
    """

    identity: JudgeIdentity
    planned: tuple[UniqId, ...]
    records: dict[ItemKey, AlignedLetter]
    ignored: int = 0


@dataclass(frozen=True)
class Judged:
    """What one judge said.

    Attributes:
        identity: The judge.
        planned: Ids of the chat items that it was to be asked about; the others are not its failures.
        records: Its replies by item and order.
        ignored: Replies about items that are not in the run.
        health: Its health card; None where it was not checked.
    """

    identity: JudgeIdentity
    planned: tuple[UniqId, ...]
    records: dict[tuple[UniqId, Order], Verdict]
    ignored: int = 0
    health: HealthCard | None = None


@dataclass(frozen=True)
class RunData:
    """A run folder in memory; every dict is in the order of the items, whatever the order of the work was.

    Attributes:
        path: The folder.
        manifest: What the run is about.
        machine: Where it was answered; None before the first answer.
        items: The planned items.
        notes: What the reader of the data set noticed.
        responses: Responses so far.
        letters: Aligners by the stem of their file.
        verdicts: Judges by the stem of their file.
        ignored: Responses to items that are not in the run.
        timings: How long each stage took.
    """

    path: Path
    manifest: Manifest
    machine: Machine | None
    items: tuple[Item, ...]
    notes: tuple[Note, ...]
    responses: dict[ItemKey, Response]
    letters: dict[str, Aligned]
    verdicts: dict[str, Judged]
    ignored: int = 0
    timings: tuple[Timing, ...] = ()


def load_run(path: Path) -> RunData:
    """Read a run folder, finished or not, also while it is being written.

    Raises:
        InputError: It is no run folder, of a newer format, or damaged.
    """
    manifest = read_manifest(path / MANIFEST)
    items = read_items(path / ITEMS)
    answered = {response.key: response for response in read_journal(path / RESPONSES, Response).records}
    responses = {item.key: answered[item.key] for item in items if item.key in answered}
    return RunData(
        path=path,
        manifest=manifest,
        machine=read_machine(path),
        items=items,
        notes=tuple(read_journal(path / NOTES, Note).records),
        responses=responses,
        letters={head.stem: _read_letters(head, items) for head in _heads(path / LETTERS)},
        verdicts={head.stem: _read_verdicts(path, head, items) for head in _heads(path / VERDICTS)},
        ignored=len(answered) - len(responses),
        timings=read_timings(path),
    )


def read_items(path: Path) -> tuple[Item, ...]:
    """Read the planned items.

    Raises:
        InputError: The file is missing, damaged or empty, or has an item twice.
    """
    decoder: msgspec.json.Decoder[Item] = msgspec.json.Decoder(Item)
    try:
        items = tuple(decoder.decode_lines(path.read_bytes()))
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"{path} cannot be used ({error}): restore it from a copy of the run.") from error
    if not items:
        raise InputError(f"{path} holds no item: restore it from a copy of the run.")
    if twice := [key for key, count in Counter(item.key for item in items).items() if count > 1]:
        raise InputError(
            f"{path} has the item {twice[0].uniq_id} of the {twice[0].track} track more than once: restore it from a "
            "copy of the run."
        )
    return items


def _heads(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"{folder} cannot be read ({error.strerror}): check its permissions.") from error


def _read_letters(head: Path, items: Iterable[Item]) -> Aligned:
    sheet = read_sheet(head)
    found = {letter.key: letter for letter in read_journal(head.with_suffix(".jsonl"), AlignedLetter).records}
    letters = {item.key: found[item.key] for item in items if item.key in found}
    return Aligned(sheet.identity, sheet.planned, letters, len(found) - len(letters))


def _read_verdicts(path: Path, head: Path, items: Iterable[Item]) -> Judged:
    sheet = read_sheet(head)
    found = {verdict.key: verdict for verdict in read_journal(head.with_suffix(".jsonl"), Verdict).records}
    keys = [(item.uniq_id, order) for item in items if item.key.track is Track.CHAT for order in Order]
    verdicts = {key: found[key] for key in keys if key in found}
    health = read_card(path, sheet.identity)
    return Judged(sheet.identity, sheet.planned, verdicts, len(found) - len(verdicts), health)
