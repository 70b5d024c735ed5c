"""What stands around a token: bounded looks ahead and back, so that a long response is read in linear time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from airbench_edge.benchmark.letters.mentions import MENTIONS
from airbench_edge.benchmark.letters.tokens import Token
from airbench_edge.benchmark.letters.vocabulary import Kind

NOR: Final = frozenset({"nor", "neither", "noch", "ni", "ни", "nem", "né", "也不是", "也"})
"""Words of a negation that goes on through a list."""


class Surroundings:
    """The tokens of a response, seen from one of them by its index."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens

    def next_kind(self, index: int) -> Kind | None:
        """Return the kind of the next token that is not glue."""
        for token in self._tokens[index + 1 : index + 12]:
            if token.kind is not Kind.GLUE:
                return token.kind
        return None

    def next_value(self, index: int) -> str:
        """Return the text of the next token, empty at the end."""
        return self._tokens[index + 1].value if index + 1 < len(self._tokens) else ""

    def list_goes_on(self, index: int) -> bool:
        """Tell whether "and" or "or" comes before the list of options behind a comma ends."""
        for token in self._tokens[index + 1 : index + 20]:
            if token.kind in {Kind.OR, Kind.AND} or token.value in NOR:
                return True
            if token.kind not in {*MENTIONS, Kind.COMMA, Kind.GLUE, Kind.OPTION}:
                return False
        return False

    def is_verdict_on_letter(self, index: int, following: Kind | None) -> bool:
        """Tell the "no" of ``A) no B) yes`` from that of ``A - no dog is heard``."""
        before = [token.kind for token in self._tokens[max(0, index - 2) : index] if token.kind is not Kind.LINK]
        return before[-1:] == [Kind.LETTER] and following in {None, Kind.STOP, Kind.LETTER}

    def follows_mention(self, index: int) -> bool:
        """Tell whether only small words stand between the last mention of the sentence and here."""
        for token in reversed(self._tokens[max(0, index - 8) : index]):
            if token.kind in MENTIONS:
                return True
            if token.kind not in {Kind.GLUE, Kind.BE, Kind.LEAN, Kind.LINK, Kind.NOT, Kind.MAYBE, Kind.OPTION}:
                return False
        return False

    def mention_follows(self, index: int, anywhere: bool = False) -> bool:
        """Tell whether the next mention comes before other words, or anywhere in the sentence."""
        for token in self._tokens[index + 1 : index + 30]:
            if token.kind in MENTIONS:
                return True
            if token.kind in {Kind.STOP, Kind.QUESTION, Kind.BUT, Kind.COMMA, Kind.BECAUSE}:
                return False
            if not anywhere and token.kind not in {Kind.GLUE, Kind.BE, Kind.OPTION}:
                return False
        return False
