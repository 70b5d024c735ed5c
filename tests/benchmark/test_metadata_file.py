import codecs
import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.benchmark.metadata_file import MetadataError, raw_records

RECORDS: list[object] = [{"path": "a.wav", "n": 1, "q": "狗 é"}, {"path": "b.wav", "n": None, "q": "x\u2028y"}]
TEXT = json.dumps(RECORDS, ensure_ascii=False, indent=1)
LINES = "\n".join(json.dumps(record, ensure_ascii=False) for record in RECORDS)


def kind_of(content: bytes) -> tuple[str, str]:
    with pytest.raises(MetadataError) as caught:
        raw_records(content, "Foundation_meta.json")
    assert str(caught.value).startswith("Foundation_meta.json ")
    return caught.value.kind, str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.encode("utf-16"),
        TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        b"\n\n  " + TEXT.encode() + b"\n\n",
        LINES.encode(),
        codecs.BOM_UTF8 + LINES.replace("\n", "\r\n\r\n").encode() + b"\r\n",
        "\n".join(json.dumps(record, indent=2) for record in RECORDS).encode(),
    ],
)
def test_spellings_of_the_same_records(content: bytes) -> None:
    assert raw_records(content, "x") == RECORDS


def test_a_single_line_is_one_record() -> None:
    assert raw_records(LINES.split("\n")[0].encode(), "x") == RECORDS[:1]


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_are_not_json_are_null(constant: str) -> None:
    assert raw_records(f'[{{"choice_c": {constant}}}]'.encode(), "x") == [{"choice_c": None}]


def test_entries_that_are_no_objects_are_handed_on() -> None:
    assert raw_records(b'[null, {"path": "a"}, 3]', "x") == [None, {"path": "a"}, 3]
    assert raw_records(b'{"path": "a"}\nnull\n"b"\n', "x") == [{"path": "a"}, None, "b"]


@pytest.mark.parametrize(
    ("content", "kind", "says"),
    [
        (b"", "empty_file", "is empty"),
        (b" \r\n", "empty_file", "is empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "lfs_pointer", "git lfs pull"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "html_page", "web page"),
        (codecs.BOM_UTF8 + b"\n<?xml version='1.0'?>", "html_page", "web page"),
        (TEXT.encode("latin-1", errors="replace").replace(b"\xe9", b"\xe9\xff"), "encoding", "UTF-8"),
        (gzip.compress(TEXT.encode()), "encoding", "UTF-8"),
        (b"[]", "no_records", "holds no records"),
        (b"[null, 3, []]", "no_records", "holds no records"),
        (b'{"data": [{"path": "a.wav"}]}', "not_a_list", "does not hold a list"),
        (b'{"path": {"0": "a.wav"}, "question": {"0": "?"}}', "not_a_list", "does not hold a list"),
        (b"42", "not_a_list", "does not hold a list"),
        (b"null", "not_a_list", "does not hold a list"),
        (b"hello", "json_syntax", "line 1 column 1"),
        (b'[\n {"path": "a"},\n]', "json_syntax", "line 3 column 1"),
        (b'[{"path": "a"}] [{"path": "b"}]', "json_syntax", "line 1 column 17"),
        (b'{"path": "a"}\n{"path": "b"', "json_syntax", "line 2 column 13"),
        (b"[{\"path\": 'a'}]", "json_syntax", "line 1 column 11"),
        (b'[{"path": "a\nb"}]', "json_syntax", "line 1 column 13"),
        (b"[" * 100_000, "json_syntax", "nests too deeply or holds too long a number"),
        (b'[{"uniq_id": ' + b"9" * 5000 + b"}]", "json_syntax", "nests too deeply or holds too long a number"),
    ],
)
def test_files_that_are_refused(content: bytes, kind: str, says: str) -> None:
    found, message = kind_of(content)
    assert found == kind
    assert says in message


@given(st.integers(min_value=0, max_value=len(TEXT.encode()) - 1))
@settings(max_examples=60)
def test_a_cut_file_is_never_read_in_part(length: int) -> None:
    found, message = kind_of(TEXT.encode()[:length])
    # A cut inside a character of several bytes is seen before the JSON is.
    assert found in ("empty_file", "json_syntax", "encoding")
    assert "download it again" in message or found == "encoding"


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes_are_records_or_refused(content: bytes) -> None:
    try:
        records = raw_records(content, "x")
    except MetadataError as error:
        assert "\n" not in str(error).removeprefix("x ")
    else:
        assert any(isinstance(record, dict) for record in records)
