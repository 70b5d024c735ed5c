"""A reply out of an API answer, however incomplete or strange a server left it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from airbench_edge.json_lines import decode
from airbench_edge.judges.contract import JudgeReply

_Count = Annotated[int, msgspec.Meta(ge=0, le=10**9)]


class _Part(msgspec.Struct, frozen=True):
    """A piece of a message; only those of type ``text`` are the answer, others may be the reasoning before it."""

    type: str
    text: str = ""


class _Message(msgspec.Struct, frozen=True):
    content: str | list[_Part] | None = None


class _Choice(msgspec.Struct, frozen=True):
    message: _Message | None = None
    finish_reason: Any = None


class _Usage(msgspec.Struct, frozen=True):
    prompt_tokens: _Count
    completion_tokens: _Count


class _Completion(msgspec.Struct, frozen=True):
    """What a verdict needs is checked by its type; the rest counts as not told where it is of another one."""

    choices: list[_Choice] | None = None
    usage: Any = None
    model: Any = None
    system_fingerprint: Any = None


def read_completion(content: bytes, asked_with: str = "") -> JudgeReply:
    """Read the first choice.

    Args:
        content: What the server sent; anything, since some answer with a page of their own.
        asked_with: Goes into the reply as it is.
    """
    try:
        answer = decode(content, _Completion)
    except msgspec.DecodeError:
        return JudgeReply(text=None, failure="no_completion", asked_with=asked_with)
    choice = answer.choices[0] if answer.choices else _Choice()
    finish = choice.finish_reason
    text: str | None = _text(choice.message)
    failure = ""
    if finish == "content_filter":
        text, failure = None, "content_filter"
    elif not text:
        # A model that reasons can use up all its tokens before it says a word.
        text, failure = None, "cut_before_reply" if finish == "length" else "empty_reply"
    usage = _usage(answer.usage)
    return JudgeReply(
        text=text,
        finish=finish if finish in ("stop", "length") else "unknown",
        failure=failure,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        model=_words(answer.model),
        fingerprint=_words(answer.system_fingerprint),
        asked_with=asked_with,
    )


def _text(message: _Message | None) -> str:
    content = message.content if message else None
    if isinstance(content, list):
        return "".join(part.text for part in content if part.type == "text")
    return content or ""


def _usage(told: object) -> _Usage:
    """Both counts or none, so that a cap never takes half of what a reply cost for the whole."""
    try:
        return msgspec.convert(told, _Usage)
    except msgspec.ValidationError:
        return _Usage(0, 0)


def _words(told: object) -> str:
    return told if isinstance(told, str) else ""
