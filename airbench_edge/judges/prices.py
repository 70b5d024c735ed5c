"""What an API judge costs: prices by model name, from the built-in table or a file of the user."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated

import msgspec

from airbench_edge.errors import InputError

BATCH_SHARE = 0.5
"""The Batch API costs this share of the standard price."""

OPENAI_SERVER = "api.openai.com"
"""The server whose prices the built-in table holds."""

_Usd = Annotated[float, msgspec.Meta(ge=0)]


class Price(msgspec.Struct, frozen=True):
    """Price of a model.

    Attributes:
        input_per_million: USD for a million tokens of prompt.
        output_per_million: USD for a million tokens of reply, hidden reasoning included.
        as_of: Date of the price, or the name of the user's file.
    """

    input_per_million: float
    output_per_million: float
    as_of: str

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """USD for that many tokens."""
        return (prompt_tokens * self.input_per_million + completion_tokens * self.output_per_million) / 1e6


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    input: _Usd
    output: _Usd


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    models: dict[str, _Entry]
    as_of: str = ""
    source: str = ""


def price_of(model: str, extra_file: Path | None = None, *, built_in: bool = True) -> Price:
    """Look a model up by its exact name, first in the user's file.

    Args:
        model: Name as the API knows it.
        extra_file: A TOML file ``[models]`` with lines ``"NAME" = { input = USD, output = USD }``, and maybe ``as_of``.
        built_in: Whether the model is OpenAI's own, so that the built-in table holds for it.

    Raises:
        InputError: Nobody told the price, or the file cannot be used.
    """
    if extra_file is not None:
        table = _read(extra_file)
        if entry := table.models.get(model):
            return Price(entry.input, entry.output, table.as_of or extra_file.name)
    table = _built_in()
    if built_in and (entry := table.models.get(model)):
        return Price(entry.input, entry.output, table.as_of)
    raise InputError(
        f"The price of {model} is not known: give --prices FILE, a TOML file with the lines [models] and "
        f'"{model}" = {{ input = USD, output = USD }} per million tokens.'
    )


def _built_in() -> _Table:
    text = resources.files("airbench_edge.judges").joinpath("prices.toml").read_bytes()
    return msgspec.toml.decode(text, type=_Table)


def _read(path: Path) -> _Table:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_Table)
    except OSError as error:
        raise InputError(f"--prices {path} cannot be read ({error.strerror}): give a TOML file.") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise InputError(
            f"--prices {path} is no table of prices ({error}): "
            'write [models] and lines "NAME" = { input = USD, output = USD } per million tokens.'
        ) from error
