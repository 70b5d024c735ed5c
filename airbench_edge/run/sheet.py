"""The replies of one judge or aligner in a run: ``NAME.json`` says which instrument, ``NAME.jsonl`` what it said."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from airbench_edge.benchmark.items import UniqId
from airbench_edge.benchmark.records import AlignedLetter, Verdict
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.digest import digest
from airbench_edge.run.atomic import write_atomically

# Asking again cannot help these; any other failure is asked again by the next command.
FINAL_FAILURES = frozenset({"too_long", "content_filter"})


class Sheet(msgspec.Struct, frozen=True):
    """The head of a sheet.

    Attributes:
        identity: The instrument; replies of two are never in one file.
        planned: Ids of the items that it was to be asked about, in the order of the run.
    """

    identity: JudgeIdentity
    planned: tuple[UniqId, ...]


def is_settled(record: Verdict | AlignedLetter | None) -> bool:
    """Whether there is nothing left to ask."""
    return record is not None and (not record.failure or record.failure in FINAL_FAILURES)


def read_sheet(path: Path) -> Sheet:
    """Read the ``.json`` of a sheet.

    Raises:
        InputError: It cannot be read or is damaged.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Sheet)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"{path} cannot be used ({error}): restore it, or move it away with its .jsonl.") from error


def open_sheet(folder: Path, identity: JudgeIdentity, planned: Iterable[UniqId], order: Iterable[UniqId]) -> Path:
    """Find or begin the sheet of this very instrument and give the path of its journal.

    An instrument that bears the name of another one gets a file of its own, told apart by a hash.

    Args:
        folder: Where the sheets of this kind are.
        identity: The instrument.
        planned: Items to ask about; those planned by earlier commands stay planned.
        order: Ids of all items of the track, in the order of the run.

    Raises:
        InputError: The folder or a sheet in it cannot be used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{folder} cannot be made a folder ({error.strerror}): move away what is there, or check permissions."
        ) from error
    for head in (folder / f"{identity.name}.json", folder / f"{identity.name}-{digest(identity)[:12]}.json"):
        if not head.exists() and head.with_suffix(".jsonl").exists():
            raise InputError(
                f"{head} is missing, so nothing says whose {head.stem}.jsonl is: restore it, or move both away."
            )
        sheet = read_sheet(head) if head.exists() else Sheet(identity, ())
        if sheet.identity == identity:
            wanted = {*sheet.planned, *planned}
            sheet = Sheet(identity, tuple(uniq_id for uniq_id in order if uniq_id in wanted))
            write_atomically(head, msgspec.json.encode(sheet))
            return head.with_suffix(".jsonl")
    raise InputError(f"{head} was changed by hand and fits no judge: move it away with its .jsonl.")
