"""A table of all texts of the page, each one stored once."""

from __future__ import annotations


class Texts:
    """Gives every text a number; questions, options and readings repeat by the thousand."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """The number of a text."""
        return self._places.setdefault(text, len(self._places))

    def maybe(self, text: str | None) -> int | None:
        """The number of a text, if there is one."""
        return None if text is None else self(text)

    def all(self) -> list[str]:
        """The texts by their numbers."""
        return list(self._places)
