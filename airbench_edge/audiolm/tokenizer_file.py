"""The ``tokenizer.json`` of a model folder."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer

from airbench_edge.errors import InputError


def read_tokenizer(folder: Path) -> Tokenizer:
    """Read it.

    Raises:
        InputError: The installed library cannot read it.
    """
    file = folder / "tokenizer.json"
    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises bare Exception
        raise InputError(f"{file} cannot be read ({error}): restore it from the model's source.") from error
