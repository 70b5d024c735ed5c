"""A reply out of an API answer, however incomplete a server left it."""

from __future__ import annotations

from openai.types.chat import ChatCompletion

from airbench_edge.judges.contract import JudgeReply


def read_completion(answer: object, asked_with: str = "") -> JudgeReply:
    """Read the first choice.

    Args:
        answer: What the client returned; anything but a completion where a server answered with a page of its own.
        asked_with: Goes into the reply as it is.
    """
    if not isinstance(answer, ChatCompletion):
        return JudgeReply(text=None, failure="no_completion", asked_with=asked_with)
    choice = answer.choices[0] if answer.choices else None
    # Servers are seen to send a null message, which the client's types exclude.
    text = getattr(getattr(choice, "message", None), "content", None)
    finish = getattr(choice, "finish_reason", None)
    failure = ""
    if finish == "content_filter":
        text, failure = None, "content_filter"
    elif not text:
        # A model that reasons can use up all its tokens before it says a word.
        text, failure = None, "cut_before_reply" if finish == "length" else "empty_reply"
    usage = answer.usage
    return JudgeReply(
        text=text,
        finish=finish if finish in ("stop", "length") else "unknown",
        failure=failure,
        prompt_tokens=(usage and usage.prompt_tokens) or 0,
        completion_tokens=(usage and usage.completion_tokens) or 0,
        model=answer.model or "",
        fingerprint=answer.system_fingerprint or "",
        asked_with=asked_with,
    )
