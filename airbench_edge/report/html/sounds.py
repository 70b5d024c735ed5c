"""The clips that the page can play: linked where they lie, or embedded."""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import soundfile

from airbench_edge.audio import AudioError, read_clip
from airbench_edge.benchmark.dataset import Presence, load_dataset
from airbench_edge.benchmark.items import ItemKey
from airbench_edge.errors import InputError
from airbench_edge.run.folder import RunData

_LARGEST = 256 << 20
"""Bytes of clips that a page may embed: browsers open the page that comes of it, though slowly."""

_TYPES = {b"fLaC": "audio/flac", b"OggS": "audio/ogg"}


class AudioMode(StrEnum):
    """How a page comes to its sound."""

    EMBED = "embed"
    LINK = "link"


class EmbeddedClip(NamedTuple):
    """One clip inside the page: id of its element, type, and the content in base64."""

    id: str
    type: str
    content: str


@dataclass(frozen=True)
class Sounds:
    """What the page can play.

    Attributes:
        places: Item to its address, or to ``#`` and the id of an embedded clip.
        files: Embedded clips by id; they are read while the page is written.
        media: What the policy of the page must allow for them.
    """

    places: Mapping[ItemKey, str] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    media: str = "'none'"

    def embedded(self) -> Iterator[EmbeddedClip]:
        """Read the clips one by one; those that cannot be decoded are left out."""
        for name, path in self.files.items():
            with suppress(AudioError):
                kind, content = _playable(path)
                yield EmbeddedClip(name, kind, base64.b64encode(content).decode())


NO_SOUNDS = Sounds()


def find_sounds(run: RunData, mode: AudioMode, data: Path, page: Path) -> Sounds:
    """Find the clips of a run.

    Args:
        run: The run.
        mode: Whether they are linked or embedded.
        data: Root of its data set.
        page: Where the page will be; links are relative to it, so that both can be carried elsewhere together.

    Raises:
        InputError: It is another data set, or its clips are too large for one page.
    """
    dataset = load_dataset(data, run.manifest.selection.tracks)
    if dataset.fingerprint != run.manifest.data.fingerprint:
        raise InputError(f"{data} is not the data set of {run.path}: its metadata differs; give the one that was used.")
    found = {item.key: dataset.clip(item) for item in run.items}
    paths = {key: place.path for key, place in found.items() if place.presence is Presence.FOUND}
    if mode is AudioMode.LINK:
        return Sounds({key: _address(path, page) for key, path in paths.items()}, media="'self' file:")
    names = {path: f"clip-{number}" for number, path in enumerate(dict.fromkeys(paths.values()))}
    if (size := sum(path.stat().st_size for path in names)) > _LARGEST:
        raise InputError(
            f"The clips come to {size >> 20:,} MB, more than the {_LARGEST >> 20} MB that a page can hold: "
            "link them instead (--audio link)."
        )
    places = {key: f"#{names[path]}" for key, path in paths.items()}
    return Sounds(places, {name: path for path, name in names.items()}, "data:")


def _playable(path: Path) -> tuple[str, bytes]:
    """Type and content of a clip; WAV becomes mono FLAC, as it may hold codecs that browsers lack, and is larger."""
    content = path.read_bytes()
    if content[:4] not in (b"RIFF", b"RIFX", b"RF64", b"BW64"):
        return _TYPES.get(content[:4], "audio/mpeg"), content
    clip, file = read_clip(path), io.BytesIO()
    soundfile.write(file, clip.waveform, clip.sample_rate, format="FLAC", subtype="PCM_16")
    return "audio/flac", file.getvalue()


def _address(clip: Path, page: Path) -> str:
    """The way from the page to the clip, as a URL; from one drive of Windows to another there is only the full one."""
    clip, folder = clip.absolute(), page.absolute().parent
    try:
        way = os.path.relpath(clip, folder)
    except ValueError:
        return clip.as_uri()
    # pathlib quotes absolute paths only.
    return PurePosixPath("/", Path(way).as_posix()).as_uri().removeprefix("file:///")
