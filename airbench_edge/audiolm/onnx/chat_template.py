"""Chat templates, rendered as transformers renders them."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.errors import InputError

_PROBE = "\ue000question\ue001"  # private-use characters: no template holds them


class ChatTemplate:
    """A template for one user turn about one sound.

    Templates come with models from elsewhere, so they run in a sandbox, and without a clock: the same question must
    give the same prompt tomorrow.

    Args:
        source: The Jinja text.
        where: Where it was found, for error messages.
        tokens: Names and texts of special tokens (``bos_token`` ...) that it may use.

    Raises:
        InputError: It is no valid template.
    """

    def __init__(self, source: str, where: str, tokens: dict[str, str]) -> None:
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
        environment.filters["tojson"] = _to_json
        environment.globals["raise_exception"] = _refuse
        self._where = where
        self._tokens = tokens
        try:
            self._template = environment.from_string(source)
        except Exception as error:  # deep nesting too
            raise InputError(
                f"The chat template in {where} is broken ({error}): restore it from its source."
            ) from error

    def render(self, text: str, system: str | None) -> str:
        """The prompt up to where the assistant speaks.

        Args:
            text: What the user writes after the sound.
            system: System message; None leaves it to the template, which may have a default.

        Raises:
            InputError: The template refuses such a conversation.
        """
        return self._render([{"type": "audio", "audio_url": "clip"}, {"type": "text", "text": text}], system)

    def render_written(self, content: str, system: str | None) -> str:
        """As ``render``, for templates of text models: the mark of the sound stands in what the user writes.

        Raises:
            InputError: The template refuses such a conversation.
        """
        return self._render(content, system)

    def _render(self, content: str | list[dict[str, str]], system: str | None) -> str:
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        if system is not None:
            messages.insert(0, {"role": "system", "content": system})
        try:
            return self._template.render(messages=messages, add_generation_prompt=True, **self._tokens)
        except Exception as error:  # a template is a program: anything can go wrong in it
            raise InputError(
                f"The chat template in {self._where} does not take a sound with a question ({error}): "
                "restore it from the model's source."
            ) from error


def _to_json(value: Any, **options: Any) -> str:  # noqa: ANN401 - whatever a template holds
    return json.dumps(value, ensure_ascii=False, **options)


def _refuse(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)


def special_tokens(folder: ModelFolder) -> dict[str, str]:
    """``bos_token`` and its like from ``tokenizer_config.json``: a text, or an object that holds it."""
    settings: dict[str, Any] = folder.read("tokenizer_config.json", dict[str, Any]) or {}
    values = {name: value for name, value in settings.items() if name.endswith("_token")}
    texts = {name: value.get("content") if isinstance(value, dict) else value for name, value in values.items()}
    return {name: text for name, text in texts.items() if isinstance(text, str)}


def find_template(
    folder: ModelFolder, mark: str, *, built_in: str | None = None, written: bool = False, system: str | None = None
) -> ChatTemplate:
    """The chat template of a model folder, after a trial.

    Args:
        folder: The model folder.
        mark: What stands for the sound in a prompt.
        built_in: The family's template, for a folder that has none.
        written: Whether the user writes the mark; else the template places it.
        system: System message of the trial.

    Raises:
        InputError: There is no template, or it does not write the mark and the question once each.
    """
    source = folder.chat_template()
    where = str(folder.path) if source else "the program"
    if (source := source or built_in) is None:
        raise InputError(
            f"{folder.path} has no chat template: copy chat_template.jinja or tokenizer_config.json from the model's "
            "source."
        )
    template = ChatTemplate(source, where, special_tokens(folder))
    prompt = template.render_written(mark + _PROBE, system) if written else template.render(_PROBE, system)
    for what, text in ((mark, mark), ("the question", _PROBE)):
        if (times := prompt.count(text)) != 1:
            raise InputError(
                f"The chat template in {where} writes {what} {times} times instead of once: restore it from the "
                "model's source."
            )
    return template
