"""The options of every command that asks a judge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from airbench_edge.benchmark.prompts import JudgePrompt

RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The run folder.")]
JudgeSpecs = Annotated[
    list[str],
    typer.Option("--judge", help="llama:FILE.gguf, openai:MODEL or recorded:FILE.jsonl; may be repeated."),
]
BaseUrl = Annotated[str | None, typer.Option(help="Address of an OpenAI-compatible server, for openai: judges.")]
Temperature = Annotated[
    str, typer.Option("--judge-temperature", help="For openai: judges: a number, or 'official' (1.0 and 2.0 mixed).")
]
Concurrency = Annotated[int, typer.Option(min=1, help="Requests to an openai: judge at once.")]
PromptName = Annotated[
    JudgePrompt,
    typer.Option("--judge-prompt", help="'edge' is quicker with a llama: judge; its scores stand for themselves."),
]
FreeForm = Annotated[
    bool, typer.Option("--free-form", help="Let a llama: judge write freely, as the released script does.")
]
JudgeLimit = Annotated[
    int | None, typer.Option(min=1, help="Judge at most this many chat items, drawn by the seed over all folders.")
]
ReportJson = Annotated[bool, typer.Option("--json", help="End in the report as JSON.")]
JudgeRetries = Annotated[
    int,
    typer.Option(min=0, help="Ask again, at most so often, where a judge that samples wrote no verdict; not official."),
]
JudgeCheck = Annotated[
    bool,
    typer.Option(
        "--judge-check/--no-judge-check",
        help="Before a judge is first used, see on 24 probes whether it can judge; not with --batch.",
    ),
]

_API = "Judges behind an API"
Reasoning = Annotated[
    str,
    typer.Option(
        "--judge-reasoning", help="Reasoning effort, for models that reason: none, low, ...", rich_help_panel=_API
    ),
]
LongestWait = Annotated[
    float, typer.Option(min=0, help="Longest wait in seconds that a server may ask for.", rich_help_panel=_API)
]
MaxCost = Annotated[
    float | None, typer.Option(min=0, metavar="USD", help="Most that each judge may spend.", rich_help_panel=_API)
]
Prices = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Prices for --max-cost, a TOML file as in docs/judges-api.md.", rich_help_panel=_API
    ),
]
JudgeCache = Annotated[
    bool | None,
    typer.Option(
        "--judge-cache/--no-judge-cache",
        help="Remember replies in the user's cache folder; by default those of OpenAI itself.",
        rich_help_panel=_API,
    ),
]
Batch = Annotated[
    bool, typer.Option("--batch", help="Half the price, within a day: the Batch API.", rich_help_panel=_API)
]
