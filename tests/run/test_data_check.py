import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from airbench_edge.benchmark.dataset import load_dataset
from airbench_edge.benchmark.items import Track
from airbench_edge.run.data_check import DataCheck, FolderCheck, check_data

MAKE_AUDIO = Path(__file__).parent.parent / "cases" / "audio" / "make_audio.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small data set with a fault of every kind."""
    out = tmp_path_factory.mktemp("audio")
    subprocess.run([sys.executable, str(MAKE_AUDIO), str(out), "--no-long"], check=True, capture_output=True)
    return out / "tree"


@pytest.fixture(scope="module")
def checked(tree: Path) -> DataCheck:
    return check_data(load_dataset(tree))


def folder_of(check: DataCheck, name: str) -> FolderCheck:
    [folder] = [folder for folder in check.folders if folder.folder == name]
    return folder


def write(root: Path, *records: dict[str, object]) -> Path:
    """A chat track of one folder, without clips."""
    (root / "Chat").mkdir(parents=True)
    whole = {
        "question": "What?",
        "answer_gt": "A dog.",
        "meta_info": "A dog barks.",
        "task_name": "sound_QA",
        "dataset_name": "clotho",
    }
    (root / "Chat" / "Chat_meta.json").write_text(json.dumps([whole | record for record in records]))
    return root


def copy_clip(tree: Path, folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_bytes((tree / "Chat" / "sound_QA_clotho" / "plain.wav").read_bytes())


def test_every_item_of_the_tree_is_what_its_manifest_says(tree: Path, checked: DataCheck) -> None:
    manifest = json.loads((tree.parent / "manifest.json").read_text(encoding="utf-8"))["tree"]
    expected = {entry["uniq_id"]: entry["status"] for track in ("foundation", "chat") for entry in manifest[track]}
    found = dict.fromkeys(expected, "ok")
    found |= {str(fault.uniq_id): fault.kind for fault in checked.faults}
    kinds = {"path_escape": "path_refused"}
    found |= {str(note.uniq_id): kinds.get(note.kind, note.kind) for note in checked.notes}
    assert found == expected


def test_tree_is_not_complete(checked: DataCheck) -> None:
    assert not checked.complete
    assert checked.decoded
    assert checked.tracks == (Track.FOUNDATION, Track.CHAT)
    assert checked.missing_folders == ()


def test_rows_of_a_folder(checked: DataCheck) -> None:
    # t03 is missing, t04 is empty.
    avqa = folder_of(checked, "Sound_AQA_avqa")
    assert (avqa.there, avqa.rows, avqa.usable, avqa.with_audio, avqa.undecodable) == (True, 2, 2, 1, 1)
    assert (avqa.published_rows, avqa.published_with_audio) == (1000, 1000)
    # t01 is whole, t08 leaves its folder and so is no item.
    clotho = folder_of(checked, "Sound_AQA_clothoaqa")
    assert (clotho.rows, clotho.usable, clotho.with_audio, clotho.undecodable) == (2, 1, 1, 0)
    # The rows per source of a two-source chat task are not published.
    spokenwoz = folder_of(checked, "speech_dialogue_QA_spokenwoz")
    assert (spokenwoz.rows, spokenwoz.with_audio, spokenwoz.undecodable, spokenwoz.published_rows) == (1, 1, 1, None)


def test_published_folders_without_rows_are_listed(checked: DataCheck) -> None:
    assert len(checked.folders) == 25 + 10
    nsynth = folder_of(checked, "Music_Midi_Pitch_Analysis_nsynth")
    assert (nsynth.there, nsynth.rows, nsynth.published_rows, nsynth.published_with_audio) == (False, 0, 1000, 493)


def test_faults_name_the_item_and_the_reason(checked: DataCheck) -> None:
    faults = {fault.uniq_id: fault for fault in checked.faults}
    assert set(faults) == {"t03", "t04", "c02"}
    assert (faults["t03"].folder, faults["t03"].path) == ("Sound_AQA_avqa", "gone.wav")
    assert "gone.wav" in faults["t03"].message
    assert (faults["t04"].kind, faults["t04"].path) == ("empty_file", "empty.wav")


def test_presence_alone_takes_an_empty_clip_for_one(tree: Path) -> None:
    check = check_data(load_dataset(tree), decode=False)
    assert not check.decoded
    assert {fault.uniq_id for fault in check.faults} == {"t03"}
    assert {folder.undecodable for folder in check.folders} == {None}


def test_check_is_json(checked: DataCheck) -> None:
    assert msgspec.json.decode(msgspec.json.encode(checked), type=DataCheck) == checked


def test_whole_set_is_complete_whatever_its_size(tree: Path, tmp_path: Path) -> None:
    root = write(
        tmp_path, {"uniq_id": 1, "path": "a.wav"}, {"uniq_id": 2, "path": "b.wav"}, {"uniq_id": 1, "path": "a.wav"}
    )
    copy_clip(tree, root / "Chat" / "sound_QA_clotho", "a.wav", "b.wav")
    check = check_data(load_dataset(root))
    assert check.complete
    assert [note.kind for note in check.notes] == ["repeated_record"]
    clotho = folder_of(check, "sound_QA_clotho")
    assert (clotho.rows, clotho.usable, clotho.published_rows) == (3, 2, 400)


def test_record_that_is_no_item_makes_it_incomplete(tree: Path, tmp_path: Path) -> None:
    root = write(tmp_path, {"uniq_id": 1, "path": "a.wav"}, {"uniq_id": 2, "path": "a.wav", "meta_info": None})
    copy_clip(tree, root / "Chat" / "sound_QA_clotho", "a.wav")
    check = check_data(load_dataset(root))
    assert not check.complete
    assert not check.faults


def test_set_without_a_usable_record_is_incomplete(tmp_path: Path) -> None:
    check = check_data(load_dataset(write(tmp_path, {"uniq_id": 1, "path": None})))
    assert not check.complete


def test_unknown_folder_stands_last_and_a_missing_one_is_named(tmp_path: Path) -> None:
    root = write(tmp_path, {"uniq_id": 1, "path": "a.wav", "dataset_name": "home"})
    check = check_data(load_dataset(root))
    assert check.folders[-1].folder == "sound_QA_home"
    assert check.folders[-1].published_rows is None
    assert check.missing_folders == ("Chat/sound_QA_home",)
    assert [fault.kind for fault in check.faults] == ["missing"]


def test_clip_of_many_items_is_decoded_once(tree: Path, tmp_path: Path) -> None:
    root = write(
        tmp_path, *({"uniq_id": number, "path": "a.wav"} for number in range(5)), {"uniq_id": 9, "path": "b.wav"}
    )
    copy_clip(tree, root / "Chat" / "sound_QA_clotho", "a.wav")
    (root / "Chat" / "sound_QA_clotho" / "b.wav").write_bytes(b"")
    seen: list[tuple[int, int]] = []
    check = check_data(load_dataset(root), seen=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert [fault.uniq_id for fault in check.faults] == [9]
