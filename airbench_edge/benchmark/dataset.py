"""A data set in the official layout: its items, what is wrong with its records, and where its clips are.

    ROOT/Foundation/Foundation_meta.json    ROOT/Foundation/<task_name>_<dataset_name>/<path>
    ROOT/Chat/Chat_meta.json                ROOT/Chat/<task_name>_<dataset_name>/<path>

Loading reads the metadata only; a data set of recorded responses needs no clips.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Collection
from enum import StrEnum
from pathlib import Path

import msgspec

from airbench_edge.benchmark.clip_path import METADATA_FILES, TRACK_FOLDERS, clip_names, folder_escape, item_escape
from airbench_edge.benchmark.items import Item, Track
from airbench_edge.benchmark.metadata import parse_metadata
from airbench_edge.benchmark.notes import Note
from airbench_edge.errors import InputError


class Presence(StrEnum):
    """Whether the clip of an item is there."""

    FOUND = "found"
    MISSING = "missing"
    REFUSED = "refused"


class ClipPlace(msgspec.Struct, frozen=True):
    """Where the clip of an item is.

    Attributes:
        presence: Whether it is there; only a found clip may be opened.
        path: The clip; where there is none, the place at which it was expected. Items of one clip have equal paths.
        message: Why it is not there, one sentence that names it from the root on; empty for a found clip.
    """

    presence: Presence
    path: Path
    message: str = ""


class DataSet(msgspec.Struct, frozen=True):
    """Questions with the names of their clips.

    Attributes:
        root: Folder that holds ``Foundation`` and ``Chat``.
        tracks: The tracks that were asked for and are there.
        items: All usable items, in the order of the metadata, foundation first.
        notes: What is to be said about the records.
        fingerprint: SHA-256 of the metadata files of these tracks.
    """

    root: Path
    tracks: tuple[Track, ...]
    items: tuple[Item, ...]
    notes: tuple[Note, ...]
    fingerprint: str

    def clip(self, item: Item) -> ClipPlace:
        """Find the clip of an item, without opening it."""
        folder = self.root / TRACK_FOLDERS[item.key.track] / item.folder
        if way := item_escape(item):
            return ClipPlace(Presence.REFUSED, folder, f"The path {item.path!r} {way}, so it is not followed.")
        places = [folder / name for name in clip_names(item.task, item.path)]
        reasons = []
        for place in places:
            if not (reason := _absence(place, stat.S_ISREG)):
                return ClipPlace(Presence.FOUND, place)
            reasons.append(f"{place.relative_to(self.root)}: {reason}")
        return ClipPlace(Presence.MISSING, places[0], f"No clip at {'; '.join(reasons)}.")

    def has_folder(self, track: Track, folder: str) -> bool:
        """Whether a folder of clips is on disk; False for one that would lie outside the data set."""
        return not folder_escape(folder) and not _absence(self.root / TRACK_FOLDERS[track] / folder, stat.S_ISDIR)


def load_dataset(root: Path, tracks: Collection[Track] = tuple(Track)) -> DataSet:
    """Read the metadata of the tracks that are there.

    Args:
        root: Folder that holds ``Foundation`` and ``Chat``, or one of them.
        tracks: The tracks that are wanted.

    Raises:
        InputError: None of the wanted tracks is there, or a metadata file cannot be used (``MetadataError``).
    """
    found = _metadata_files(root, tracks)
    items: list[Item] = []
    notes: list[Note] = []
    digest = hashlib.sha256()
    for track, path in found.items():
        content = _read(path)
        digest.update(f"{track}:{len(content)}:".encode() + content)
        metadata = parse_metadata(content, track, str(path))
        items += metadata.items
        notes += metadata.notes
    return DataSet(root, tuple(found), tuple(items), tuple(notes), digest.hexdigest())


def metadata_path(root: Path, track: Track) -> Path:
    """Where the metadata of a track stands."""
    return root / TRACK_FOLDERS[track] / METADATA_FILES[track]


def _metadata_files(root: Path, tracks: Collection[Track]) -> dict[Track, Path]:
    wanted = {track: metadata_path(root, track) for track in Track if track in tracks}
    try:
        found = {track: path for track, path in wanted.items() if path.is_file()}
        if not found:
            raise InputError(_what_is_there_instead(root, wanted))
    except OSError as error:
        raise InputError(f"{root} cannot be read ({error.strerror}): check its name and permissions.") from error
    return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error


def _absence(place: Path, is_wanted: Callable[[int], bool]) -> str | None:
    """Why there is nothing of that kind; None if there is. Links are followed, as hub caches keep clips as links."""
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        return "no such file"
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return None if is_wanted(mode) else "something else of that name"


def _what_is_there_instead(root: Path, wanted: dict[Track, Path]) -> str:
    if not root.exists():
        return f"There is no data folder {root}: give the folder that holds Foundation/ and Chat/."
    if not root.is_dir():
        return f"{root} is a file: give the folder that holds Foundation/Foundation_meta.json and Chat/Chat_meta.json."
    if any((root / name).is_file() for name in METADATA_FILES.values()):
        return f"{root} is one track of a data set: give the folder above it, {root.absolute().parent}."
    for folder in sorted(entry for entry in root.iterdir() if entry.is_dir()):
        if any(metadata_path(folder, track).is_file() for track in Track):
            return f"{root} holds a data set one level down: give {folder}."
    names = " or ".join(str(path.relative_to(root)) for path in wanted.values())
    other = [track for track in Track if track not in wanted and metadata_path(root, track).is_file()]
    have = f" (only the {other[0]} track is there)" if other else ""
    return f"{root} holds no {names}{have}: give a folder in the official layout of AIR-Bench-Dataset."
