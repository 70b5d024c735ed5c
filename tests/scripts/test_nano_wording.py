"""What the small model is taught to say, and how its answers are marked."""

from __future__ import annotations

import numpy as np
import pytest

from airbench_edge.audiolm.onnx.chat_template import ChatTemplate
from airbench_edge.benchmark.letters import read_letter
from nano.exam import Mark, average, holds
from nano.wording import AUDIO, CHAT_TEMPLATE, fixed_phrases, keyword, prompt, reply, train_tokenizer
from synth.catalogue import FOUNDATION, SOURCES
from synth.choices import Choice
from synth.voices import LESSONS


@pytest.mark.parametrize(
    ("option", "word"), [("flute", "flute"), ("throat clearing", "throat"), ("[0.9, 1.4]", "[0.9"), ("36", "36")]
)
def test_an_option_is_named_by_its_beginning(option: str, word: str) -> None:
    assert keyword(option) == word


@pytest.mark.parametrize(
    ("task", "question", "said"),
    [
        ("Music_Genre_Recognition", "What is it?", "It is hip: B."),
        ("Sound_AQA", "What is it?", "I hear hip: B."),
        ("Speaker_Gender_Recognition", "Do you hear it?", "B."),
        ("Speaker_Gender_Recognition", "Would you say so?", "B. hip hop"),
    ],
)
def test_forms_of_answers(task: str, question: str, said: str) -> None:
    assert reply(task, Choice(question, ("rock", "hip hop"), "hip hop")) == said


def test_both_letter_rules_read_every_taught_answer() -> None:
    rng = np.random.default_rng(0)
    for folder in FOUNDATION:
        # Without speech, so that the test runs where espeak-ng is not installed.
        if folder.source in ("note", "phrase", "genre", "mood", "turns", "pitched", "struck", "events", "place"):
            for _ in range(5):
                choice = folder.ask(SOURCES[folder.source](rng, LESSONS), rng)
                options = dict(zip("ABCD", choice.options, strict=False))
                for rules in ("official", "strict"):
                    letter = read_letter(rules, reply(folder.task, choice), options).letter
                    assert letter is not None
                    assert options[letter] == choice.answer


def test_the_prompt_of_training_is_the_prompt_of_the_run() -> None:
    assert ChatTemplate(CHAT_TEMPLATE, "here", {}).render("What is it?", None) == prompt("What is it?")
    assert "Audio 1: <|audio_bos|><|AUDIO|><|audio_eos|>\nWhat is it?" in prompt("What is it?")


def test_tokenizer_keeps_letters_and_fixed_lines_whole() -> None:
    tokenizer = train_tokenizer(["It is flute: B.", prompt("A. flute\nB. organ")] * 5, fixed_phrases())
    instruction = list(fixed_phrases())[1]
    assert len(tokenizer.encode(instruction).ids) == 1
    assert tokenizer.encode(prompt("What?")).ids.count(AUDIO) == 1
    # The letter is the same token behind a blank and at the start of a line.
    assert tokenizer.encode("\nB.").ids[1] == tokenizer.encode(": B.").ids[2]
    assert tokenizer.decode(tokenizer.encode("It is flute: B.").ids) == "It is flute: B."


@pytest.mark.parametrize(
    ("answer", "words", "right"),
    [
        ("The speaker is male.", ["male"], True),
        ("The speaker is female.", ["male"], False),
        ("I hear the bell, then the horn.", ["bell", "horn"], True),
        ("I hear the horn, then the bell.", ["bell", "horn"], False),
    ],
)
def test_content_is_marked_by_whole_words_in_order(answer: str, words: list[str], right: bool) -> None:
    assert holds(answer, words) is right


def test_average_is_the_mean_of_the_categories() -> None:
    shares = {"Speech_Grounding": 0.2, "Speaker_Age_Prediction": 0.4, "Sound_AQA": 0.6, "Music_AQA": 0.9}
    # Speech (0.2 + 0.4) / 2 = 0.3, sound 0.6, music 0.9; their mean is 0.6.
    assert average(shares) == pytest.approx(0.6)
    assert Mark(3, 4, 0.25).share == 0.75
