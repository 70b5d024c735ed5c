"""The run folder as it is written: begun, gone on with, or judged elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from airbench_edge.benchmark.items import ChatItem, FoundationItem, Item, ItemKey
from airbench_edge.benchmark.notes import Note
from airbench_edge.benchmark.records import Response
from airbench_edge.errors import InputError
from airbench_edge.run.atomic import write_atomically
from airbench_edge.run.folder import ITEMS, MANIFEST, NOTES, RESPONSES, read_items
from airbench_edge.run.journal import read_journal
from airbench_edge.run.lock import LOCK_NAME, OWNER_NAME, sole_writer
from airbench_edge.run.manifest import Manifest, check_same, read_manifest


@dataclass(frozen=True)
class OpenRun:
    """A run folder that this process alone may write into.

    Attributes:
        path: The folder.
        manifest: What the run is about.
        items: The planned items.
    """

    path: Path
    manifest: Manifest
    items: tuple[Item, ...]

    @property
    def foundation(self) -> list[FoundationItem]:
        """The planned items of the foundation track."""
        return [item for item in self.items if isinstance(item, FoundationItem)]

    @property
    def chat(self) -> list[ChatItem]:
        """The planned items of the chat track."""
        return [item for item in self.items if isinstance(item, ChatItem)]

    def texts(self) -> dict[ItemKey, str]:
        """What the audio-LM has said so far, by item; an empty response is one too.

        Raises:
            InputError: The responses are damaged.
        """
        latest = {response.key: response for response in read_journal(self.path / RESPONSES, Response).records}
        return {key: response.text for key, response in latest.items() if response.text is not None}


# The manifest is written last, so a folder that has one has the rest, and these alone are no run yet.
_BEFORE_THE_MANIFEST = {LOCK_NAME, OWNER_NAME, ITEMS, NOTES, MANIFEST + ".tmp", ITEMS + ".tmp", NOTES + ".tmp"}


@contextmanager
def create_or_open(path: Path, manifest: Manifest, items: Sequence[Item], notes: Sequence[Note]) -> Iterator[OpenRun]:
    """Begin a run, or go on with the same one; its items are those written down when it was begun.

    Raises:
        InputError: The folder holds another run or something else, is being written, or cannot be written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        found = {entry.name for entry in path.iterdir()}
    except OSError as error:
        raise InputError(f"{path} cannot be the output folder ({error.strerror}): choose another.") from error
    if MANIFEST not in found and not found <= _BEFORE_THE_MANIFEST:
        raise InputError(
            f"{path} is not empty and holds no run (there is no {MANIFEST}): choose another output folder."
        )
    with sole_writer(path):
        if not (path / MANIFEST).exists():
            encoder = msgspec.json.Encoder()
            write_atomically(path / ITEMS, encoder.encode_lines(items))
            write_atomically(path / NOTES, encoder.encode_lines(notes))
            write_atomically(path / MANIFEST, msgspec.json.format(encoder.encode(manifest)) + b"\n")
        stored = read_manifest(path / MANIFEST)
        check_same(path, stored, manifest)
        yield OpenRun(path, stored, read_items(path / ITEMS))


@contextmanager
def reopen(path: Path) -> Iterator[OpenRun]:
    """Open a run to judge or align it, wherever it was answered.

    Raises:
        InputError: There is no run, it is of a newer format, being written, or cannot be written.
    """
    manifest = read_manifest(path / MANIFEST)
    with sole_writer(path):
        yield OpenRun(path, manifest, read_items(path / ITEMS))
