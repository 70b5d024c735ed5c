from __future__ import annotations

from make_cli_reference import TARGET, reference


def test_the_command_line_reference_is_not_stale() -> None:
    """If it is: python scripts/make_cli_reference.py."""
    assert TARGET.read_text(encoding="utf-8") == reference()
