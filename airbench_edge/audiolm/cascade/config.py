"""``cascade.toml``: which parts a cascade is made of."""

from __future__ import annotations

from pathlib import Path

import msgspec

from airbench_edge.errors import InputError

FILE = "cascade.toml"


class WhisperPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The speech recogniser: the folder of a Whisper export."""

    folder: str


class TaggerPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The audio tagger: its graph, and the table that names its classes."""

    graph: str
    classes: str


class LanguageModelPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The language model: a GGUF file, the first one of a split model."""

    file: str


class CascadeConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts; paths are relative to the folder of the file.

    Attributes:
        name: Short name for people.
        whisper: The speech recogniser.
        llm: The language model.
        tagger: The audio tagger; None leaves sounds and music to the language model's guess.
    """

    name: str
    whisper: WhisperPart
    llm: LanguageModelPart
    tagger: TaggerPart | None = None


def read_config(folder: Path) -> CascadeConfig:
    """Read the ``cascade.toml`` of a folder.

    Raises:
        InputError: There is none, or it is not of this form.
    """
    file = folder / FILE
    try:
        return msgspec.toml.decode(file.read_bytes(), type=CascadeConfig)
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror}): give a folder that holds it.") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be used ({error}): see docs/cascade.md for its form.") from error
