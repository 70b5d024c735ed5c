"""The committed small data set is whole, is what the script writes, and has its two deliberate holes."""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import soundfile

from synth.catalogue import CHAT, FOUNDATION

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "airbench_edge" / "small"


def metadata(track: str, root: Path = SMALL) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads((root / track / f"{track}_meta.json").read_text(encoding="utf-8"))
    return records


def clips(track: str) -> dict[Path, list[dict[str, Any]]]:
    """Audio file to the records that ask about it."""
    found: dict[Path, list[dict[str, Any]]] = {}
    for record in metadata(track):
        name = record["path"].replace(".wav", ".flac") if record["task_name"] == "Audio_Grounding" else record["path"]
        path = SMALL / track / f"{record['task_name']}_{record['dataset_name']}" / name
        found.setdefault(path, []).append(record)
    return found


def test_every_file_is_listed_and_unchanged() -> None:
    lines = (SMALL / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    there = {path.relative_to(SMALL).as_posix() for path in SMALL.rglob("*") if path.is_file()} - {"SHA256SUMS"}
    assert there == set(listed)
    for name, digest in listed.items():
        assert hashlib.sha256((SMALL / name).read_bytes()).hexdigest() == digest, name


def test_small_enough_to_be_shipped() -> None:
    assert sum(path.stat().st_size for path in SMALL.rglob("*") if path.is_file()) < 6_000_000


@pytest.mark.parametrize(("track", "folders", "least"), [("Foundation", FOUNDATION, 8), ("Chat", CHAT, 4)])
def test_every_folder_is_filled(track: str, folders: tuple[Any, ...], least: int) -> None:
    count = Counter((record["task_name"], record["dataset_name"]) for record in metadata(track))
    assert set(count) == {(folder.task, folder.dataset) for folder in folders}
    assert min(count.values()) >= least
    # 25 and 10 folders, 19 and 8 tasks, as in the real data set.
    assert (len(count), len({task for task, _ in count})) == ((25, 19) if track == "Foundation" else (10, 8))


def test_ids_count_up_in_both_tracks() -> None:
    for track in ("Foundation", "Chat"):
        assert [record["uniq_id"] for record in metadata(track)] == list(range(len(metadata(track))))


def test_one_clip_is_missing_and_one_cannot_be_decoded() -> None:
    paths = [*clips("Foundation"), *clips("Chat")]
    missing = [path for path in paths if not path.exists()]
    broken = []
    for path in set(paths) - set(missing):
        try:
            samples, _ = soundfile.read(path)
        except soundfile.LibsndfileError:
            broken.append(path)
            continue
        assert 0.4 < len(samples) / soundfile.info(path).samplerate <= 4.0
    assert [path.parent.name for path in missing] == ["Speaker_Number_Verification_voxceleb1"]
    assert [path.parent.name for path in broken] == ["speech_dialogue_QA_spokenwoz"]


def test_content_is_what_the_suffix_says() -> None:
    kinds = {".wav": "WAV", ".mp3": "MP3", ".flac": "FLAC"}
    for track in ("Foundation", "Chat"):
        for path in clips(track):
            if path.exists() and path.stat().st_size > 30:
                assert soundfile.info(path).format == kinds[path.suffix], path


def test_file_names_tell_nothing() -> None:
    for track in ("Foundation", "Chat"):
        for path in clips(track):
            assert len(path.stem) == 12
            int(path.stem, 16)


def test_the_answer_is_one_of_the_options() -> None:
    for record in metadata("Foundation"):
        options = [record.get(f"choice_{letter}") for letter in "abcd"]
        given = [option for option in options if option is not None]
        assert record["answer_gt"] in given
        assert len(set(given)) == len(given)
        # Missing options are null in one folder and absent in the others, as both occur in the wild.
        if len(given) == 2:
            assert options[2:] == [None, None]
            assert ("choice_c" in record) == (record["task_name"] == "Speaker_Gender_Recognition")


def test_no_letter_is_preferred() -> None:
    letters = Counter(
        next(letter for letter in "abcd" if record.get(f"choice_{letter}") == record["answer_gt"])
        for record in metadata("Foundation")
        if record.get("choice_c")
    )
    # About 500 items: each letter 125 times, standard deviation sqrt(500 * 1/4 * 3/4) = 9.7; four of them allowed.
    expected = sum(letters.values()) / 4
    assert all(abs(count - expected) < 39 for count in letters.values())


def test_references_hold_the_words_that_are_asked_for() -> None:
    for record in metadata("Chat"):
        assert record["answer_keywords"]
        assert all(word in record["answer_gt"] for word in record["answer_keywords"])
        assert (len(record["answer_gt"]) > 150) == ("generation" in record["task_name"])


@pytest.mark.slow
def test_the_script_writes_the_committed_metadata(tmp_path: Path) -> None:
    """Needs the espeak-ng named in dataset.json; audio bytes may differ between encoders, the truth may not."""
    script = ROOT / "scripts" / "make_small_dataset.py"
    subprocess.run([sys.executable, script, tmp_path / "small"], check=True)
    for track in ("Foundation", "Chat"):
        assert metadata(track, tmp_path / "small") == metadata(track)
    assert (tmp_path / "small" / "dataset.json").read_bytes() == (SMALL / "dataset.json").read_bytes()
