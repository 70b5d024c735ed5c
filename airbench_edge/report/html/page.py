"""The page: one template filled with the report, the items, and the one style and the one script of the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import jinja2

from airbench_edge.benchmark.items import Track
from airbench_edge.report.html import chat, foundation
from airbench_edge.report.html.columns import PageData
from airbench_edge.report.html.inline import policy_hash, script_json
from airbench_edge.report.html.items import page_data, task_label
from airbench_edge.report.html.published import published_tables
from airbench_edge.report.html.sounds import Sounds
from airbench_edge.report.html.strip import SCORES, SHARES
from airbench_edge.report.model import FoundationReading, ReportModel
from airbench_edge.report.terminal import figures
from airbench_edge.report.terminal.console import literal
from airbench_edge.report.terminal.gaps import matters
from airbench_edge.report.terminal.header import identity_lines
from airbench_edge.report.terminal.standing import rank_words
from airbench_edge.run.folder import RunData


class TaskChoice(NamedTuple):
    """One entry of the task filter."""

    track: Track
    task: str
    label: str
    items: int


def page_parts(run: RunData, model: ReportModel, sounds: Sounds) -> Iterator[str]:
    """Give the page piece by piece, as embedded clips may make it large."""
    environment = _environment()
    script, style = (_asset(environment, name) for name in ("report.js", "report.css"))
    data = page_data(run, sounds.places)
    return environment.get_template("page.html").generate(
        model=model,
        policy=_policy(script, style, sounds.media),
        script=script,
        style=style,
        data=script_json(data),
        clips=sounds.embedded(),
        foundation=[(reading, *_foundation(reading, model)) for reading in model.letters],
        chat=[(reading, list(chat.chat_rows(reading)), list(chat.chat_remarks(reading))) for reading in model.judges],
        published=published_tables(model),
        identity=list(identity_lines(model)),
        matters=list(matters(model)),
        tasks=_task_choices(run),
        states=_states(data),
        shares=SHARES,
        scores=SCORES,
    )


def _foundation(reading: FoundationReading, model: ReportModel) -> tuple[list[foundation.FoundationRow], list[str]]:
    rows = foundation.foundation_rows(reading, beside_published=not model.data.synthetic)
    return list(rows), list(foundation.foundation_remarks(reading))


def _policy(script: str, style: str, media: str) -> str:
    """Nothing is loaded or run but what stands in the page itself."""
    return (
        f"default-src 'none'; script-src {policy_hash(script)}; style-src {policy_hash(style)}; "
        f"media-src {media}; base-uri 'none'; form-action 'none'"
    )


def _task_choices(run: RunData) -> list[TaskChoice]:
    counts = Counter((item.key.track, item.task, task_label(item)) for item in run.items)
    return [TaskChoice(*task, items) for task, items in counts.items()]


def _states(data: PageData) -> dict[str, int]:
    """States of the items, most frequent first."""
    return {data.texts[state]: items for state, items in Counter(data.items.state).most_common()}


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, "assets"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        literal=literal,
        percent=figures.percent,
        percent_interval=figures.percent_interval,
        score=figures.score,
        score_interval=figures.score_interval,
        number=figures.number,
        plural=figures.plural,
        rank=rank_words,
    )
    environment.globals.update(coverage=figures.coverage)
    return environment


def _asset(environment: jinja2.Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]
