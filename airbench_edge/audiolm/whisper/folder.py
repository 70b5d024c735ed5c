"""A folder with a Whisper export: its files and what they say about tokens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from tokenizers import Tokenizer

from airbench_edge.audio import MelSettings
from airbench_edge.audiolm.tokenizer_file import read_tokenizer
from airbench_edge.errors import InputError

_FILES = ("config.json", "generation_config.json", "preprocessor_config.json", "tokenizer.json")
_GRAPHS = ("encoder.onnx", "decoder.onnx")


class Tokens(msgspec.Struct, frozen=True):
    """What ``generation_config.json`` says; names are those of transformers.

    Attributes:
        eos_token_id: Ends a window; text tokens are smaller.
        decoder_start_token_id: Begins a window.
        no_timestamps_token_id: The no-speech token stands right before it, the first timestamp right after it.
        suppress_tokens: Never written.
        begin_suppress_tokens: Not written first.
        max_initial_timestamp_index: Steps of 20 ms that the first timestamp may be late.
        is_multilingual: Whether there are languages and tasks.
        lang_to_id: ``<|en|>`` and the like to their tokens.
        task_to_id: ``transcribe`` and ``translate`` to their tokens.
    """

    eos_token_id: int
    decoder_start_token_id: int
    no_timestamps_token_id: int
    suppress_tokens: list[int] = []
    begin_suppress_tokens: list[int] = []
    max_initial_timestamp_index: int = 50
    is_multilingual: bool = False
    lang_to_id: dict[str, int] = {}
    task_to_id: dict[str, int] = {}

    @property
    def no_speech(self) -> int:
        """The token whose probability right after the start says that nobody speaks."""
        return self.no_timestamps_token_id - 1

    @property
    def first_timestamp(self) -> int:
        """The token of 0.00 s; those of later times follow in steps of 20 ms."""
        return self.no_timestamps_token_id + 1


class WhisperFolder:
    """The files of one export.

    Args:
        path: The folder.

    Raises:
        InputError: A file is missing or cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        for name in (*_FILES, *_GRAPHS):
            if not (path / name).is_file():
                raise InputError(f"{path / name} is missing: make the Whisper export anew.")
        self.tokens: Tokens = self._read("generation_config.json", Tokens)
        self.mel = MelSettings.from_config(self._read("preprocessor_config.json", dict[str, Any]))
        if self.tokens.is_multilingual and not (self.tokens.lang_to_id and "transcribe" in self.tokens.task_to_id):
            raise InputError(f"{path / 'generation_config.json'} names no languages or no task transcribe: restore it.")

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer.

        Raises:
            InputError: The installed library cannot read it.
        """
        return read_tokenizer(self.path)

    def graph(self, name: str) -> Path:
        """File of ``encoder`` or ``decoder``."""
        return self.path / f"{name}.onnx"

    def files(self) -> Iterator[Path]:
        """Every file that can change a transcript, weights beside the graphs included."""
        yield from (self.path / name for name in _FILES)
        yield from sorted(self.path.glob("*.onnx*"))

    def _read(self, name: str, form: Any) -> Any:  # noqa: ANN401 - whatever form is asked for
        try:
            return msgspec.json.decode((self.path / name).read_bytes(), type=form)
        except (OSError, msgspec.MsgspecError) as error:
            raise InputError(f"{self.path / name} cannot be used ({error}): restore it from its source.") from error
