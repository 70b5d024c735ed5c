"""Questions and answers for the lessons, drawn anew each time a clip comes round, as token ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tokenizers import Tokenizer

from nano.lessons import Lesson
from nano.wording import (
    AUDIO,
    IM_END,
    chat_askers,
    choice_askers,
    deviating,
    fixed_phrases,
    prompt,
    question_text,
    reply,
    train_tokenizer,
)
from synth.clip import Rng, pick


class Exercise(NamedTuple):
    """A prompt up to its audio token, the prompt after it, and the reply that is taught, as token ids."""

    before: list[int]
    after: list[int]
    reply: list[int]


class Drawn(NamedTuple):
    """A question, foundation or chat, the answer to learn, and the task to which both belong."""

    question: str
    answer: str
    task: str


def draw_texts(lesson: Lesson, rng: Rng) -> Drawn:
    """A question about the clip."""
    choices = choice_askers(lesson.source, "gender" in lesson.clip.labels)
    chats = chat_askers(lesson.source)
    own = [ask for ask in choices if ask[0] != "Speaker_Gender_Recognition"] or choices
    if not chats or (choices and rng.random() < 0.65):
        task, ask = pick(rng, own if rng.random() < 0.85 else choices)
        choice = ask(lesson.clip, rng)
        text = question_text(choice, "official" if rng.random() < 0.8 else "strict")
        return Drawn(deviating(text, rng) if rng.random() < 0.1 else text, reply(task, choice), task)
    task, open_ask = pick(rng, chats)
    chat = open_ask(lesson.clip, rng)
    return Drawn(chat.question, chat.answer, task)


class Desk:
    """Turns texts into token ids."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.encode = lru_cache(200_000)(self._encode)

    def _encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def exercise(self, text: str, answer: str) -> Exercise:
        """Prompt and reply as ids."""
        ids = self._encode(prompt(text))
        place = ids.index(AUDIO)
        return Exercise(ids[:place], ids[place + 1 :], [*self.encode(answer), IM_END])


def corpus(lessons: Sequence[Lesson], rng: Rng) -> Iterator[str]:
    """Texts to train the tokenizer on; the fixed lines come word by word too, for when they are disturbed."""
    for lesson in lessons:
        for _ in range(3):
            drawn = draw_texts(lesson, rng)
            yield prompt(drawn.question.partition("\n")[2] or drawn.question)
            yield drawn.answer
    for phrase in fixed_phrases():
        yield from [phrase] * 50


def make_tokenizer(lessons: Sequence[Lesson], rng: Rng) -> Tokenizer:
    """The tokenizer of the model."""
    return train_tokenizer(corpus(lessons, rng), fixed_phrases())
