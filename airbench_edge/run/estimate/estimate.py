"""Counts, hours and prices of a run, from a few items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

import msgspec

from airbench_edge import __version__
from airbench_edge.audiolm.open import open_audiolm
from airbench_edge.benchmark.dataset import load_dataset
from airbench_edge.benchmark.items import ChatItem, ItemKey
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.builtin import resolve
from airbench_edge.given_path import given_path
from airbench_edge.judges.open import JudgeSettings, open_judge
from airbench_edge.run.data_source import describe
from airbench_edge.run.estimate.answering import measure_answers, recorded
from airbench_edge.run.estimate.api_judge import estimate_api
from airbench_edge.run.estimate.figures import ESTIMATE_SCHEMA, Answering, Estimate, Judging
from airbench_edge.run.estimate.local_judge import estimate_llama
from airbench_edge.run.estimate.requests import judge_requests
from airbench_edge.run.estimate.sound import measure_sound
from airbench_edge.run.selection import Selection, select, spread

Watch: TypeAlias = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]


def unwatched(_: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """Watch nothing."""
    return nullcontext(lambda _done, _total: None)


class Wanted(msgspec.Struct, frozen=True):
    """The run that is thought of.

    Attributes:
        model: As after ``--model``.
        data: As after ``--data``.
        selection: Which items.
        judges: As after ``--judge``.
        settings: How judges are to be asked.
        prompt: Wording of the foundation prompt.
        device: Where the model is to run.
        dtype: As after ``--dtype``.
        judge_limit: Most chat items to judge.
        warm_up: Items to answer, and prompts to judge, to measure the time; 0 for none.
    """

    model: str
    data: str
    selection: Selection
    judges: tuple[str, ...] = ()
    settings: JudgeSettings = JudgeSettings()
    prompt: RulesName = "official"
    device: str = "auto"
    dtype: str | None = None
    judge_limit: int | None = None
    warm_up: int = 10


def estimate(wanted: Wanted, watch: Watch = unwatched) -> Estimate:
    """Work it out; nothing is written, and no API is called.

    Args:
        wanted: The run.
        watch: Told what begins; gives a context whose value is told (done, total).

    Raises:
        InputError: The run itself would be refused.
    """
    root, selection = resolve(wanted.data), wanted.selection
    data = load_dataset(root, selection.tracks)
    items = select(data.items, selection)
    model = open_audiolm(wanted.model, wanted.device, wanted.dtype)
    sound, answering = None, tuple[Answering, ...]()
    said: dict[ItemKey, str] = {}
    judged = spread([item for item in items if isinstance(item, ChatItem)], wanted.judge_limit, selection.seed)
    if model.sample_rate is None:
        said = recorded(model, judged)
        judged = [item for item in judged if item.key in said]
    else:
        with watch("measuring clips") as seen:
            sound = measure_sound(items, data, selection.seed, seen)
    if model.sample_rate is not None and wanted.warm_up:
        with watch("answering") as seen:
            answering, said = measure_answers(model, items, data, wanted.prompt, wanted.warm_up, selection.seed, seen)
    remarks: list[str] = []
    return Estimate(
        schema=ESTIMATE_SCHEMA,
        program=__version__,
        model=wanted.model,
        data=describe(root, data),
        items=dict(Counter(item.key.track for item in items)),
        sound=sound,
        answering=answering,
        judging=tuple(_judging(spec, wanted, judged, said, remarks, watch) for spec in wanted.judges),
        remarks=tuple(remarks),
    )


def _judging(
    spec: str,
    wanted: Wanted,
    judged: Sequence[ChatItem],
    said: Mapping[ItemKey, str],
    remarks: list[str],
    watch: Watch,
) -> Judging:
    seed = wanted.selection.seed
    prompt = wanted.settings.prompt
    requests = judge_requests(judged, said, prompt)
    kind, _, target = spec.partition(":")
    if kind == "llama" and target:
        drawn = judge_requests(spread(judged, wanted.warm_up // 2 + 1, seed), said, prompt)[: wanted.warm_up + 1]
        with watch("judging") as seen:
            path = given_path(target)
            return estimate_llama(path, wanted.settings, requests, drawn, seen)
    if kind == "openai" and target:
        judging, remark = estimate_api(target, wanted.settings, requests)
        remarks += [remark] if remark else []
        return judging
    open_judge(spec, wanted.settings).close()
    return Judging(spec, len(requests), None, None, "recorded")
