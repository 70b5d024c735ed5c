import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from airbench_edge.benchmark.dataset import Presence, load_dataset
from airbench_edge.benchmark.items import ChatItem, Track
from airbench_edge.benchmark.metadata import MetadataError
from airbench_edge.errors import InputError

RECORD = {
    "path": "a.wav",
    "question": "Which?",
    "choice_a": "rain",
    "choice_b": "dog",
    "answer_gt": "dog",
    "meta_info": "A dog barks.",
    "task_name": "Sound_AQA",
    "dataset_name": "avqa",
    "uniq_id": 1,
}
CHAT_ITEM = ChatItem(1, "music_QA", "musiccaps", "a.wav", "?", "!", "x")


def write(root: Path, track: str, *records: Mapping[str, object]) -> Path:
    path = root / track / f"{track}_meta.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([{**RECORD, **record} for record in records]))
    return path


def touch(root: Path, place: str) -> Path:
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"sound")
    return path


def message_of(root: Path, *tracks: Track) -> str:
    with pytest.raises(InputError) as caught:
        load_dataset(root, tracks or tuple(Track))
    return str(caught.value)


def test_both_tracks_foundation_first(tmp_path: Path) -> None:
    write(tmp_path, "Chat", {"task_name": "sound_QA", "dataset_name": "clotho"})
    write(tmp_path, "Foundation", {}, {"uniq_id": 2, "answer_gt": None})
    data = load_dataset(tmp_path)
    assert data.tracks == (Track.FOUNDATION, Track.CHAT)
    # The ids of the two tracks overlap; the keys do not.
    assert [item.key for item in data.items] == [(Track.FOUNDATION, 1), (Track.CHAT, 1)]
    assert [(note.track, note.uniq_id) for note in data.notes] == [(Track.FOUNDATION, 2)]


def test_only_the_tracks_that_are_there_and_wanted(tmp_path: Path) -> None:
    write(tmp_path, "Foundation", {})
    assert load_dataset(tmp_path).tracks == (Track.FOUNDATION,)
    write(tmp_path, "Chat", {})
    assert load_dataset(tmp_path, [Track.CHAT]).tracks == (Track.CHAT,)


def test_fingerprint_follows_the_bytes_of_the_metadata_alone(tmp_path: Path) -> None:
    path = write(tmp_path, "Foundation", {})
    before = load_dataset(tmp_path).fingerprint
    touch(tmp_path, "Foundation/Sound_AQA_avqa/a.wav")
    assert load_dataset(tmp_path).fingerprint == before
    path.write_bytes(path.read_bytes() + b"\n")
    assert load_dataset(tmp_path).fingerprint != before
    # The same bytes as another track are another data set.
    other = tmp_path / "other"
    write(other, "Chat").write_bytes(path.read_bytes())
    assert load_dataset(other).fingerprint != load_dataset(tmp_path).fingerprint


def test_damaged_metadata_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "Chat", {})
    path.write_text("[{")
    with pytest.raises(MetadataError, match=r"Chat_meta\.json is not valid JSON at line 1 column 3"):
        load_dataset(tmp_path)


def test_wrong_folders_are_told_apart(tmp_path: Path) -> None:
    root = tmp_path / "set"
    meta = write(root, "Foundation", {})
    assert "There is no data folder" in message_of(tmp_path / "nowhere")
    assert "is a file" in message_of(meta)
    assert "cannot be read (File name too long)" in message_of(tmp_path / ("x" * 300))
    assert f"give the folder above it, {root}." in message_of(root / "Foundation")
    assert f"one level down: give {root}." in message_of(tmp_path)
    assert "holds no Chat/Chat_meta.json (only the foundation track is there)" in message_of(root, Track.CHAT)
    (tmp_path / "empty" / "Foundation" / "Sound_AQA_avqa").mkdir(parents=True)
    assert "holds no Foundation/Foundation_meta.json or Chat/Chat_meta.json" in message_of(tmp_path / "empty")


def test_track_folder_as_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "Chat", {})
    monkeypatch.chdir(tmp_path / "Chat")
    assert f"give the folder above it, {tmp_path}." in message_of(Path())


def test_clip_is_found_as_written(tmp_path: Path) -> None:
    write(tmp_path, "Foundation", {"path": "./00//1 é%20.wav"}, {"path": "b.wav", "uniq_id": 2})
    clip = touch(tmp_path, "Foundation/Sound_AQA_avqa/00/1 é%20.wav")
    data = load_dataset(tmp_path)
    there, gone = (data.clip(item) for item in data.items)
    assert (there.presence, there.path, there.message) == (Presence.FOUND, clip, "")
    assert gone.presence is Presence.MISSING
    assert gone.message == "No clip at Foundation/Sound_AQA_avqa/b.wav: no such file."


