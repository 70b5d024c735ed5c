"""A run with as many items as the published data set has, made up."""

from __future__ import annotations

import random
from collections.abc import Iterator

from helpers.example_run import JUDGE, example_run, judged, manifest

from airbench_edge.benchmark.items import LETTERS, ChatItem, FoundationItem, Item
from airbench_edge.benchmark.records import Order, Response, State, Verdict
from airbench_edge.benchmark.tasks import CHAT_TASKS, FOUNDATION_TASKS
from airbench_edge.run.folder import RunData

_TEXTS = ("violin", "a drum", "dog barking", "the sound of rain", "car horn", "speech", "a woman laughing")


def full_size_run() -> RunData:
    """24,683 single-choice items and 2,200 open questions, answered and judged at random."""
    dice = random.Random(0)
    foundation, chat = list(_foundation(dice)), list(_chat())
    # Short responses: what is of interest here is the number of items, not how hard they are to read.
    responses = [Response(*item.key, State.ANSWERED, dice.choice((*item.options, ""))) for item in foundation]
    responses += [Response(*item.key, State.ANSWERED, "A cat.") for item in chat]
    verdicts = [
        Verdict(item.uniq_id, order, f"{dice.randint(1, 10)} {dice.randint(1, 10)}", expected=(5.0, 5.5))
        for item in chat
        for order in Order
    ]
    items: tuple[Item, ...] = (*foundation, *chat)
    return example_run(
        items=items,
        manifest=manifest(items),
        responses={response.key: response for response in responses},
        verdicts={JUDGE.name: judged(items, verdicts)},
    )


def _foundation(dice: random.Random) -> Iterator[FoundationItem]:
    number = 0
    for task in FOUNDATION_TASKS:
        for folder in task.folders:
            for _ in range(folder.rows or 0):
                texts = dice.sample(_TEXTS, task.options)
                a, b, c, d = [*texts, None, None, None][:4]
                right = dice.randrange(task.options)
                yield FoundationItem(
                    number,
                    task.name,
                    folder.dataset,
                    f"{number}.wav",
                    "?",
                    (a, b, c, d),
                    texts[right],
                    (LETTERS[right],),
                )
                number += 1


def _chat() -> Iterator[ChatItem]:
    number = 0
    for task in CHAT_TASKS:
        for place in range(task.rows):
            folder = task.folders[place % len(task.folders)]
            yield ChatItem(number, task.name, folder.dataset, f"{number}.wav", "?", "A dog.", "{}")
            number += 1
