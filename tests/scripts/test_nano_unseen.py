"""Nothing that the small model is measured on was in its training."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from make_small_dataset import CHAT_CLIPS, FOUNDATION_CLIPS, draw
from nano.drawing import recipe_digest, wave_digest
from synth.catalogue import CHAT, FOUNDATION, SOURCES
from synth.clip import Clip
from synth.voices import EXAM, LESSONS

TRAINED_ON = Path(__file__).parents[2] / "models" / "nano" / "training_clips.txt"
WITHOUT_SPEECH = {
    "place", "human noise", "events", "repeated", "pitched", "struck", "note", "phrase", "genre", "mood", "turns",
}  # fmt: skip


def small_clips(speech: bool, most: int = FOUNDATION_CLIPS) -> Iterator[Clip]:
    """The clips of the small data set, ``most`` of each folder, synthesised again."""
    for folder in FOUNDATION:
        if (folder.source not in WITHOUT_SPEECH) is speech:
            for index in range(min(most, FOUNDATION_CLIPS)):
                yield SOURCES[folder.source](draw(f"{folder.task}_{folder.dataset}", index), EXAM)
    for chat in CHAT:
        for index in range(min(most, CHAT_CLIPS)):
            source = chat.asks[index % len(chat.asks)][0]
            if (source not in WITHOUT_SPEECH) is speech:
                yield SOURCES[source](draw(f"{chat.task}_{chat.dataset}", index), EXAM)


def assert_unseen(clips: Iterator[Clip], least: int) -> None:
    waves, recipes = zip(*(line.split() for line in TRAINED_ON.read_text(encoding="utf-8").splitlines()), strict=True)
    seen = 0
    for clip in clips:
        seen += 1
        assert wave_digest(clip) not in waves
        # All that was drawn for a clip differs, so no (question, clip parameters) pair can be shared either.
        assert recipe_digest(clip) not in recipes, clip.recipe
    assert seen >= least


def test_no_sample_of_the_clips_without_speech_was_trained_on() -> None:
    # 12 foundation and 4 chat folders hold no speech; one clip of each.
    assert_unseen(small_clips(speech=False, most=1), 16)


@pytest.mark.slow
def test_no_clip_without_speech_was_trained_on() -> None:
    # 12 foundation folders of 15 clips, and 4 chat folders of 6.
    assert_unseen(small_clips(speech=False), 12 * 15 + 4 * 6)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng speaks these clips")
def test_no_clip_with_speech_was_trained_on() -> None:
    # 13 foundation folders of 15 clips, and 6 chat folders of 6.
    assert_unseen(small_clips(speech=True), 13 * 15 + 6 * 6)


def test_the_fingerprints_are_those_of_the_training_clips() -> None:
    """The list is worth something only if it holds what the script draws for training."""
    from nano import drawing

    known = dict(line.split() for line in TRAINED_ON.read_text(encoding="utf-8").splitlines())
    for source in sorted(WITHOUT_SPEECH):
        for index in (0, 699):
            clip, _ = drawing.draw(source, index)
            assert known[wave_digest(clip)] == recipe_digest(clip)


def test_the_casts_share_nothing() -> None:
    assert not {*EXAM.male, *EXAM.female} & {*LESSONS.male, *LESSONS.female}
    assert not {*EXAM.sentences} & {*LESSONS.sentences}
    assert EXAM.turn_s != LESSONS.turn_s
    assert EXAM.repeat_s != LESSONS.repeat_s
