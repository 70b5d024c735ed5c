"""Items and records made by hand for tests of scores."""

from __future__ import annotations

from airbench_edge.benchmark.items import LETTERS, ChatItem, FoundationItem, Item, ItemKey, UniqId
from airbench_edge.benchmark.records import Order, Response, State, Verdict

TEXTS = ("violin", "trumpet", "drum", "flute")


def question(
    uniq_id: UniqId,
    task: str = "Music_AQA",
    dataset: str = "music_avqa",
    choices: tuple[str, ...] = TEXTS,
    answer_gt: str = "trumpet",
) -> FoundationItem:
    """A single-choice question; B is right unless told otherwise."""
    a, b, c, d = [*choices, None, None, None][:4]
    accepted = tuple(letter for letter, text in zip(LETTERS, choices, strict=False) if text == answer_gt)
    return FoundationItem(uniq_id, task, dataset, f"{uniq_id}.wav", "What is heard?", (a, b, c, d), answer_gt, accepted)


def open_question(uniq_id: UniqId, task: str = "speech_QA", dataset: str = "iemocap") -> ChatItem:
    """An open question."""
    return ChatItem(uniq_id, task, dataset, f"{uniq_id}.wav", "Who speaks?", "A man.", "{'gender': 'male'}")


def answered(item: Item, text: str, finish: str = "stop") -> Response:
    """A response of the audio-LM."""
    return Response(*item.key, State.ANSWERED, text, finish)


def unanswered(item: Item, state: State) -> Response:
    """What the answer stage writes where there is no response."""
    return Response(*item.key, state, reason="made for a test")


def by_key(*responses: Response) -> dict[ItemKey, Response]:
    """Responses as the run folder gives them."""
    return {response.key: response for response in responses}


def verdicts(item: ChatItem, reference_first: str | None, model_first: str | None) -> list[Verdict]:
    """The two replies of a judge; None for a judge that failed."""
    texts = {Order.REFERENCE_FIRST: reference_first, Order.MODEL_FIRST: model_first}
    return [
        Verdict(item.uniq_id, order, text, failure="" if text is not None else "too_long")
        for order, text in texts.items()
    ]
