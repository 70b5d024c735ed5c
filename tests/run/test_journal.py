"""The journal loses nothing that was whole and keeps nothing that was torn."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.records import Response, State, Verdict
from airbench_edge.errors import InputError
from airbench_edge.run.journal import Journal, read_journal


def response(uniq_id: int, text: str = "B") -> Response:
    return Response(Track.FOUNDATION, uniq_id, State.ANSWERED, text)


def write(path: Path, records: list[Response]) -> None:
    with Journal(path, Response) as journal:
        for record in records:
            journal.append(record)


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    records = [response(1, "a\nb"), response(2, "答案是B。\u2028"), response(1, "again")]
    write(tmp_path / "j", records)
    scan = read_journal(tmp_path / "j", Response)
    assert scan.records == records
    assert (scan.end, scan.torn) == ((tmp_path / "j").stat().st_size, 0)
    assert (tmp_path / "j").read_bytes().count(b"\n") == 3  # one line a record, whatever the text holds


def test_a_missing_file_holds_no_record(tmp_path: Path) -> None:
    assert read_journal(tmp_path / "none", Response) == ([], 0, 0)


@pytest.mark.parametrize("behind", [b"", b"\0" * 512, b"\0\0\n", b"\0\n\n\0\0"])
def test_a_torn_line_is_ignored_on_reading_and_cut_off_on_writing(tmp_path: Path, behind: bytes) -> None:
    path = tmp_path / "j"
    write(path, [response(1), response(2)])
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"track":"foundation","uniq_id":3,"resp' + behind)
    assert read_journal(path, Response).records == [response(1), response(2)]
    assert path.read_bytes() != whole  # reading changes nothing
    write(path, [response(3)])
    assert read_journal(path, Response) == ([response(1), response(2), response(3)], path.stat().st_size, 0)
    assert path.read_bytes().startswith(whole)


def test_blank_and_nul_lines_alone_are_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, [response(1)])
    whole = path.read_bytes()
    path.write_bytes(whole + b"\n\n" + b"\0" * 100)
    write(path, [])
    assert path.read_bytes() == whole


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, [response(n) for n in range(1, 4)])
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:20] + b"\n" + lines[2])
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"Line 2 of .*j is damaged: delete that line"):
        read_journal(path, Response)
    with pytest.raises(InputError, match="Line 2"):
        Journal(path, Response)
    assert path.read_bytes() == before


@pytest.mark.parametrize("behind", [b"\n", b"\r\n", b"\n\n", b"\n\0\0"])
@pytest.mark.parametrize("line", [b'{"track":"foundation","uniq_id":3,"resp', b'{"uniq_id":NaN}', b"{" * 9, b"\xff"])
def test_a_damaged_last_line_with_its_newline_is_named_not_cut(tmp_path: Path, line: bytes, behind: bytes) -> None:
    path = tmp_path / "j"
    write(path, [response(1)])
    path.write_bytes(path.read_bytes() + line + behind)
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"Line 2 of .*j is damaged: delete that line"):
        Journal(path, Response)
    assert path.read_bytes() == before


def test_a_byte_order_mark_costs_no_record(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, [response(1), response(2)])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    write(path, [response(3)])
    assert read_journal(path, Response) == ([response(1), response(2), response(3)], path.stat().st_size, 0)


def test_deep_nesting_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b'{"track":"chat","uniq_id":1,"state":"answered","more":' + b"[" * 100_000 + b"\n")
    with pytest.raises(InputError, match=r"Line 1 of .* is damaged"):
        read_journal(path, Response)


def test_a_whole_line_of_another_kind_is_refused_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b'{"uniq_id":1,"order":"sideways"}\n')
    with pytest.raises(InputError, match=r"Line 1 of .* is not a record of this version .*delete that line"):
        Journal(path, Verdict)
    assert path.read_bytes().endswith(b'"sideways"}\n')


def test_a_last_line_without_its_newline_counts_and_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, [response(1)])
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert read_journal(path, Response).records == [response(1)]
    write(path, [response(2)])
    assert read_journal(path, Response).records == [response(1), response(2)]


RECORDS = [
    Response(Track.CHAT, "7_x", State.ANSWERED, 'two\nlines "quoted" é音', "stop", duration_s=1.5, warnings=("w",)),
    Response(Track.FOUNDATION, 3, State.MISSING_AUDIO, reason="no file"),
    response(4, ""),
    response(5, "}\\"),
]


@settings(max_examples=200, deadline=None)
@given(cut=st.integers(min_value=0, max_value=600), junk=st.sampled_from([b"", b"\0\0", b"\0\n"]))
def test_cut_anywhere_and_gone_on_with_equals_the_unbroken_journal(
    tmp_path_factory: pytest.TempPathFactory, cut: int, junk: bytes
) -> None:
    path = tmp_path_factory.mktemp("cut") / "j"
    write(path, RECORDS)
    unbroken = path.read_bytes()
    path.write_bytes(unbroken[:cut] + (junk if cut < len(unbroken) else b""))
    with Journal(path, Response) as journal:
        assert journal.records == RECORDS[: len(journal.records)]
        for record in RECORDS[len(journal.records) :]:
            journal.append(record)
    assert path.read_bytes() == unbroken


@settings(max_examples=100, deadline=None)
@given(content=st.lists(st.one_of(st.binary(max_size=30), st.just(msgspec.json.encode(response(1))))))
def test_any_bytes_are_read_or_refused_with_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, content: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("any") / "j"
    path.write_bytes(b"\n".join(content))
    try:
        scan = read_journal(path, Response)
    except InputError:
        return
    assert scan.end + scan.torn == path.stat().st_size
    assert set(scan.records) <= {response(1)}


def test_a_full_disk_leaves_whole_lines_and_says_so(tmp_path: Path) -> None:
    """RLIMIT_FSIZE makes the system write part of a line and then refuse, as a full disk does."""
    path = tmp_path / "j"
    size = len(msgspec.json.encode(response(1))) + 1
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with Journal(path, Response) as journal:
            resource.setrlimit(resource.RLIMIT_FSIZE, (2 * size + 10, before[1]))
            journal.append(response(1))
            journal.append(response(2))
            with pytest.raises(InputError, match=os.strerror(errno.EFBIG)):
                journal.append(response(3))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.stat().st_size == 2 * size
    assert read_journal(path, Response) == ([response(1), response(2)], 2 * size, 0)


def test_an_appended_record_outlives_a_killed_process(tmp_path: Path) -> None:
    program = (
        "import os, pathlib, signal, sys\n"
        "from airbench_edge.benchmark.records import Response, State\n"
        "from airbench_edge.benchmark.items import Track\n"
        "from airbench_edge.run.journal import Journal\n"
        "journal = Journal(pathlib.Path(sys.argv[1]), Response)\n"
        "for number in range(10): journal.append(Response(Track.CHAT, number, State.ANSWERED, 'x'))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(tmp_path / "j")], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert [record.uniq_id for record in read_journal(tmp_path / "j", Response).records] == list(range(10))


def test_the_scan_of_a_full_run_takes_a_moment(tmp_path: Path) -> None:
    """24,683 foundation and 2,200 chat responses, and 4,400 verdicts, are scanned well under 2 s."""
    text = "The sound is that of a dog barking while a car passes by. " * 4
    write(tmp_path / "responses", [response(n, text) for n in range(26_883)])
    write(tmp_path / "verdicts", [response(n, "8 7") for n in range(4_400)])
    started = time.process_time()
    found = [len(read_journal(tmp_path / name, Response).records) for name in ("responses", "verdicts")]
    assert found == [26_883, 4_400]
    assert time.process_time() - started < 1.0
