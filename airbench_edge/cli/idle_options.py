"""Options that would be without effect are refused, since whoever gives one counts on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import typer

from airbench_edge.judges.open import JudgeSettings

_OF_APIS = {
    "base_url": "--base-url",
    "temperature": "--judge-temperature",
    "concurrency": "--concurrency",
    "reasoning": "--judge-reasoning",
    "longest_wait_s": "--longest-wait",
    "max_cost": "--max-cost",
    "prices": "--prices",
    "cache": "--judge-cache",
    "batch": "--batch",
}
_OF_JUDGING = {"judge_limit": "--judge-limit", "judge_retries": "--judge-retries"}


def judges_named(options: Mapping[str, object]) -> list[str]:
    """What was typed for the judges of a command, whatever its options are called."""
    named = options.get("judge") or []
    assert isinstance(named, str | list), "a judge is named once or several times"
    several = [named] if isinstance(named, str) else named
    return [*several, *(str(options[name]) for name in ("cheap", "reference") if name in options)]


def refuse_idle(judges: Sequence[str], settings: JudgeSettings, options: Mapping[str, object], priced: bool) -> None:
    """Refuse settings that concern none of the judges.

    Args:
        judges: What was typed for each judge.
        settings: How they are to be asked.
        options: The other options of the command.
        priced: Whether the command shows prices without a cap on what is spent.

    Raises:
        BadParameter: One of them is without effect.
    """
    kinds = {judge.partition(":")[0] for judge in judges}
    if not judges:
        for name, option in _OF_JUDGING.items():
            if options.get(name):
                raise typer.BadParameter(f"{option} needs a --judge.")
    given = [option for name, option in _OF_APIS.items() if getattr(settings, name) != getattr(JudgeSettings(), name)]
    if given and "openai" not in kinds:
        raise typer.BadParameter(f"{given[0]} is for openai: judges, and none is named.")
    if settings.prices and settings.max_cost is None and not priced:
        raise typer.BadParameter("--prices needs a --max-cost that they are for.")
    if settings.free_form and "llama" not in kinds:
        raise typer.BadParameter("--free-form is for llama: judges, and none is named.")
    if settings.prompt != "official" and not kinds & {"llama", "openai"}:
        raise typer.BadParameter("--judge-prompt is for judges that are asked, and none is named.")


def refuse_aligner(judges: Sequence[str]) -> None:
    """Refuse recorded verdicts as an aligner.

    Raises:
        BadParameter: One of the judges is recorded.
    """
    for judge in judges:
        if judge.startswith("recorded:"):
            raise typer.BadParameter(f"{judge} holds verdicts and no letters: align with a llama: or openai: judge.")


def refuse_device(model: str, device: str, dtype: str | None) -> None:
    """Refuse to choose where recorded responses run.

    Raises:
        BadParameter: The model is recorded and one of the other two was given.
    """
    if model.startswith("recorded:") and (device != "auto" or dtype is not None):
        option = "--dtype" if device == "auto" else "--device"
        raise typer.BadParameter(f"{option} is for models that run, and {model} is recorded.")
