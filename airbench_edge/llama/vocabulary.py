"""Text to tokens and back, without the weights."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

from airbench_edge.errors import InputError
from airbench_edge.llama.library import last_errors, library
from airbench_edge.llama.model_file import ModelFile


class Vocabulary:
    """The tokenizer of a GGUF model.

    Raises:
        InputError: This llama.cpp does not know the model, or it is no model that continues text.
    """

    def __init__(self, file: ModelFile) -> None:
        self._api = library()
        parameters = self._api.llama_model_default_params()
        parameters.vocab_only = True
        self._model: Any = self._api.llama_model_load_from_file(str(file.path).encode(), parameters)
        if not self._model:
            raise InputError(
                f"{file.path} cannot be loaded by this llama.cpp ({last_errors()}): use a model it supports."
            )
        if self._api.llama_model_has_encoder(self._model) or not self._api.llama_model_has_decoder(self._model):
            self.close()
            raise InputError(f"{file.path} does not continue text (it has an encoder): choose an instruct model.")
        self._vocab = self._api.llama_model_get_vocab(self._model)

    def __len__(self) -> int:
        return int(self._api.llama_vocab_n_tokens(self._vocab))

    def tokens(self, text: str, *, special: bool) -> list[int]:
        """Tokens of a text; control tokens are recognised in it only where ``special`` says so."""
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        while True:
            buffer = (self._api.llama_token * room)()
            count = self._api.llama_tokenize(self._vocab, data, len(data), buffer, room, False, special)
            if count >= 0:
                return list(buffer[:count])
            room = -count

    def text(self, tokens: Sequence[int]) -> str:
        """Text of tokens, control tokens left out."""
        return b"".join(self.piece(token) for token in tokens).decode("utf-8", "replace")

    def piece(self, token: int, *, special: bool = False) -> bytes:
        """Bytes of one token; those of a control token only where ``special`` says so."""
        room = 64
        while True:
            buffer = ctypes.create_string_buffer(room)
            count = self._api.llama_token_to_piece(self._vocab, token, buffer, room, 0, special)
            if count >= 0:
                return buffer.raw[:count]
            room = -count

    def ends_turn(self, token: int) -> bool:
        """Whether the token ends what the model has to say."""
        return bool(self._api.llama_vocab_is_eog(self._vocab, token))

    @functools.cached_property
    def bos(self) -> int | None:
        """The token that begins a text, if the vocabulary has one."""
        token = int(self._api.llama_vocab_bos(self._vocab))
        return token if token >= 0 else None

    @property
    def eos(self) -> int | None:
        """The token that ends a text, if the vocabulary has one."""
        token = int(self._api.llama_vocab_eos(self._vocab))
        return token if token >= 0 else None

    @property
    def wants_bos(self) -> bool:
        """Whether the model was trained with that token at the start of every text."""
        return bool(self._api.llama_vocab_get_add_bos(self._vocab))

    @functools.cached_property
    def line_ends(self) -> list[int]:
        """All tokens after which a line is over: ends of turn and what begins with a line feed, blanks aside."""
        return [
            token
            for token in range(len(self))
            if self.ends_turn(token) or self.piece(token).lstrip(b" \r").startswith(b"\n")
        ]

    def close(self) -> None:
        """Free the tables."""
        if self._model:
            self._api.llama_model_free(self._model)
            self._model = None
