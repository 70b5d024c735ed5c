"""Bytes of a metadata file to raw records, or one sentence why not.

Accepted: a JSON array, or one JSON object a line, in UTF-8, UTF-16 or UTF-32, with or without byte-order mark. NaN and
Infinity, which table libraries write for a missing value, are read as null.
"""

from __future__ import annotations

import codecs
import json
from typing import NoReturn

from airbench_edge.errors import InputError


class MetadataError(InputError):
    """A metadata file cannot be used at all.

    Attributes:
        kind: ``empty_file``, ``lfs_pointer``, ``html_page``, ``encoding``, ``json_syntax``, ``not_a_list`` or
            ``no_records``.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def raw_records(content: bytes, name: str) -> list[object]:
    """Read the records, whatever they are, without judging them.

    Args:
        content: The whole file.
        name: How to call the file in a message.

    Raises:
        MetadataError: The file as a whole is unusable; a damaged file is never read in part.
    """
    _refuse_other_files(content, name)
    values = _values(_decoded(content, name), name)
    records = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    if len(values) == 1 and not isinstance(values[0], list) and not _is_record(values[0]):
        raise MetadataError("not_a_list", f"{name} does not hold a list of records: give the file as published.")
    if not any(isinstance(record, dict) for record in records):
        raise MetadataError("no_records", f"{name} holds no records: download it again or give another data set.")
    return records


def _refuse_other_files(content: bytes, name: str) -> None:
    start = content[:200].lstrip(codecs.BOM_UTF8 + b" \t\r\n")
    if not content.strip():
        raise MetadataError("empty_file", f"{name} is empty: download it again.")
    if start.startswith(b"version https://git-lfs"):
        raise MetadataError("lfs_pointer", f"{name} is a Git LFS pointer, not the file itself: run `git lfs pull`.")
    if start.startswith(b"<"):
        raise MetadataError("html_page", f"{name} is a web page, not JSON: download the raw file.")


def _decoded(content: bytes, name: str) -> str:
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise MetadataError(
            "encoding", f"{name} is not {encoding.upper()} text at byte {error.start + 1}: save it as UTF-8."
        ) from error


def _values(text: str, name: str) -> list[object]:
    """Every JSON value of the text: one for the official layout, one a line for JSONL."""
    decoder = json.JSONDecoder(parse_constant=lambda _: None)
    values: list[object] = []
    position = _skip_blanks(text, 0)
    while position < len(text):
        if values and not isinstance(values[0], dict | None):
            _syntax(name, json.JSONDecodeError("Extra data", text, position), text)
        try:
            value, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            _syntax(name, error, text)
        except (ValueError, RecursionError) as error:
            message = f"{name} nests too deeply or holds too long a number for metadata: download it again."
            raise MetadataError("json_syntax", message) from error
        values.append(value)
        position = _skip_blanks(text, position)
    return values


def _skip_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


def _syntax(name: str, error: json.JSONDecodeError, text: str) -> NoReturn:
    cut = error.msg.startswith("Unterminated") or error.pos >= len(text.rstrip())
    where = f"at line {error.lineno} column {error.colno} ({error.msg})"
    advice = "it seems to be cut, download it again" if cut else "correct it or download it again"
    raise MetadataError("json_syntax", f"{name} is not valid JSON {where}: {advice}.") from error


def _is_record(value: object) -> bool:
    """A lone object is JSONL of one line if it has a clip; otherwise it wraps something we do not know."""
    return isinstance(value, dict) and isinstance(value.get("path"), str)
