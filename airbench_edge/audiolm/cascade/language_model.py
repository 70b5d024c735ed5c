"""The language model of a cascade: one user message in, a greedy reply out."""

from __future__ import annotations

from pathlib import Path

from airbench_edge.audiolm.contract import ModelError
from airbench_edge.llama.chat import Chat
from airbench_edge.llama.engine import Engine, EngineError
from airbench_edge.llama.instrument import instrument
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.llama.reply import Reply, write_reply
from airbench_edge.llama.vocabulary import Vocabulary


class LanguageModel:
    """A GGUF model in its own chat format, at temperature 0. The weights are loaded with the first message.

    Raises:
        InputError: The file cannot be such a model.
    """

    def __init__(self, path: Path) -> None:
        self._file = open_model_file(path)
        self._vocabulary = Vocabulary(self._file)
        self._chat = Chat(self._file, self._vocabulary)
        self._engine = Engine(path)
        self._longest = self._file.context_length

    @property
    def provider(self) -> str:
        """What it runs on, in the manner of onnxruntime's names."""
        return "llama.cpp GPU" if self._engine.offloads else "llama.cpp CPU"

    @property
    def details(self) -> dict[str, str]:
        """Everything that can change a reply."""
        return {
            **instrument(self._file, self._engine),
            "template": self._chat.template,
            "sampling": "temperature 0",
        }

    def reply(self, message: str, most: int) -> Reply:
        """Answer a message with at most so many tokens.

        Raises:
            ModelError: The message is too long for the model, or llama.cpp failed.
            InputError: The weights or their context do not fit into memory.
        """
        prompt = self._chat.tokens(message)
        if len(prompt) + most > self._longest:
            raise ModelError(f"the prompt has {len(prompt)} tokens, and the language model knows {self._longest}")
        self._engine.make_room(len(prompt) + most)
        try:
            return write_reply(self._engine, self._vocabulary, self._engine.prompt(prompt), most)
        except EngineError as error:
            raise ModelError(f"the language model failed: {error}") from error
