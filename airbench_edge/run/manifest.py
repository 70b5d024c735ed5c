"""What a run is about: two commands may write into one run folder only if all of this is equal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from airbench_edge.audiolm.contract import Identity
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.errors import InputError
from airbench_edge.run.data_source import DataSource
from airbench_edge.run.selection import Selection

FORMAT = 1
_FOR_PEOPLE = {"data.name"}  # may be that of a folder, which can be moved; the fingerprint decides


class Manifest(msgspec.Struct, frozen=True):
    """The content of ``run.json``.

    Attributes:
        format: Layout of the run folder.
        model: The audio-LM.
        data: The data set.
        selection: Which of its items.
        prompt: Whose wording of the foundation prompt the model was given.
    """

    format: int
    model: Identity
    data: DataSource
    selection: Selection
    prompt: RulesName


class _Format(msgspec.Struct):
    format: int


def read_manifest(path: Path) -> Manifest:
    """Read a ``run.json``.

    Raises:
        InputError: It is missing, damaged, or written by a newer version.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path.parent} is no run folder: its {path.name} cannot be read ({error.strerror})."
        ) from error
    try:
        if (found := msgspec.json.decode(content, type=_Format).format) > FORMAT:
            raise InputError(
                f"{path.parent} was written by a newer airbench-edge (format {found}, this one reads up to {FORMAT}): "
                "upgrade it."
            )
        return msgspec.json.decode(content, type=Manifest)
    except msgspec.DecodeError as error:
        raise InputError(f"{path} is damaged ({error}): restore it from a copy, or start in another folder.") from error


def check_same(folder: Path, stored: Manifest, asked: Manifest) -> None:
    """Refuse to go on with a run of something else.

    Raises:
        InputError: With every difference named.
    """
    differences = [
        f"{name} is {there} there and {here} in this command"
        for name, (there, here) in manifest_differences(stored, asked).items()
        if name not in _FOR_PEOPLE
    ]
    if differences:
        raise InputError(
            f"{folder} holds a run of something else: {'; '.join(differences)}. "
            "Give the same values to go on with it, or another output folder."
        )


def manifest_differences(first: Manifest, second: Manifest) -> dict[str, tuple[str, str]]:
    """Name of each leaf that is not equal, as ``model.details.family``, to its two values as JSON, or ``absent``."""
    one, other = (dict(_flat(msgspec.to_builtins(manifest))) for manifest in (first, second))
    return {
        name: (one.get(name, "absent"), other.get(name, "absent"))
        for name in sorted(one.keys() | other.keys())
        if one.get(name) != other.get(name)
    }


def _flat(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Leaves of nested dicts as ("model.details.family", "qwen2_audio")."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else key)
    else:
        yield name, msgspec.json.encode(value).decode()
