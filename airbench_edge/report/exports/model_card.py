"""The results as the ``model-index`` of a model card.

Form: https://github.com/huggingface/hub-docs/blob/main/modelcard.md. A JSON text is a YAML scalar, which is all the
quoting that is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.scores.mean import Mean
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.report.model import ReportModel

_PUBLISHED = "qyang1021/AIR-Bench-Dataset"
_NAMES = {Track.FOUNDATION: "AIR-Bench Foundation", Track.CHAT: "AIR-Bench Chat"}


def model_card(model: ReportModel) -> str:
    """YAML for the head of a card: every complete figure of categories and average, under both sets of rules."""
    lines = ["model-index:", f"- name: {_scalar(model.audiolm.name)}", "  results:"]
    results = [line for result in _results(model) for line in result]
    if not results:
        lines[-1] = "  results: []"
    return "\n".join([*lines, *results]) + "\n"


def _results(model: ReportModel) -> Iterator[list[str]]:
    for letters in model.letters:
        means = {
            part.name: {"official": part.official, "strict": part.strict}
            for part in (*letters.scores.categories, letters.scores.average)
        }
        yield _result(model, Track.FOUNDATION, "accuracy", means, "letters by", letters.aligner)
    for judge in model.judges:
        means = {
            part.name: {"official": part.official, "strict": part.strict.score}
            for part in (*judge.scores.categories, judge.scores.average)
        }
        yield _result(model, Track.CHAT, "judge_score", means, "judge", judge.judge, judge.health)


def _result(
    model: ReportModel,
    track: Track,
    metric: str,
    means: dict[str, dict[str, Mean]],
    role: str,
    instrument: JudgeIdentity | None,
    health: HealthCard | None = None,
) -> list[str]:
    by = f", {role} {instrument.name}" if instrument else ""
    if track is Track.CHAT and instrument and instrument.prompt != "official":
        by += f", asked with the prompt {instrument.prompt} and not the official one"
    complete = [
        (f"{name.capitalize()}, {rules} rules{by}", mean)
        for name, both in means.items()
        for rules, mean in both.items()
        if mean.value is not None
    ]
    if not complete:
        return []
    data, selection = model.data, model.selection
    arguments = {
        "measured_by": f"airbench-edge {model.program}",
        "metadata_sha256": data.fingerprint,
        "prompt": model.prompt,
        "limit": selection.limit,
        "seed": selection.seed,
        "tasks": list(selection.tasks),
        **({role.replace(" ", "_"): msgspec.to_builtins(instrument)} if instrument else {}),
        **({"judge_health": health.verdict.value} if health else {}),
    }
    return [
        "  - task:",
        "      type: audio-text-to-text",
        "    dataset:",
        f"      type: {_scalar(data.name if data.synthetic else _PUBLISHED)}",
        f"      name: {_scalar(f'{data.name} (synthetic)' if data.synthetic else _NAMES[track])}",
        f"      args: {_scalar(arguments)}",
        "    metrics:",
        *(line for name, mean in complete for line in _metric(metric, name, mean)),
    ]


def _metric(kind: str, name: str, mean: Mean) -> list[str]:
    interval = [mean.interval.low, mean.interval.high] if mean.interval else None
    return [
        f"    - type: {kind}",
        f"      name: {_scalar(name)}",
        f"      value: {_scalar(mean.value)}",
        f"      args: {_scalar({'interval_95': interval})}",
    ]


def _scalar(value: object) -> str:
    return msgspec.json.encode(value).decode()
