"""The path rule of AIR-Bench: ``<Track>/<task_name>_<dataset_name>/<path>``, and what a path may not do.

Paths are judged as written, links are not resolved: hub caches keep a clip as a link to a file elsewhere.
"""

from __future__ import annotations

import re
from typing import Final

from airbench_edge.benchmark.items import Item, Track

TRACK_FOLDERS: Final = {Track.FOUNDATION: "Foundation", Track.CHAT: "Chat"}
METADATA_FILES: Final = {Track.FOUNDATION: "Foundation_meta.json", Track.CHAT: "Chat_meta.json"}

# The published metadata of this task says .wav, the published files are .flac.
_FLAC_TASK: Final = "Audio_Grounding"
_SEPARATORS: Final = re.compile(r"[/\\]")
_DRIVE_OR_SCHEME: Final = re.compile(r"[A-Za-z]:|[A-Za-z][\w+.-]*://")


def clip_names(task: str, path: str) -> tuple[str, ...]:
    """Names under which the clip may be in its folder, the most likely first."""
    if task == _FLAC_TASK and path.lower().endswith(".wav"):
        return (path, path[:-4] + ".flac")
    return (path,)


def names_no_file(path: str) -> bool:
    """Whether the path is blank or names a folder."""
    return not path.strip() or _SEPARATORS.split(path)[-1].strip() in ("", ".")


def escape(path: str) -> str | None:
    """How the path leaves the folder that it is looked up in; None where it stays inside."""
    parts = _SEPARATORS.split(path)
    if "\0" in path:
        return "holds a NUL character"
    if parts[0] == "" or _DRIVE_OR_SCHEME.match(path):
        return "is absolute"
    if any(part.strip() == ".." for part in parts):
        return "leads upwards"
    if parts[0] == "~" or (parts[0].startswith("~") and len(parts) > 1):
        return "names a home folder"
    return None


def folder_escape(folder: str) -> str | None:
    """The same for the folder itself, which is one plain name."""
    return "holds a path separator" if _SEPARATORS.search(folder) else escape(folder)


def item_escape(item: Item) -> str | None:
    """How the place of the item's clip leaves the data set; None where it stays inside."""
    return folder_escape(item.folder) or escape(item.path)
