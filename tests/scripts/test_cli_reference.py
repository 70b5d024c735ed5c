from __future__ import annotations

from make_cli_reference import TARGET, reference


def test_the_command_line_reference_is_not_stale() -> None:
    """If it is: python scripts/make_cli_reference.py."""
    assert TARGET.read_text(encoding="utf-8") == reference()


def test_defaults_and_choices_are_told_apart_from_the_sentence() -> None:
    page = reference()
    for words in ("Default: `.`.", "One of `embed`, `link`.", "One of `foundation`, `chat`.", "Default: `--decode`."):
        assert words in page
    assert "Default: ." not in page
