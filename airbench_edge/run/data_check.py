"""Whether a data set is whole: every record usable, every clip there, every clip a sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from airbench_edge.audio import AudioError, read_clip
from airbench_edge.benchmark.clip_path import TRACK_FOLDERS
from airbench_edge.benchmark.dataset import ClipPlace, DataSet, Presence
from airbench_edge.benchmark.items import Item, Track, UniqId
from airbench_edge.benchmark.notes import Note, Severity
from airbench_edge.benchmark.record_ids import REPEATED_RECORD
from airbench_edge.benchmark.tasks import published_folders
from airbench_edge.run.read_ahead import read_ahead


class ClipFault(msgspec.Struct, frozen=True):
    """An item whose clip cannot be heard.

    Attributes:
        track: Track of the item.
        uniq_id: Id of the item.
        folder: Folder of the clip.
        path: Name of the clip as written in the metadata.
        kind: ``missing``, ``refused``, or the kind of error of the audio reader.
        message: One sentence, without the place of the data set.
    """

    track: Track
    uniq_id: UniqId
    folder: str
    path: str
    kind: str
    message: str


class FolderCheck(msgspec.Struct, frozen=True):
    """One folder of clips; published folders without a row are listed too.

    Attributes:
        track: Track of the folder.
        folder: Its name.
        there: Whether the folder is on disk.
        rows: Records of the metadata that name it.
        usable: Of these, records that are items.
        with_audio: Items whose clip is there.
        undecodable: Of these, items whose clip is no sound; None where decoding was not asked for.
        published_rows: Rows in the published metadata; None where that is not known.
        published_with_audio: Rows whose clip a public copy of the data set holds; None where that is not known.
    """

    track: Track
    folder: str
    there: bool
    rows: int
    usable: int
    with_audio: int
    undecodable: int | None
    published_rows: int | None
    published_with_audio: int | None


class DataCheck(msgspec.Struct, frozen=True):
    """What was found.

    Attributes:
        root: The data set.
        fingerprint: Hash of its metadata.
        tracks: Tracks that are there.
        decoded: Whether clips were decoded, not only looked for.
        complete: Whether there are items, all records (repeated ones apart) are among them, and no clip has a fault.
            Fewer rows than published are no fault: the set may be a selection.
        folders: Published folders in the order of the paper, then others.
        missing_folders: Folders that items need and that are not on disk, as ``Foundation/<folder>``.
        faults: Items whose clip cannot be heard, in the order of the metadata.
        notes: What the reader of the metadata found.
    """

    root: str
    fingerprint: str
    tracks: tuple[Track, ...]
    decoded: bool
    complete: bool
    folders: tuple[FolderCheck, ...]
    missing_folders: tuple[str, ...]
    faults: tuple[ClipFault, ...]
    notes: tuple[Note, ...]


def check_data(data: DataSet, decode: bool = True, seen: Callable[[int, int], None] | None = None) -> DataCheck:
    """Look for the clip of every item, and decode each clip once.

    Args:
        data: The data set.
        decode: Whether to decode the clips; looking for them alone takes seconds.
        seen: Told (clips decoded, clips to decode) after each clip.
    """
    places = [data.clip(item) for item in data.items]
    clips = list(dict.fromkeys(place.path for place in places if place.presence is Presence.FOUND)) if decode else []
    broken = _undecodable(clips, seen)
    found = [_fault(item, place, broken) for item, place in zip(data.items, places, strict=True)]
    faults = tuple(fault for fault in found if fault)
    folders = _folders(data, faults, decode)
    return DataCheck(
        root=str(data.root),
        fingerprint=data.fingerprint,
        tracks=data.tracks,
        decoded=decode,
        complete=bool(data.items) and not faults and not any(_is_lost(note) for note in data.notes),
        folders=folders,
        missing_folders=tuple(
            f"{TRACK_FOLDERS[folder.track]}/{folder.folder}" for folder in folders if folder.usable and not folder.there
        ),
        faults=faults,
        notes=data.notes,
    )


def _undecodable(clips: Sequence[Path], seen: Callable[[int, int], None] | None) -> dict[Path, AudioError]:
    broken = {}
    for number, (path, error) in enumerate(zip(clips, read_ahead(_error_of, clips), strict=True), 1):
        if error:
            broken[path] = error
        if seen:
            seen(number, len(clips))
    return broken


def _error_of(path: Path) -> AudioError | None:
    try:
        read_clip(path, None)
    except AudioError as error:
        return error
    return None


def _fault(item: Item, place: ClipPlace, broken: dict[Path, AudioError]) -> ClipFault | None:
    if place.presence is not Presence.FOUND:
        kind, message = place.presence.value, place.message
    elif error := broken.get(place.path):
        kind, message = error.kind.value, error.message
    else:
        return None
    return ClipFault(item.key.track, item.uniq_id, item.folder, item.path, kind, message)


def _is_lost(note: Note) -> bool:
    return note.severity is not Severity.WARNING and note.kind != REPEATED_RECORD


def _folders(data: DataSet, faults: Sequence[ClipFault], decoded: bool) -> tuple[FolderCheck, ...]:
    published = {(track, folder.name): folder for track in data.tracks for folder in published_folders(track)}
    usable = Counter((item.key.track, item.folder) for item in data.items)
    not_usable = Counter(
        (note.track, note.folder) for note in data.notes if note.folder and note.severity is not Severity.WARNING
    )
    absent = Counter((fault.track, fault.folder) for fault in faults if fault.kind in tuple(Presence))
    broken = Counter((fault.track, fault.folder) for fault in faults if fault.kind not in tuple(Presence))
    folders = []
    for place in dict.fromkeys([*published, *usable, *not_usable]):
        track, folder = place
        known = published.get(place)
        folders.append(
            FolderCheck(
                track=track,
                folder=folder,
                there=data.has_folder(track, folder),
                rows=usable[place] + not_usable[place],
                usable=usable[place],
                with_audio=usable[place] - absent[place],
                undecodable=broken[place] if decoded else None,
                published_rows=known.rows if known else None,
                published_with_audio=known.rows_with_audio if known else None,
            )
        )
    return tuple(folders)
