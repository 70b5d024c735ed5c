"""A finished run in memory, made of the recorded result set."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from helpers import official_case
from helpers.made_items import answered, by_key

from airbench_edge.audiolm.contract import Identity
from airbench_edge.benchmark.items import FoundationItem, Item, Track
from airbench_edge.benchmark.records import Verdict
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.run.data_source import DataSource
from airbench_edge.run.folder import Judged, RunData
from airbench_edge.run.machine import Machine
from airbench_edge.run.manifest import FORMAT, Manifest
from airbench_edge.run.selection import Selection

JUDGE = JudgeIdentity(
    "llama", "qwen2.5-coder-1.5b", {"weights": "c0ffee" * 10 + "c0de", "template": "of the file", "sampling": "greedy"}
)


def example_run(*, synthetic: bool = False, **changes: Any) -> RunData:  # noqa: ANN401
    """The recorded result set as a run, with other fields of ``RunData`` where given."""
    items = official_case.items()
    fields: dict[str, Any] = {
        "path": Path("runs/example"),
        "manifest": manifest(items, synthetic=synthetic),
        "machine": Machine("0.1.0", "3.11.9", "Linux", "somewhere", 2, {"audio_encoder": "CPUExecutionProvider"}),
        "timings": (),
        "items": items,
        "notes": (),
        "responses": official_case.responses(),
        "letters": {},
        "verdicts": {JUDGE.name: judged(items, official_case.verdicts().values())},
        "ignored": 0,
    }
    return RunData(**{**fields, **changes})


def manifest(items: Iterable[Item], *, synthetic: bool = False) -> Manifest:
    """A manifest of these items."""
    tracks = [item.key.track for item in items]
    counts = tracks.count(Track.FOUNDATION), tracks.count(Track.CHAT)
    return Manifest(
        FORMAT,
        Identity("onnx", "nano", {"family": "qwen2_audio", "audio_encoder": "fp32 " + "9f3c" * 16}),
        DataSource("recorded", "3fa9" * 16, *counts, synthetic),
        Selection((Track.CHAT, Track.FOUNDATION)),
        "official",
    )


def judged(items: Iterable[Item], verdicts: Iterable[Verdict], judge: JudgeIdentity = JUDGE) -> Judged:
    """What a judge said that was asked about all chat items."""
    planned = tuple(item.uniq_id for item in items if item.key.track is Track.CHAT)
    return Judged(judge, planned, {verdict.key: verdict for verdict in verdicts})


def with_expected(verdict: Verdict) -> Verdict:
    """The verdict of a judge that tells its distribution."""
    return msgspec.structs.replace(verdict, expected=(7.5, 4.25))


def one_item_run(item: FoundationItem, response: str) -> RunData:
    """A run of one question."""
    responses = by_key(answered(item, response))
    return example_run(items=(item,), manifest=manifest([item]), responses=responses, verdicts={})
