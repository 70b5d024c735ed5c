"""A run whose every text was written by somebody who means harm to the page."""

from __future__ import annotations

from typing import Any

import msgspec
from helpers import official_case
from helpers.example_run import example_run, judged

from airbench_edge.audiolm.contract import Identity
from airbench_edge.benchmark.items import ChatItem, FoundationItem, Item
from airbench_edge.benchmark.records import Response, State
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.run.folder import RunData

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "--><!--<script>",
    "\" onmouseover='alert(1)' x=\"",
    "{{ model.schema }}{% raw %}",
    "]]>\u2028\u2029\u202eevil",
    "https://example.org/x.js",
)


def with_texts(*texts: str) -> RunData:
    """A small run in which every text that somebody else wrote is one of these, in turn."""
    items = tuple(_worded(item, place, texts) for place, item in enumerate(official_case.items()[500:580]))
    run = example_run(items=items)
    responses = {
        item.key: Response(*item.key, State.ANSWERED, _pick(texts, place), warnings=(_pick(texts, place),))
        for place, item in enumerate(items)
    }
    lost = items[0]
    responses[lost.key] = Response(*lost.key, State.FAILED, reason=texts[0])
    verdicts = [
        msgspec.structs.replace(verdict, text=_pick(texts, place), failure=_pick(texts, place))
        for place, verdict in enumerate(official_case.verdicts().values())
        if verdict.uniq_id in {item.uniq_id for item in items if isinstance(item, ChatItem)}
    ]
    judge = JudgeIdentity("llama", texts[0], {texts[1 % len(texts)]: texts[0]})
    manifest = msgspec.structs.replace(
        run.manifest,
        model=Identity("onnx", texts[0], {texts[0]: texts[0]}),
        data=msgspec.structs.replace(run.manifest.data, name=texts[0]),
    )
    changes: dict[str, Any] = {
        "manifest": manifest,
        "responses": responses,
        "verdicts": {"judge": judged(items, verdicts, judge)},
    }
    return RunData(**{**vars(run), **changes})


def _pick(texts: tuple[str, ...], place: int) -> str:
    return texts[place % len(texts)]


def _worded(item: Item, place: int, texts: tuple[str, ...]) -> Item:
    question, path = _pick(texts, place), _pick(texts, place + 1)
    if isinstance(item, FoundationItem):
        choices = (texts[0], "b", "c", "d")
        return msgspec.structs.replace(item, question=question, path=path, choices=choices)
    return msgspec.structs.replace(item, question=question, path=path, answer_gt=texts[0], meta_info=texts[0])
