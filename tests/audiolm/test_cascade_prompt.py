from __future__ import annotations

from airbench_edge.audiolm.cascade.prompt import Heard, cascade_prompt
from airbench_edge.audiolm.cascade.tagger import Tag

TAGS = [Tag("Speech", 0.912), Tag("Dog", 0.249), Tag("Rain", 0.05), Tag("Car", 0.049)]
OFFICIAL = "Choose one of {prompt} or {report}.\nWhat is it?\nA. dog\nB. cat"


def test_the_prompt_holds_everything_that_was_heard() -> None:
    heard = Heard(12.34, 'He said "hi" {prompt}.', "English", 0.987, TAGS)
    assert cascade_prompt(heard, OFFICIAL) == (
        "You cannot hear the audio clip that the question below is about. Programs have listened to it and report:\n"
        "- Duration: 12.3 seconds.\n"
        "- Language spoken: English (probability 0.99).\n"
        '- Transcript of the speech: "He said "hi" {prompt}."\n'
        "- Sounds recognised, with probabilities: Speech 0.91, Dog 0.25, Rain 0.05.\n"
        "\n"
        "Answer the question as if you had heard the clip yourself. Rely on the report, and where it does not say "
        "enough, give the most likely answer.\n"
        "\n" + OFFICIAL
    )


def test_what_is_not_known_is_not_said() -> None:
    silent = cascade_prompt(Heard(1.0, "", "", None, None), OFFICIAL)
    assert "- Speech: none was recognised.\n\nAnswer" in silent
    assert "Language" not in silent
    assert "Sounds" not in silent
    assert "Language spoken: English.\n" in cascade_prompt(Heard(1.0, "Hi.", "English", None, []), OFFICIAL)
    assert "probabilities: nothing certain." in cascade_prompt(Heard(1.0, "", "", None, TAGS[3:]), OFFICIAL)


def test_eight_tags_are_enough() -> None:
    many = [Tag(f"class {place}", 0.9 - place / 100) for place in range(20)]
    text = cascade_prompt(Heard(1.0, "", "", None, many), OFFICIAL)
    assert "class 7 0.83" in text
    assert "class 8" not in text
