"""The token of a prompt in whose place the sound stands."""

from __future__ import annotations

from collections.abc import Sequence

from tokenizers import Tokenizer

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families.contract import PromptIds
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.errors import InputError


def placeholder_id(folder: ModelFolder, config: Config, tokenizer: Tokenizer, token: str) -> int:
    """Its id, which tokenizer and ``config.json`` must agree on where both name it.

    Args:
        folder: The model folder, for the message.
        config: Its ``config.json``.
        tokenizer: Its tokenizer.
        token: Text of the token.

    Raises:
        InputError: The tokenizer lacks it or cuts it into pieces, or they disagree; both sides are named.
    """
    in_tokenizer: int | None = tokenizer.token_to_id(token)
    in_config = config.audio_token_index if config.audio_token_index is not None else config.audio_token_id
    if in_tokenizer is None or (in_config is not None and in_config != in_tokenizer):
        raise InputError(
            f"{folder.path}: {token} has the id {in_tokenizer} in tokenizer.json and {in_config} in config.json: "
            "both must come from one model."
        )
    check_whole(folder, tokenizer, token)
    return in_tokenizer


def check_whole(folder: ModelFolder, tokenizer: Tokenizer, token: str) -> None:
    """Check that a tokenizer finds a token in a text.

    Raises:
        InputError: It cuts the token into pieces.
    """
    if tokenizer.token_to_id(token) not in tokenizer.encode(token).ids:
        raise InputError(
            f"{folder.path / 'tokenizer.json'} has {token} in its vocabulary but cuts it into pieces, as it is not "
            "among its added_tokens: restore it from the model's source."
        )


def fill(ids: Sequence[int], placeholder: int, count: int) -> PromptIds:
    """Repeat the first placeholder of a prompt for each position of the sound."""
    at = ids.index(placeholder)
    return PromptIds([*ids[:at], *[placeholder] * count, *ids[at + 1 :]], slice(at, at + count))
