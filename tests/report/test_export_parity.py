from __future__ import annotations

import io

from airbench_edge.export.parity import FolderParity, Parity, TypeParity
from airbench_edge.report.steps import steps
from airbench_edge.report.terminal.parity import print_parity

WHOLE = {"audio_encoder": "fp32", "embed_tokens": "fp32", "decoder_model_merged": "fp32"}
SMALL = WHOLE | {"decoder_model_merged": "q4"}
SAME = Parity("1 s", 9, None, 2e-5, 20.0)
ELSEWHERE = Parity("2 s", 9, 3, 0.5, 20.0)
FAR = Parity("3 s", 9, None, 0.5, 20.0)


def test_float32_must_be_the_same_in_tokens_and_logits() -> None:
    assert TypeParity.of(WHOLE, [SAME, SAME]).holds
    # A thousandth of a range of 20 is 0.02.
    assert not TypeParity.of(WHOLE, [SAME, FAR]).holds
    assert not TypeParity.of(WHOLE, [SAME, ELSEWHERE]).holds


def test_smaller_types_may_differ() -> None:
    added = TypeParity.of(SMALL, [SAME, ELSEWHERE, FAR])
    assert (added.holds, added.equal, added.logit_difference) == (True, 2, 0.5)


def printed(*types: TypeParity) -> str:
    file = io.StringIO()
    print_parity(FolderParity("checkpoint", "folder", "What?", list(types)), file)
    return file.getvalue()


def test_every_clip_is_printed_and_what_it_comes_to() -> None:
    text = printed(TypeParity.of(WHOLE, [SAME]), TypeParity.of(SMALL, [SAME, ELSEWHERE]))
    # The fourth token is the first that differs.
    assert ["2", "s", "9", "4", "0.5", "20.0"] in [line.split() for line in text.splitlines()]
    assert "decoder_model_merged q4" in text
    assert "1 of 2 responses equal (50.0 %); logits at most 0.5 off" in text
    assert text.endswith("The export says what its checkpoint says.\n")


def test_a_wrong_export_is_called_so() -> None:
    assert "The export does not say what its checkpoint says." in printed(TypeParity.of(WHOLE, [ELSEWHERE]))


def test_without_float32_nothing_is_claimed() -> None:
    text = printed(TypeParity.of(SMALL, [ELSEWHERE]))
    assert "differences may be those of the type" in text
    assert "checkpoint says" not in text


def test_steps_are_lines_in_a_file() -> None:
    file = io.StringIO()
    with steps(file) as advanced:
        for done in range(3):
            advanced("writing", done, 3)
        advanced("comparing\nall", 0, 0)
    assert file.getvalue() == "writing ...\ncomparing\\nall ...\n"
