"""The options of every command that asks a judge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
FreeForm = Annotated[
    bool, typer.Option("--free-form", help="Let a llama: judge write freely, as the released script does.")
]
JudgeLimit = Annotated[
    int | None, typer.Option(min=1, help="Judge at most this many chat items, drawn by the seed over all folders.")
]
ReportJson = Annotated[bool, typer.Option("--json", help="End in the report as JSON.")]
