"""The options that say how judges are to be asked, the same for every command."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from airbench_edge.cli.idle_options import judges_named, refuse_idle
from airbench_edge.cli.judge_options import (
    BaseUrl,
    Batch,
    Concurrency,
    FreeForm,
    JudgeCache,
    LongestWait,
    MaxCost,
    Prices,
    PromptName,
    Reasoning,
    Temperature,
)
from airbench_edge.judges.open import JudgeSettings


def judge_settings(
    base_url: BaseUrl = None,
    judge_temperature: Temperature = "0",
    concurrency: Concurrency = 8,
    judge_prompt: PromptName = "official",
    free_form: FreeForm = False,
    judge_reasoning: Reasoning = "",
    longest_wait: LongestWait = 600.0,
    max_cost: MaxCost = None,
    prices: Prices = None,
    judge_cache: JudgeCache = None,
    batch: Batch = False,
) -> JudgeSettings:
    """Gather the options."""
    return JudgeSettings(
        base_url=base_url,
        temperature=judge_temperature,
        concurrency=concurrency,
        free_form=free_form,
        reasoning=judge_reasoning,
        longest_wait_s=longest_wait,
        max_cost=max_cost,
        prices=prices,
        cache=judge_cache,
        batch=batch,
        prompt=judge_prompt,
    )


def takes_judge_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Turn the parameter ``settings`` of a command into the options of ``judge_settings``."""
    own = inspect.signature(command, eval_str=True)
    shared = inspect.signature(judge_settings, eval_str=True).parameters

    def with_options(**options: object) -> None:
        gathered = judge_settings(**{name: options.pop(name) for name in shared})  # type: ignore[arg-type]
        refuse_idle(judges_named(options), gathered, options, priced=command.__name__ == "estimate")
        command(**options, settings=gathered)

    kept = [parameter for name, parameter in own.parameters.items() if name != "settings"]
    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*kept, *shared.values())]
    with_options.__name__, with_options.__doc__ = command.__name__, command.__doc__
    with_options.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return with_options
