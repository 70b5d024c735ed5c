from __future__ import annotations

import re

import onnxruntime
import pytest

from airbench_edge.audiolm.onnx.providers import CPU, CUDA, TENSORRT, place, why_not
from airbench_edge.errors import InputError


def test_the_cpu_always_works() -> None:
    assert why_not(CPU) == ""
    assert place("cpu") == (((CPU, {}),), ((CPU, {}),), "cpu")


def test_auto_takes_what_really_loads() -> None:
    placement = place("auto")
    loads = why_not(CUDA) == ""
    assert placement.text[0][0] == (CUDA if loads else CPU)
    assert placement.memory == ("cuda" if loads else "cpu")


@pytest.mark.parametrize(("device", "provider"), [("cuda", CUDA), ("tensorrt", TENSORRT)])
def test_a_device_that_does_not_load_is_refused_with_the_reason(device: str, provider: str) -> None:
    if why_not(CUDA) == "" and why_not(provider) == "":
        pytest.skip("this machine has the device")
    with pytest.raises(InputError, match=rf"The device {device} does not load: .+; install .+ or use --device cpu\.$"):
        place(device)


def test_the_missing_library_is_named() -> None:
    reason = why_not(CUDA)
    if not reason or CUDA not in onnxruntime.get_available_providers() or "shared object" not in reason:
        pytest.skip("no library is missing here")
    assert re.search(r"lib\w+\.so", reason)


def test_nothing_is_printed_while_probing(capfd: pytest.CaptureFixture[str]) -> None:
    place("auto")
    why_not(TENSORRT)
    assert capfd.readouterr() == ("", "")


def test_an_unknown_device_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="auto, cpu, cuda, tensorrt"):
        place("gpu")
