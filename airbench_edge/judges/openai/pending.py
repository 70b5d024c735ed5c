"""Batches that were sent and not yet collected, remembered on disk so that a killed command finds them again."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator
from pathlib import Path

import msgspec

from airbench_edge.errors import InputError
from airbench_edge.judges.openai.whole_file import write_whole


class PendingBatch(msgspec.Struct, frozen=True):
    """One batch.

    Attributes:
        server: Address of the API.
        file_id: The uploaded requests.
        keys: Keys of the requests, which are their ``custom_id``.
        asked_with: What they hold otherwise than the identity of the judge says.
        batch_id: The batch; empty while it is not known to be begun.
    """

    server: str
    file_id: str
    keys: tuple[str, ...]
    asked_with: str
    batch_id: str = ""


class PendingBatches:
    """A JSON file for each batch.

    Args:
        folder: Where the files are.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, batch: PendingBatch) -> None:
        """Remember a batch, or that it is begun.

        Raises:
            InputError: It cannot be written, so the batch could be paid for and lost.
        """
        try:
            write_whole(self._path(batch), msgspec.json.encode(batch))
        except OSError as error:
            raise InputError(
                f"{self._folder} cannot be written ({error.strerror}), where batches are remembered: "
                "free some space, or set XDG_CACHE_HOME to another folder."
            ) from error

    def forget(self, batch: PendingBatch) -> None:
        """Drop a batch whose replies are kept."""
        self._path(batch).unlink(missing_ok=True)

    def of(self, server: str, keys: Container[str]) -> Iterator[PendingBatch]:
        """The batches at a server that hold any of these requests.

        Raises:
            InputError: A file is damaged; it may name a batch that is paid for.
        """
        for path in sorted(self._folder.glob("*.json")):
            try:
                batch = msgspec.json.decode(path.read_bytes(), type=PendingBatch)
            except msgspec.DecodeError as error:
                raise InputError(f"{path} is no note of a batch ({error}): move it away.") from error
            if batch.server == server and any(key in keys for key in batch.keys):
                yield batch

    def _path(self, batch: PendingBatch) -> Path:
        digest = hashlib.sha256(f"{batch.server} {batch.file_id}".encode()).hexdigest()
        return self._folder / f"{digest[:32]}.json"
