"""A reply written token by token, always the likeliest."""

from __future__ import annotations

from typing import NamedTuple

from airbench_edge.llama.engine import Engine, Logits
from airbench_edge.llama.vocabulary import Vocabulary


class Reply(NamedTuple):
    """What a model wrote.

    Attributes:
        text: The text, control tokens left out.
        finish: ``stop`` where it came to an end, ``length`` where it was cut.
        tokens: Tokens made, the one that ended it included.
    """

    text: str
    finish: str
    tokens: int


def write_reply(engine: Engine, vocabulary: Vocabulary, logits: Logits, most: int) -> Reply:
    """Go on after a prompt.

    Args:
        engine: The engine, just after the prompt.
        vocabulary: Its vocabulary.
        logits: Logits after the prompt, [vocabulary].
        most: Most tokens to make.

    Raises:
        EngineError: llama.cpp failed.
    """
    made: list[int] = []
    while len(made) < most:
        token = int(logits.argmax())
        if vocabulary.ends_turn(token):
            return Reply(vocabulary.text(made), "stop", len(made) + 1)
        made.append(token)
        logits = engine.extend([token])
    return Reply(vocabulary.text(made), "length", len(made))
