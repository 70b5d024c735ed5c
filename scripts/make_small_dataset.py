"""Write the built-in small data set: every folder of the benchmark, filled with synthetic sound.

    python scripts/make_small_dataset.py OUT

Needs espeak-ng. The same version of it gives the same metadata; the audio also depends on the encoders of libsndfile.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from zlib import crc32

import numpy as np

from synth.catalogue import CHAT, FOUNDATION, SOURCES, ChatFolder, Folder
from synth.chats import Chat
from synth.choices import Choice
from synth.clip import Clip, Rng
from synth.files import encoded
from synth.voices import EXAM

SEED = 20_240_212
FOUNDATION_CLIPS, FOUNDATION_ITEMS = 15, 24
CHAT_CLIPS, CHAT_ITEMS = 6, 8
TELEPHONE_HZ, TELEPHONE = 8_000, ("fisher", "spokenwoz")
MISSING = "Speaker_Number_Verification_voxceleb1"
UNDECODABLE = "speech_dialogue_QA_spokenwoz"
"""The last clip of the one folder is not written, that of the other is cut inside its header."""

Record: TypeAlias = dict[str, Any]
Asked = TypeVar("Asked", Choice, Chat)


def draw(folder: str, index: int) -> Rng:
    """The random numbers of one clip and of what is asked about it."""
    return np.random.default_rng([SEED, crc32(folder.encode()), index])


def unlike(taken: list[str], ask: Callable[[Clip, Rng], Asked], clip: Clip, rng: Rng) -> Asked:
    """A question that is not among ``taken``; after many tries the same once more, with other options."""
    for _ in range(20):
        asked = ask(clip, rng)
        if asked.question not in taken:
            break
    taken.append(asked.question)
    return asked


def foundation_items(folder: Folder) -> Iterator[tuple[Clip, int, Record]]:
    """Clip, index of the clip, and record of every item of ``folder``."""
    name = f"{folder.task}_{folder.dataset}"
    for index in range(FOUNDATION_CLIPS):
        rng = draw(name, index)
        clip = SOURCES[folder.source](rng, EXAM)
        taken: list[str] = []
        for _ in range(1 + (index < FOUNDATION_ITEMS - FOUNDATION_CLIPS)):
            asked = unlike(taken, folder.ask, clip, rng)
            letters: Record = dict(zip(("choice_a", "choice_b", "choice_c", "choice_d"), asked.options, strict=False))
            if folder.task == "Speaker_Gender_Recognition":
                letters |= {"choice_c": None, "choice_d": None}
            yield clip, index, {"question": asked.question, **letters, "answer_gt": asked.answer}


def chat_items(folder: ChatFolder) -> Iterator[tuple[Clip, int, Record]]:
    """Clip, index of the clip, and record of every item of ``folder``."""
    name = f"{folder.task}_{folder.dataset}"
    for index in range(CHAT_CLIPS):
        rng = draw(name, index)
        source = folder.asks[index % len(folder.asks)][0]
        askers = [ask for kind, ask in folder.asks if kind == source]
        clip = SOURCES[source](rng, EXAM)
        taken: list[str] = []
        for turn in range(1 + (index < CHAT_ITEMS - CHAT_CLIPS)):
            ask = askers[(index + turn) % len(askers)]
            asked = unlike(taken, ask, clip, rng)
            record = {
                "question": asked.question,
                "answer_gt": asked.answer,
                "meta_info": clip.meta_info,
                "answer_keywords": list(asked.keywords),
            }
            yield clip, index, record


def write_clip(target: Path, clip: Clip, suffix: str, folder: str, last: bool) -> None:
    """Write one audio file; the two deliberate holes are made here."""
    rate = TELEPHONE_HZ if folder.rsplit("_", 1)[1] in TELEPHONE else 16_000
    content = encoded(clip.wave, suffix, rate)
    if last and folder == MISSING:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content[:30] if last and folder == UNDECODABLE else content)


def write_track(out: Path, track: str) -> None:
    """Write the folders and the metadata of one track."""
    records: list[Record] = []
    folders = FOUNDATION if track == "Foundation" else CHAT
    for folder in folders:
        name = f"{folder.task}_{folder.dataset}"
        clips = FOUNDATION_CLIPS if track == "Foundation" else CHAT_CLIPS
        items = foundation_items(folder) if isinstance(folder, Folder) else chat_items(folder)
        for clip, index, record in items:
            stem = hashlib.sha256(f"{SEED} {track} {name} {index}".encode()).hexdigest()[:12]
            target = out / track / name / f"{stem}{folder.suffix}"
            if not target.exists():
                write_clip(target, clip, folder.suffix, name, index == clips - 1)
            # The real metadata says .wav where .flac files lie.
            path = f"{stem}{'.wav' if folder.suffix == '.flac' else folder.suffix}"
            place = {"path": path, "task_name": folder.task, "dataset_name": folder.dataset}
            records.append({"uniq_id": len(records), **place, **record})
    text = json.dumps(records, ensure_ascii=False, indent=1)
    (out / track / f"{track}_meta.json").write_text(text + "\n", encoding="utf-8")


def write_description(out: Path) -> None:
    """Write what the data set is, and the checksum of every file."""
    espeak = subprocess.run(["espeak-ng", "--version"], capture_output=True, text=True, check=True).stdout.split()
    description = {
        "name": "small",
        "synthetic": True,
        "description": "Synthetic sound with questions in the form of AIR-Bench; no figure measured on it stands "
        "beside a published one.",
        "seed": SEED,
        "made_by": "scripts/make_small_dataset.py",
        "espeak_ng": next(word for word in espeak if word[0].isdigit()),
        "missing_clips": 1,
        "undecodable_clips": 1,
    }
    (out / "dataset.json").write_text(json.dumps(description, indent=1) + "\n", encoding="utf-8")
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(out).as_posix()}" for path in files]
    (out / "SHA256SUMS").write_text("\n".join(sums) + "\n", encoding="utf-8")


def main() -> None:
    """Read the command line and write the data set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path, help="folder to write; must not exist yet")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True)
    for track in ("Foundation", "Chat"):
        write_track(out, track)
    write_description(out)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{out}: {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
