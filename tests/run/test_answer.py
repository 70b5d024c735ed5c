"""Every item ends in a named state, each clip is read once, and only what is missing is done again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from helpers.run_parts import CHAT, FOUNDATION, RATE, Loudness, load, manifest_of, write_dataset, write_responses

from airbench_edge.audiolm.contract import AudioLM
from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.benchmark.dataset import DataSet
from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.benchmark.records import State
from airbench_edge.run.answer import answer
from airbench_edge.run.folder import RunData, load_run
from airbench_edge.run.open_run import create_or_open
from airbench_edge.run.progress import Outcome, Stage, Step
from airbench_edge.run.stage import Summary


class Watcher:
    """Remembers what it is told."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.begun: list[tuple[Stage, str, int, int]] = []
        self.steps: list[Step] = []
        self.ends = 0
        self.stop_after = stop_after

    def started(self, stage: Stage, name: str, total: int, already: int) -> None:
        self.begun.append((stage, name, total, already))

    def advanced(self, step: Step) -> None:
        self.steps.append(step)
        if len(self.steps) == self.stop_after:
            raise KeyboardInterrupt

    def ended(self) -> None:
        self.ends += 1


@pytest.fixture
def data(tmp_path: Path) -> DataSet:
    return load(write_dataset(tmp_path / "data"))


def run_answers(out: Path, data: DataSet, model: AudioLM, watcher: Watcher | None = None) -> tuple[Summary, RunData]:
    with create_or_open(out, manifest_of(data, model), data.items, data.notes) as run:
        summary = answer(run, model, data, watcher)
    return summary, load_run(out)


def texts(run: RunData, track: Track) -> Sequence[str | None]:
    return [response.text for key, response in run.responses.items() if key.track is track]


def test_a_model_that_listens_hears_every_clip(tmp_path: Path, data: DataSet) -> None:
    watcher = Watcher()
    summary, run = run_answers(tmp_path / "run", data, Loudness(), watcher)
    assert texts(run, Track.FOUNDATION) == ["A", "A", "B", "B"] * 3
    assert list(run.responses) == [item.key for item in data.items]
    first = run.responses[ItemKey(Track.FOUNDATION, 0)]
    assert (first.state, first.finish, first.duration_s, first.heard_s) == (State.ANSWERED, "stop", 0.1, 0.1)
    assert summary.audio_s == pytest.approx(2.0)  # 20 items of 0.1 s
    assert replace(summary, audio_s=0.0) == Summary(20, 0, done=20, failed=0, written=20)
    assert watcher.begun == [(Stage.ANSWER, "loudness", 20, 0)]
    assert [step.outcome for step in watcher.steps] == [Outcome.RIGHT] * 12 + [Outcome.DONE] * 8
    assert watcher.ends == 1


def test_items_of_one_clip_come_in_a_row_with_one_waveform(tmp_path: Path, data: DataSet) -> None:
    model = Loudness()
    run_answers(tmp_path / "run", data, model)
    clips = [item.clip for item in model.asked]
    changes = 1 + sum(one != other for one, other in pairwise(clips))
    assert changes == len(set(clips)) == 3 * 2 + 2 * 4  # two clips a foundation folder, four a chat folder
    by_clip: dict[str, set[int]] = {}
    for item in model.asked:
        by_clip.setdefault(item.clip, set()).add(id(item.waveform))
    assert {len(waveforms) for waveforms in by_clip.values()} == {1}


def test_where_and_how_fast_is_kept_apart(tmp_path: Path, data: DataSet) -> None:
    _, run = run_answers(tmp_path / "run", data, Loudness())
    assert run.machine is not None
    assert run.machine.providers == {"ear": "CPUExecutionProvider"}
    assert [(timing.stage, timing.name, timing.done) for timing in run.timings] == [("answer", "loudness", 20)]
    host = run.machine.host
    assert host
    assert host not in (tmp_path / "run" / "run.json").read_text()


def test_each_fault_of_the_sound_is_a_state_with_its_reason(tmp_path: Path, data: DataSet) -> None:
    folder = data.root / "Foundation" / "_".join(FOUNDATION[0])
    (folder / "clip_0.wav").unlink()
    (folder / "clip_1.wav").write_bytes(b"this is no sound")
    summary, run = run_answers(tmp_path / "run", data, Loudness())
    states = [run.responses[ItemKey(Track.FOUNDATION, number)].state for number in range(5)]
    assert states == [State.MISSING_AUDIO] * 2 + [State.UNDECODABLE_AUDIO] * 2 + [State.ANSWERED]
    missing = run.responses[ItemKey(Track.FOUNDATION, 0)]
    assert missing.text is None
    assert "Foundation/Speech_Entity_Reconition_slurp/clip_0.wav" in missing.reason
    assert str(tmp_path) not in (tmp_path / "run" / "responses.jsonl").read_text()  # the same wherever the data lie
    assert (summary.done, summary.failed) == (20, 4)


