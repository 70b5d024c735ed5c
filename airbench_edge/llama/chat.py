"""One user message in the model's own chat format, as tokens."""

from __future__ import annotations

import datetime
import hashlib
import json
from typing import Any, NoReturn

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from airbench_edge.errors import InputError
from airbench_edge.llama.model_file import ModelFile
from airbench_edge.llama.vocabulary import Vocabulary

_CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant{{ '\n' }}"
)
_MARK = "\ue000message\ue001"  # private-use characters: no template holds them
_FIXED_DATE = datetime.datetime(
    2024, 7, 26, tzinfo=datetime.UTC
)  # Llama 3's own default; today's would change verdicts


class Chat:
    """Writes the prompt that the model was trained on.

    Only what the template itself writes can become a control token: an answer that contains ``<|im_end|>`` stays text.

    Attributes:
        template: Which template is used and its SHA-256, for people.

    Raises:
        InputError: The model has no usable chat template.
    """

    def __init__(self, file: ModelFile, vocabulary: Vocabulary) -> None:
        self._path = file.path
        self._vocabulary = vocabulary
        source = file.chat_template or self._fallback()
        origin = "from the file" if file.chat_template else "ChatML, as the file holds none"
        self.template = f"{origin}, sha256 {hashlib.sha256(source.encode()).hexdigest()}"
        self._template = self._compile(source)
        before, mark, self._after = self._render(_MARK).rpartition(_MARK)
        if not mark or _MARK in before:
            raise InputError(
                f"The chat template of {file.path} does not write the message once: use another GGUF file."
            )
        self._before = before

    def tokens(self, message: str) -> list[int]:
        """Tokens of the whole prompt up to where the reply begins, with exactly one beginning-of-text token if any."""
        words = self._vocabulary
        text = self._render(message)
        if words.tokens(message, special=True) == words.tokens(message, special=False):
            tokens = words.tokens(text, special=True)
        else:
            inner = text.removeprefix(self._before).removesuffix(self._after)
            tokens = [
                *words.tokens(self._before, special=True),
                *words.tokens(inner, special=False),
                *words.tokens(self._after, special=True),
            ]
        return self._with_one_bos(tokens)

    def reply_tokens(self, reply: str) -> tuple[int, ...]:
        """Tokens of a reply as the model itself would write it right after the prompt."""
        start = self._vocabulary.tokens(self._after, special=True)
        whole = self._vocabulary.tokens(self._after + reply, special=True)
        if whole[: len(start)] != start:
            raise InputError(f"{self._path} joins the prompt with {reply!r} in one token: judge with --free-form.")
        return tuple(whole[len(start) :])

    def _with_one_bos(self, tokens: list[int]) -> list[int]:
        bos = self._vocabulary.bos
        if bos is None or not (self._vocabulary.wants_bos or tokens[:1] == [bos]):
            return tokens
        written = next((place for place, token in enumerate(tokens) if token != bos), len(tokens))
        return [bos, *tokens[written:]]

    def _fallback(self) -> str:
        """ChatML, if the model knows it; a base model without a template cannot be asked."""
        if len(self._vocabulary.tokens("<|im_start|><|im_end|>", special=True)) == 2:
            return _CHATML
        raise InputError(f"{self._path} has no chat template (a base model?): choose an instruct or chat model.")

    def _compile(self, source: str) -> jinja2.Template:
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
        )
        environment.filters["tojson"] = lambda value, **options: json.dumps(value, ensure_ascii=False, **options)
        try:
            return environment.from_string(source)
        except Exception as error:  # deep nesting too
            raise self._unusable(error) from error

    def _render(self, message: str) -> str:
        values: dict[str, Any] = {
            "messages": [{"role": "user", "content": message}],
            "add_generation_prompt": True,
            "enable_thinking": False,
            "bos_token": self._special_text(self._vocabulary.bos),
            "eos_token": self._special_text(self._vocabulary.eos),
            "raise_exception": _raise,
            "strftime_now": _FIXED_DATE.strftime,
        }
        try:
            return self._template.render(values)
        except Exception as error:  # a template is a program: anything can go wrong in it
            raise self._unusable(error) from error

    def _special_text(self, token: int | None) -> str:
        return "" if token is None else self._vocabulary.piece(token, special=True).decode("utf-8", "replace")

    def _unusable(self, error: Exception) -> InputError:
        return InputError(f"The chat template of {self._path} does not work ({error}): use another GGUF file.")


def _raise(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)
