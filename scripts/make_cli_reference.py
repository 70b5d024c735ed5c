"""Write docs/cli.md from the command line itself.

python scripts/make_cli_reference.py
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from airbench_edge.cli.app import app

TARGET = Path(__file__).parents[1] / "docs" / "cli.md"
HEAD = """# Command line

Made by `python scripts/make_cli_reference.py`. Exit codes: 0 done, 1 a check found something, or the
model gave no answer or a judge no verdict at all, 2 the input cannot be used, 130 interrupted.
`airbench-edge --install-completion` sets up completion in the shell.
"""


def reference() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_command(typer.main.get_command(app), "airbench-edge")])


def _command(command: Any, name: str) -> Iterator[str]:  # noqa: ANN401  typer carries a click of its own, without public types
    yield f"## `{name}`\n"
    yield inspect.cleandoc(command.help or "") + "\n"
    rows = [row for parameter in command.params if (row := _row(parameter))]
    if rows:
        yield "\n".join(["| parameter | what |", "|---|---|", *rows]) + "\n"
    for inner in getattr(command, "commands", {}).values():
        if not inner.hidden:
            yield from _command(inner, f"{name} {inner.name}")


def _row(parameter: Any) -> str | None:  # noqa: ANN401
    if getattr(parameter, "hidden", False) or parameter.name in ("help", "install_completion", "show_completion"):
        return None
    is_option = parameter.param_type_name == "option"
    names = [*parameter.opts, *parameter.secondary_opts] if is_option else [parameter.metavar or parameter.name.upper()]
    words = " ".join((getattr(parameter, "help", "") or "").split()).replace("|", "\\|")
    told = [words, _choices(parameter, words), _default(parameter), "Required." if parameter.required else ""]
    return f"| {', '.join(f'`{one}`' for one in names)} | {' '.join(filter(None, told))} |"


def _choices(parameter: Any, words: str) -> str:  # noqa: ANN401
    """What it can be, where that is a list which its help does not name."""
    choices = [str(getattr(choice, "value", choice)) for choice in parameter.type_descriptor.choices or ()]
    return "" if all(choice in words for choice in choices) else f"One of {', '.join(f'`{one}`' for one in choices)}."


def _default(parameter: Any) -> str:  # noqa: ANN401
    default = parameter.default
    if default is None or default is False or default in ("", [], ()) or callable(default):
        return ""
    return f"Default: `{parameter.opts[0] if default is True else getattr(default, 'value', default)}`."


def main() -> None:
    """Write the page."""
    TARGET.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