def test_a_failing_item_is_named_and_the_others_go_on(tmp_path: Path, data: DataSet) -> None:
    _, run = run_answers(tmp_path / "run", data, Loudness(fails_on="(2)"))
    failed = [key for key, response in run.responses.items() if response.state is State.FAILED]
    assert failed == [
        (Track.FOUNDATION, 2),
        (Track.FOUNDATION, 6),
        (Track.FOUNDATION, 10),
        (Track.CHAT, 2),
        (Track.CHAT, 6),
    ]
    response = run.responses[ItemKey(Track.CHAT, 2)]
    assert (response.reason, response.text, response.duration_s) == ("out of memory", None, 0.1)


def test_only_what_has_no_answer_is_tried_again(tmp_path: Path, data: DataSet) -> None:
    clip = data.root / "Chat" / "_".join(CHAT[0]) / "clip_0.wav"
    sound = clip.read_bytes()
    clip.unlink()
    run_answers(tmp_path / "run", data, Loudness(fails_on="(3)"))
    clip.write_bytes(sound)
    model, watcher = Loudness(), Watcher()
    summary, run = run_answers(tmp_path / "run", data, model, watcher)
    assert len(model.asked) == 6  # three foundation and two chat items that failed, and the clip that was brought
    assert (summary.already, summary.done, summary.written) == (14, 6, 6)
    assert watcher.begun == [(Stage.ANSWER, "loudness", 20, 14)]
    assert {response.state for response in run.responses.values()} == {State.ANSWERED}


def test_a_fault_that_stays_is_not_written_twice(tmp_path: Path, data: DataSet) -> None:
    (data.root / "Chat" / "_".join(CHAT[0]) / "clip_0.wav").unlink()
    run_answers(tmp_path / "run", data, Loudness())
    before = {path: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    summary, _ = run_answers(tmp_path / "run", data, Loudness())
    assert (summary.done, summary.failed, summary.written) == (1, 1, 0)
    assert {path: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


@pytest.mark.parametrize("stop_after", [1, 7, 19])
def test_an_interrupt_loses_nothing_and_frees_the_folder(tmp_path: Path, data: DataSet, stop_after: int) -> None:
    whole = run_answers(tmp_path / "whole", data, Loudness())[1]
    watcher = Watcher(stop_after)
    with pytest.raises(KeyboardInterrupt):
        run_answers(tmp_path / "run", data, Loudness(), watcher)
    assert watcher.ends == 1
    assert len(load_run(tmp_path / "run").responses) == stop_after
    summary, run = run_answers(tmp_path / "run", data, Loudness())
    assert summary.already == stop_after
    assert run.responses == whole.responses
    assert list(run.responses) == list(whole.responses)


def test_recorded_responses_need_no_clip(tmp_path: Path) -> None:
    data = load(write_dataset(tmp_path / "data", with_audio=False))
    model = RecordedAudioLM(str(write_responses(tmp_path / "responses.jsonl", data.items[:-1])))
    summary, run = run_answers(tmp_path / "run", data, model)
    assert texts(run, Track.FOUNDATION)[:4] == ["A", "hm", "It is loud.", "D"]
    last = run.responses[data.items[-1].key]
    assert (last.state, last.text) == (State.NOT_RECORDED, None)
    assert (summary.done, summary.failed) == (20, 1)


def test_the_model_sees_the_prompt_and_a_clip_at_its_rate(tmp_path: Path, data: DataSet) -> None:
    model = Loudness()
    run_answers(tmp_path / "run", data, model)
    asked = {item.key: item for item in model.asked}
    assert asked[ItemKey(Track.CHAT, 0)].prompt == "What is heard? (0)"
    assert "\nA. loudness 0.1\nB. loudness 0.2\n" in asked[ItemKey(Track.FOUNDATION, 0)].prompt
    waveform = asked[ItemKey(Track.FOUNDATION, 0)].waveform
    assert waveform is not None
    assert waveform.shape == (RATE // 10,)
