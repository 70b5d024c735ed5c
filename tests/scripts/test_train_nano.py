"""Training of the small model: repeatable, and true to what transformers computes. Needs the export extra."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from nano.exercise import Exercise  # noqa: E402
from nano.lessons import Lesson, lesson  # noqa: E402
from nano.model import Size, audio_tokens, batch, build, encode  # noqa: E402
from nano.speaking import Sheet, evenly, grade  # noqa: E402

SCRIPT = Path(__file__).parents[2] / "scripts" / "train_nano.py"
TINY = Size(32, 1, 2, 64)


def made(sources: tuple[str, ...]) -> list[Lesson]:
    return [lesson(source, 0) for source in sources]


def test_encoding_the_valid_part_equals_encoding_the_whole_window() -> None:
    torch.manual_seed(0)
    tower = build(TINY, 64).audio_tower.eval()
    clips = made(("note", "turns"))
    with torch.no_grad():
        ours = encode(tower, *batch(clips))
        for row, clip in zip(ours, clips, strict=True):
            window = np.full((1, 128, 400), clip.mel.min(), np.float32)
            window[0, :, : clip.mel.shape[1]] = clip.mel
            # The bias with which transformers masks the padding: 200 places after the convolutions.
            bias = torch.zeros(1, 1, 200, 200)
            bias[..., (clip.frames - 1) // 2 + 1 :] = torch.finfo(torch.float32).min
            whole = tower(torch.from_numpy(window), attention_mask=bias).last_hidden_state[0]
            valid = audio_tokens(clip.frames)
            assert torch.allclose(row[:valid], whole[:valid], atol=1e-5)


def test_questions_that_share_a_sound_are_graded_as_if_alone() -> None:
    torch.manual_seed(0)
    decoder = build(TINY, 64).language_model.model
    sound = torch.randn(9, 32)
    exercises = [Exercise([10, 11], [20 + i, 21], [30, 31 + i, 3]) for i in range(3)]
    weights = [evenly(exercise.reply) for exercise in exercises]
    shared = grade(decoder, [Sheet(sound, exercises, weights)])
    alone = grade(decoder, [Sheet(sound, [e], [w]) for e, w in zip(exercises, weights, strict=True)])
    assert torch.allclose(shared.loss, alone.loss, atol=1e-6)
    assert shared.right == alone.right


def test_long_replies_weigh_as_much_as_eight_tokens() -> None:
    assert evenly([1] * 4) == [1.0] * 4
    # 16 tokens of one half each.
    assert sum(evenly([1] * 16)) == 8.0


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng speaks the lessons")
def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    for run in ("first", "second"):
        work, out = tmp_path / run / "work", tmp_path / run / "out"
        subprocess.run([sys.executable, SCRIPT, "--miniature", "--work", work, "--out", out], check=True)
    for name in ("model.safetensors", "tokenizer.json", "training_clips.txt"):
        assert (tmp_path / "first" / "out" / name).read_bytes() == (tmp_path / "second" / "out" / name).read_bytes()
