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

Made by `python scripts/make_cli_reference.py`. Exit codes: 0 done, 1 a check found something,
2 the input cannot be used, 130 interrupted. `airbench-edge --install-completion` sets up completion in the shell.
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
    default = parameter.default
    shown = (
        ""
        if default in (None, False, [], ()) or callable(default)
        else f" Default: {getattr(default, 'value', default)}."
    )
    return f"| {', '.join(f'`{one}`' for one in names)} | {words}{shown}{' Required.' if parameter.required else ''} |"


def main() -> None:
    """Write the page."""
    TARGET.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
