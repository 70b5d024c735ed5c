"""Two runs of the same questions whose differences are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from helpers.example_run import JUDGE, example_run, judged, manifest
from helpers.made_items import answered, by_key, open_question, question, verdicts

from airbench_edge.benchmark.items import Item
from airbench_edge.benchmark.records import Response
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.run.folder import RunData


def answers_run(name: str, responses: Sequence[str | None], task: str = "Music_AQA") -> RunData:
    """A run of one foundation task; None for an item without a response. B is right."""
    items: tuple[Item, ...] = tuple(question(number, task) for number in range(len(responses)))
    said = [answered(item, text) for item, text in zip(items, responses, strict=True) if text is not None]
    return _run(name, items, said)


def judged_run(name: str, scores: Sequence[int], judge: JudgeIdentity = JUDGE) -> RunData:
    """A run of speech_QA that a judge gave these scores, in both orders."""
    items = tuple(open_question(number) for number in range(len(scores)))
    pairs = zip(items, scores, strict=True)
    replies = [reply for item, score in pairs for reply in verdicts(item, f"9 {score}", f"{score} 9")]
    run = _run(name, items, [answered(item, f"Answer {name}.") for item in items])
    return replace(run, verdicts={judge.name: judged(items, replies, judge)})


def _run(name: str, items: tuple[Item, ...], responses: Sequence[Response]) -> RunData:
    return example_run(
        path=Path(name),
        items=items,
        manifest=manifest(items),
        responses=by_key(*responses),
        verdicts={},
    )


def moved_run(name: str, every: int = 3) -> RunData:
    """The recorded result set with every n-th response "A." and every n-th reply of the judge "9 3"."""
    run = example_run(path=Path("runs") / name)
    responses = {
        key: msgspec.structs.replace(response, text="A.") if place % every == 0 else response
        for place, (key, response) in enumerate(run.responses.items())
    }
    replies = {
        key: msgspec.structs.replace(reply, text="9 3") if place % every == 0 else reply
        for place, (key, reply) in enumerate(run.verdicts[JUDGE.name].records.items())
    }
    model = msgspec.structs.replace(run.manifest.model, name=name)
    return replace(
        run,
        manifest=msgspec.structs.replace(run.manifest, model=model),
        responses=responses,
        verdicts={JUDGE.name: replace(run.verdicts[JUDGE.name], records=replies)},
    )
