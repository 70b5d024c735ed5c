"""Which data set a run was made with."""

from __future__ import annotations

from pathlib import Path

import msgspec

from airbench_edge.benchmark.dataset import DataSet
from airbench_edge.benchmark.items import Track
from airbench_edge.errors import InputError

CARD_NAME = "dataset.json"


class DataSource(msgspec.Struct, frozen=True):
    """The data set of a run.

    Attributes:
        name: From ``dataset.json``, otherwise the folder's name.
        fingerprint: Hash of the metadata.
        foundation: Items of the foundation track before any selection.
        chat: Items of the chat track before any selection.
        synthetic: Whether its figures must not be set beside published ones.
    """

    name: str
    fingerprint: str
    foundation: int
    chat: int
    synthetic: bool = False


class _Card(msgspec.Struct):
    """What a data set may say of itself in ``dataset.json``, beside the metadata of the benchmark."""

    name: str
    synthetic: bool = False


def describe(root: Path, data: DataSet) -> DataSource:
    """Describe the data set in ``root``.

    Raises:
        InputError: Its ``dataset.json`` is of another form.
    """
    card = _read_card(root)
    foundation = sum(item.key.track is Track.FOUNDATION for item in data.items)
    return DataSource(card.name, data.fingerprint, foundation, len(data.items) - foundation, card.synthetic)


def _read_card(root: Path) -> _Card:
    path = root / CARD_NAME
    if not path.exists():
        return _Card(root.resolve().name)
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Card)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(
            f'{path} cannot be used ({error}): let it hold {{"name": ..., "synthetic": true}}, or remove it.'
        ) from error
