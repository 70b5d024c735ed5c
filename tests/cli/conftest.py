"""What the tests of judge commands share: a cache of their own, a run to judge, a judge behind a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.chat_server import ChatServer, chat_server, completion
from helpers.run_parts import load, manifest_of, write_dataset, write_responses

from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.run.answer import answer
from airbench_edge.run.open_run import create_or_open


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def run_path(tmp_path: Path) -> Path:
    """A run of 4 chat items, which need 8 verdicts."""
    data = load(write_dataset(tmp_path / "data", per_folder=2, with_audio=False))
    model = RecordedAudioLM(str(write_responses(tmp_path / "responses.jsonl", data.items)))
    with create_or_open(tmp_path / "run", manifest_of(data, model), data.items, data.notes) as run:
        answer(run, model, data)
    return tmp_path / "run"


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server(completion("8 7")) as started:
        yield started
