from __future__ import annotations

from pathlib import Path

import pytest
from helpers.tiny_audiolm import copy_model, edit_json

from airbench_edge.audiolm.onnx.chat_template import ChatTemplate, find_template, special_tokens
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.errors import InputError


def rendered(source: str, text: str = "Who?", system: str | None = None) -> str:
    return ChatTemplate(source, "here", {"bos_token": "<s>"}).render(text, system)


def test_messages_special_tokens_and_generation_prompt() -> None:
    source = (
        "{{ bos_token }}{% for message in messages %}\n"
        "  {%- if message.content is string %}[{{ message.content }}]\n"
        "  {%- else %}{% for part in message.content %}"
        "{{ part['text'] if part['type'] == 'text' else '<sound>' }}{% endfor %}{% endif %}"
        "{% endfor %}{% if add_generation_prompt %}:{% endif %}"
    )
    assert rendered(source) == "<s><sound>Who?:"
    assert rendered(source, system="Be brief.") == "<s>[Be brief.]<sound>Who?:"


def test_templates_of_text_models_see_one_text() -> None:
    template = ChatTemplate("{% for message in messages %}[{{ message.content | trim }}]{% endfor %}", "here", {})
    assert template.render_written(" <sound> Who? ", "Be brief.") == "[Be brief.][<sound> Who?]"


def test_blocks_leave_no_lines_behind() -> None:
    # As transformers renders: the newline after a block and the spaces before it go (trim_blocks, lstrip_blocks).
    assert rendered("a\n  {% if true %}\nb\n  {% endif %}\nc") == "a\nb\nc"


def test_loop_controls_and_json() -> None:
    assert rendered("{% for n in [1, 2, 3] %}{% if n == 2 %}{% break %}{% endif %}{{ n }}{% endfor %}") == "1"
    assert rendered("{{ ['ü<'] | tojson }}") == '["ü<"]'


def test_what_the_user_writes_is_never_template() -> None:
    assert rendered("{{ messages[0].content[1].text }}", text="{{ 1 + 1 }}") == "{{ 1 + 1 }}"


@pytest.mark.parametrize("source", ["{% for %}", "{{ unclosed"])
def test_a_broken_template(source: str) -> None:
    with pytest.raises(InputError, match=r"The chat template in here is broken \(.+\)"):
        rendered(source)


@pytest.mark.parametrize(
    "source",
    [
        "{{ raise_exception('text only') }}",
        "{{ messages[0].content + 'x' }}",
        "{{ messages[0].content.append(1) }}",  # the sandbox: nothing may be changed
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",  # the sandbox: no way out
        "{{ strftime_now('%Y') }}",  # no clock
        "{{ 1 / 0 }}",
        "{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}",
    ],
)
def test_a_template_that_fails(source: str) -> None:
    with pytest.raises(InputError, match="The chat template in here does not take a sound with a question"):
        rendered(source)


def test_special_tokens_are_texts_or_objects(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    as_object = {"content": "<s>", "lstrip": False}
    edit_json(model / "tokenizer_config.json", bos_token=as_object, eos_token="</s>", unk_token={}, add_bos_token=True)
    found = special_tokens(ModelFolder(model))
    assert (found["bos_token"], found["eos_token"]) == ("<s>", "</s>")
    assert not {"unk_token", "add_bos_token"} & set(found)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("<sound><sound>{{ messages[0].content[1].text }}", "<sound> 2 times"),
        ("{{ messages[0].content[1].text }}", "<sound> 0 times"),
        ("<sound> What is the question?", "the question 0 times"),
        ("<sound>{{ messages[0].content[1].text * 2 }}", "the question 2 times"),
    ],
)
def test_sound_and_question_must_be_written_once(tmp_path: Path, source: str, fault: str) -> None:
    model = copy_model(tmp_path)
    (model / "chat_template.jinja").write_text(source)
    with pytest.raises(InputError, match=f"writes {fault} instead of once: restore it"):
        find_template(ModelFolder(model), "<sound>")
