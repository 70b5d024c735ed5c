"""Mistral's ``tekken.json`` as a ``tokenizer.json``.

Facts of the form are those of ``Tekkenizer`` in Mistral's library mistral-common: ids of special tokens come first,
then as many of the others, in order of their rank, as the vocabulary has room for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from tokenizers import Tokenizer

from airbench_edge.errors import InputError
from airbench_edge.export.byte_pairs import byte_level


class _Special(msgspec.Struct):
    rank: int
    token_str: str


class _Token(msgspec.Struct):
    rank: int
    token_bytes: bytes


class _Sizes(msgspec.Struct):
    pattern: str
    default_vocab_size: Annotated[int, msgspec.Meta(ge=256)]
    default_num_special_tokens: Annotated[int, msgspec.Meta(ge=0)]


class _Tekken(msgspec.Struct):
    config: _Sizes
    vocab: list[_Token]
    special_tokens: list[_Special]


def read_tekken(file: Path) -> Tokenizer:
    """Read it.

    Raises:
        InputError: It is not of this form, or too old to name its special tokens.
    """
    try:
        tekken = msgspec.json.decode(file.read_bytes(), type=_Tekken)
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"{file} cannot be used ({error}): restore it from the model's source.") from error
    reserved = tekken.config.default_num_special_tokens
    ordinary = tekken.config.default_vocab_size - reserved
    specials = [f"<SPECIAL_{number}>" for number in range(reserved)]
    ranks = {token.token_bytes: token.rank for token in tekken.vocab[: max(0, ordinary)]}
    if sorted(ranks.values()) != list(range(ordinary)):
        raise InputError(
            f"{file} has not one token for each rank up to {ordinary}, its vocabulary less {reserved} special ones: "
            "restore it from the model's source."
        )
    for special in tekken.special_tokens:
        if not 0 <= special.rank < reserved:
            raise InputError(
                f"{file} gives {special.token_str} the id {special.rank}, but keeps {reserved} for special tokens: "
                "restore it from the model's source."
            )
        specials[special.rank] = special.token_str
    return byte_level(ranks, tekken.config.pattern, specials)
