"""A group of commands of which one need not be named."""

from __future__ import annotations

from typing import Any, ClassVar

from typer.core import TyperGroup


class DefaultCommand(TyperGroup):
    """``judge RUN`` means ``judge run RUN``: what does not begin with the name of a command is for the default one.

    A folder that bears the name of a command is given with its path, as ``./check``.
    """

    default: ClassVar[str] = "run"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 (its class depends on typer's version)
        """Put the name of the default command where none is given."""
        named = {*self.commands, *ctx.help_option_names}
        if args and args[0] not in named:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ANN401
        """Do not offer the default command: ``judge ru`` is to become ``judge runs/``, not ``judge run``."""
        return [item for item in super().shell_complete(ctx, incomplete) if item.value != self.default]
