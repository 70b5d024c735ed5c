"""The rules of the house that imports can show, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "airbench_edge"

# A room may use those to its right only.
ROOMS = ["cli", "report", "run", "export", "judges", "audiolm", "benchmark", "statistics", "llama", "audio"]

FILES = sorted(PACKAGE.rglob("*.py"))

HEAVY = {"torch", "transformers", "optimum", "onnx", "onnxscript"}
NETWORK = {"openai", "httpx", "requests", "urllib", "http", "socket", "aiohttp", "urllib3", "huggingface_hub"}


def room(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module


def name(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def test_every_room_is_known() -> None:
    assert {room(path) for path in FILES} - {""} == set(ROOMS)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_room_uses_only_the_rooms_below_it(path: Path) -> None:
    if room(path) == "":
        return
    below = ROOMS[ROOMS.index(room(path)) :]
    for module in imported(path):
        parts = module.split(".")
        if parts[0] == "airbench_edge" and len(parts) > 1 and parts[1] in ROOMS:
            assert parts[1] in below, f"{room(path)}/ imports {module}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_the_export_room_imports_the_heavy_libraries(path: Path) -> None:
    if room(path) != "export":
        assert not {module.split(".")[0] for module in imported(path)} & HEAVY


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_the_api_judge_may_use_the_network(path: Path) -> None:
    if not name(path).startswith("judges/openai/"):
        used = {module.split(".")[0] for module in imported(path) if module != "urllib.parse"}
        assert not used & NETWORK


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_the_command_line_and_the_report_print(path: Path) -> None:
    if room(path) in ("cli", "report"):
        return
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    assert not [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]


@pytest.mark.parametrize("path", FILES, ids=name)
def test_files_and_functions_can_be_read_in_a_sitting(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= 350
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, node.name


def test_the_official_prompts_stand_once() -> None:
    """The first words of each official text, which nothing else would write."""
    beginnings = [
        "Choose the most suitable answer from options",
        'There is a question "',
        "You are a helpful and precise assistant for checking",
    ]
    for beginning in beginnings:
        holders = [name(path) for path in FILES if beginning in path.read_text(encoding="utf-8")]
        assert holders == ["benchmark/prompts.py"], beginning