def test_audio_grounding_is_flac_on_disk_unless_the_wav_is_there(tmp_path: Path) -> None:
    names = {"task_name": "Audio_Grounding", "dataset_name": "AudioGrounding"}
    write(tmp_path, "Foundation", names, {"path": "a.wav", "uniq_id": 2})
    flac = touch(tmp_path, "Foundation/Audio_Grounding_AudioGrounding/a.flac")
    touch(tmp_path, "Foundation/Sound_AQA_avqa/a.flac")
    data = load_dataset(tmp_path)
    grounding, other = data.items
    assert data.clip(grounding).path == flac
    assert data.clip(other).presence is Presence.MISSING, "no other task has this exception"
    wav = touch(tmp_path, "Foundation/Audio_Grounding_AudioGrounding/a.wav")
    assert data.clip(grounding).path == wav
    wav.unlink()
    flac.unlink()
    assert "a.wav: no such file" in data.clip(grounding).message
    assert "a.flac: no such file" in data.clip(grounding).message


def test_items_of_one_clip_have_equal_paths(tmp_path: Path) -> None:
    write(tmp_path, "Foundation", {}, {"uniq_id": 2, "path": "./a.wav"}, {"uniq_id": 3, "dataset_name": "clothoaqa"})
    touch(tmp_path, "Foundation/Sound_AQA_avqa/a.wav")
    touch(tmp_path, "Foundation/Sound_AQA_clothoaqa/a.wav")
    data = load_dataset(tmp_path)
    first, second, elsewhere = (data.clip(item).path for item in data.items)
    assert first == second
    assert first != elsewhere


def test_links_are_followed_wherever_they_lead(tmp_path: Path) -> None:
    root = tmp_path / "set"
    write(root, "Chat", {"task_name": "music_QA", "dataset_name": "musiccaps"}, {"path": "dangling.wav", "uniq_id": 2})
    blob = touch(tmp_path, "blobs/6f1ed002")
    folder = root / "Chat" / "Sound_AQA_avqa"
    folder.mkdir()
    (folder / "dangling.wav").symlink_to("nowhere")
    (root / "Chat" / "music_QA_musiccaps").mkdir()
    (root / "Chat" / "music_QA_musiccaps" / "a.wav").symlink_to(blob)
    data = load_dataset(root)
    assert [data.clip(item).presence for item in data.items] == [Presence.FOUND, Presence.MISSING]


def test_what_is_no_file_is_missing(tmp_path: Path) -> None:
    write(tmp_path, "Foundation", {}, {"uniq_id": 2, "path": "x" * 300 + ".wav"})
    (tmp_path / "Foundation" / "Sound_AQA_avqa" / "a.wav").mkdir(parents=True)
    data = load_dataset(tmp_path)
    folder, long = (data.clip(item) for item in data.items)
    assert folder.presence is Presence.MISSING
    assert "something else of that name" in folder.message
    assert long.presence is Presence.MISSING
    assert "File name too long" in long.message


def test_folder_of_clips(tmp_path: Path) -> None:
    write(tmp_path, "Chat", {})
    touch(tmp_path, "Chat/sound_QA_clotho/a.wav")
    touch(tmp_path, "Chat/a_file")
    data = load_dataset(tmp_path)
    assert data.has_folder(Track.CHAT, "sound_QA_clotho")
    for folder in ("a_file", "music_QA_musiccaps", "..", "../Chat", "x" * 300, "a\0b"):
        assert not data.has_folder(Track.CHAT, folder)
    assert not data.has_folder(Track.FOUNDATION, "sound_QA_clotho")


@pytest.mark.parametrize("changes", [{"path": "../b.wav"}, {"path": "/etc/hostname"}, {"task": "../music_QA"}])
def test_item_from_elsewhere_is_not_followed_out(tmp_path: Path, changes: dict[str, str]) -> None:
    """The reader of the metadata refuses such records; an item that came another way is refused here."""
    write(tmp_path, "Chat", {})
    touch(tmp_path, "Chat/b.wav")
    place = load_dataset(tmp_path).clip(msgspec.structs.replace(CHAT_ITEM, **changes))
    assert place.presence is Presence.REFUSED
    assert "not followed" in place.message


def test_loading_imports_no_audio(tmp_path: Path) -> None:
    write(tmp_path, "Foundation", {})
    program = (
        "import sys; from pathlib import Path; from airbench_edge.benchmark.dataset import load_dataset;"
        "load_dataset(Path(sys.argv[1])); sys.exit(any(name.startswith('soundfile') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False).returncode == 0
