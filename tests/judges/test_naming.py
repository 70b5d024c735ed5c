from __future__ import annotations

from airbench_edge.judges.naming import slug


def test_names_fit_into_file_names() -> None:
    assert slug("Org/Model 7B!") == "org-model-7b"
    assert slug("...") == "judge"


def test_long_names_are_cut_and_stay_different() -> None:
    one, two = slug("m" * 400), slug("m" * 401)
    # 187 letters, a dash, 12 digits of the hash
    assert len(one) == len(two) == 200
    assert one[:187] == two[:187] == "m" * 187
    assert one != two
