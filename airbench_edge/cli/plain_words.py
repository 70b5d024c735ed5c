"""Usage errors without the words of the library that finds them."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

_JARGON = "Value error, "


class PlainWords(TyperGroup):
    """The group of all commands."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 (their classes depend on typer's version)
        """Run the command that was named."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.replace(_JARGON, "")
            raise
