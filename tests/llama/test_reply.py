from __future__ import annotations

from collections.abc import Iterator

import pytest
from helpers.judge_weights import TINY_JUDGE

from airbench_edge.llama.engine import Engine
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.llama.reply import write_reply
from airbench_edge.llama.vocabulary import Vocabulary

PROMPT = [40, 41, 42, 43]


@pytest.fixture
def parts() -> Iterator[tuple[Engine, Vocabulary]]:
    engine, vocabulary = Engine(TINY_JUDGE), Vocabulary(open_model_file(TINY_JUDGE))
    engine.make_room(64)
    yield engine, vocabulary
    engine.close()
    vocabulary.close()


def test_each_token_is_the_likeliest_after_those_before(parts: tuple[Engine, Vocabulary]) -> None:
    engine, vocabulary = parts
    reply = write_reply(engine, vocabulary, engine.prompt(PROMPT), 5)
    made: list[int] = []
    for _ in range(reply.tokens):
        engine.forget()
        made.append(int(engine.prompt(PROMPT + made).argmax()))
    if reply.finish == "stop":
        assert vocabulary.ends_turn(made.pop())
    assert reply.text == vocabulary.text(made)
    assert reply.tokens == 5 or reply.finish == "stop"


def test_a_reply_that_ends_at_once_is_empty(parts: tuple[Engine, Vocabulary]) -> None:
    engine, vocabulary = parts
    logits = engine.prompt(PROMPT).copy()
    logits[next(token for token in range(len(vocabulary)) if vocabulary.ends_turn(token))] = logits.max() + 1
    assert write_reply(engine, vocabulary, logits, 5) == ("", "stop", 1)
    assert write_reply(engine, vocabulary, logits, 0) == ("", "length", 0)
