"""Replies kept by what was asked, so that asking the same again costs nothing."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from airbench_edge.judges.contract import JudgeReply
from airbench_edge.judges.openai.whole_file import write_whole


class ReplyCache:
    """A small JSON file for each complete reply.

    A file is whole or counts as missing; a folder that cannot be written to only means that nothing is remembered.

    Args:
        folder: Where the files are.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> JudgeReply | None:
        """The reply kept under a key."""
        try:
            return msgspec.json.decode(self._path(key).read_bytes(), type=JudgeReply)
        except (OSError, msgspec.DecodeError):
            return None

    def put(self, key: str, reply: JudgeReply) -> None:
        """Keep a reply; one that failed or was cut is asked again instead."""
        if reply.failure or reply.finish != "stop":
            return
        with suppress(OSError):
            write_whole(self._path(key), msgspec.json.encode(reply))

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
