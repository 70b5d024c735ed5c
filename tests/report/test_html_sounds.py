from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
import soundfile
from helpers.example_run import example_run
from helpers.html_page import Page
from helpers.run_parts import Loudness, load, manifest_of, write_dataset

from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.errors import InputError
from airbench_edge.report.html import AudioMode, find_sounds, sounds
from airbench_edge.run.folder import RunData


def _run(root: Path) -> RunData:
    data = load(root)
    return example_run(items=data.items, manifest=manifest_of(data, Loudness()), responses={}, verdicts={})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "my data #1")


def test_links_lead_from_the_page_to_the_clip(root: Path, tmp_path: Path) -> None:
    found = find_sounds(_run(root), AudioMode.LINK, root, tmp_path / "pages" / "report.html")
    # The page need not exist yet; signs that mean something in an address are quoted.
    assert found.places[ItemKey(Track.CHAT, 0)] == ("../my%20data%20%231/Chat/speech_QA_common_voice_en/clip_0.wav")
    assert len(found.places) == len(_run(root).items)


def test_embedded_clips_are_stored_once_and_play_as_flac(root: Path, tmp_path: Path) -> None:
    run = _run(root)
    found = find_sounds(run, AudioMode.EMBED, root, tmp_path / "report.html")
    # 3 foundation folders of 4 questions over 2 clips, 2 chat folders of 4 clips.
    assert len(list(found.embedded())) == 3 * 2 + 2 * 4
    first = next(found.embedded())
    samples, rate = soundfile.read(io.BytesIO(base64.b64decode(first.content)))
    assert (first.type, rate, len(samples)) == ("audio/flac", 16000, 1600)
    page = Page(run, found)
    assert [attrs["id"] for _, attrs, _ in page.inner if attrs.get("type") == "text/plain"] == list(found.files)
    assert page.data["items"]["clip"]["0"] == "#clip-0"
    assert "media-src data:" in page.source


def test_clips_that_cannot_be_decoded_are_left_out(root: Path, tmp_path: Path) -> None:
    (root / "Chat" / "speech_QA_common_voice_en" / "clip_1.wav").write_bytes(b"RIFF but no more")
    (root / "Chat" / "speech_QA_common_voice_en" / "clip_2.wav").unlink()
    found = find_sounds(_run(root), AudioMode.EMBED, root, tmp_path / "report.html")
    assert len(list(found.embedded())) == 14 - 2
    assert ItemKey(Track.CHAT, 2) not in found.places


def test_other_kinds_are_embedded_as_they_are(root: Path, tmp_path: Path) -> None:
    clip = root / "Chat" / "speech_QA_common_voice_en" / "clip_0.wav"
    samples, rate = soundfile.read(clip)
    soundfile.write(clip, samples, rate, format="OGG")
    found = find_sounds(_run(root), AudioMode.EMBED, root, tmp_path / "report.html")
    embedded = {one.id: one for one in found.embedded()}
    one = embedded[found.places[ItemKey(Track.CHAT, 0)].removeprefix("#")]
    assert (one.type, base64.b64decode(one.content)) == ("audio/ogg", clip.read_bytes())


def test_another_data_set_is_refused(root: Path, tmp_path: Path) -> None:
    other = write_dataset(tmp_path / "other", per_folder=2)
    with pytest.raises(InputError, match="not the data set of"):
        find_sounds(_run(root), AudioMode.LINK, other, tmp_path / "report.html")


def test_too_much_sound_for_a_page_is_refused(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sounds, "_LARGEST", 1000)
    with pytest.raises(InputError, match="--audio link"):
        find_sounds(_run(root), AudioMode.EMBED, root, tmp_path / "report.html")
