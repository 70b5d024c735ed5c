from __future__ import annotations

from collections import Counter

import pytest

from airbench_edge.benchmark.letters.tokens import recognise, split
from airbench_edge.benchmark.letters.vocabulary import GLUED, SPACED, Kind


@pytest.mark.parametrize("table", [SPACED, GLUED], ids=["spaced", "glued"])
def test_no_phrase_stands_twice(table: dict[Kind, str]) -> None:
    phrases = Counter(" ".join(phrase.split()) for listed in table.values() for phrase in listed.split(","))
    assert [phrase for phrase, count in phrases.items() if count > 1] == []


@pytest.mark.parametrize("table", [SPACED, GLUED], ids=["spaced", "glued"])
def test_every_phrase_is_recognised_as_what_it_is(table: dict[Kind, str]) -> None:
    wrong = []
    for kind, listed in table.items():
        for phrase in listed.split(","):
            tokens = [token for token in recognise(split(" ".join(phrase.split()))) if token.kind is not Kind.SIGN]
            if [token.kind for token in tokens] != [kind]:
                wrong.append((phrase.strip(), kind, [token.kind for token in tokens]))
    assert wrong == []


def test_the_longest_phrase_wins() -> None:
    kinds = [token.kind for token in recognise(split("no doubt, not sure, not B"))]
    assert kinds == [Kind.NOTHING, Kind.COMMA, Kind.UNKNOWN, Kind.COMMA, Kind.NOT, Kind.WORD]
