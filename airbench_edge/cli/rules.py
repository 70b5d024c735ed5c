"""``rules``: see on a file how the rules read a response or a judge's reply."""

from __future__ import annotations

import string
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import typer

from airbench_edge.benchmark.letters import read_letter
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.benchmark.verdicts import read_verdict
from airbench_edge.errors import InputError
from airbench_edge.json_lines import read_lines

app = typer.Typer(help="See how the rules read responses and verdicts, line by line.", no_args_is_help=True)

LinesFile = Annotated[
    Path, typer.Argument(metavar="FILE.jsonl", help="One JSON object a line; - reads standard input.")
]
Rules = Annotated[RulesName, typer.Option("--rules", help="Which set of conventions reads the lines.")]

Line = TypeVar("Line", bound=msgspec.Struct)


class _ResponseLine(msgspec.Struct, frozen=True):
    id: str | int
    choices: Annotated[list[str | None], msgspec.Meta(max_length=26)]
    response: str | None


class _ReplyLine(msgspec.Struct, frozen=True):
    id: str | int
    text: str | None
    finish: str = "unknown"


@app.command()
def letters(file: LinesFile, rules: Rules = "strict") -> None:
    """Read the letter that each response chose: lines {id, choices, response} in, {id, letter, how} out.

    A letter of null means undecided.

    For example: airbench-edge rules letters answers.jsonl --rules official
    """
    for line in _read(file, _ResponseLine):
        lettered = zip(string.ascii_uppercase, line.choices, strict=False)
        reading = read_letter(rules, line.response, {letter: text for letter, text in lettered if text is not None})
        _write({"id": line.id, "letter": reading.letter, "how": reading.how})


@app.command()
def verdicts(file: LinesFile, rules: Rules = "strict") -> None:
    """Read the two scores of each judge reply: lines {id, text} in, {id, scores, why} out.

    Scores of null mean that the reply is no verdict.

    For example: airbench-edge rules verdicts replies.jsonl --rules strict
    """
    for line in _read(file, _ReplyLine):
        reading = read_verdict(rules, line.text, line.finish)
        _write({"id": line.id, "scores": reading.scores, "why": reading.why})


def _read(file: Path, form: type[Line]) -> Iterator[Line]:
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror}): give a JSONL file.") from error
    fields = ", ".join(form.__struct_fields__)
    return read_lines(
        content, form, lambda number, why: f"Line {number} of {file} is not of the form {{{fields}}} ({why})."
    )


def _write(line: dict[str, object]) -> None:
    sys.stdout.write(msgspec.json.encode(line).decode() + "\n")
