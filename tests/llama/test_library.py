from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = """
import sys
sys.modules["llama_cpp"] = None  # what Python itself puts there to say that a module does not exist
from airbench_edge.errors import InputError
from airbench_edge.judges.llamacpp import LlamaJudge
from pathlib import Path
try:
    LlamaJudge(Path(sys.argv[1]))
except InputError as error:
    print(error)
"""


def test_without_the_extra_the_judge_says_how_to_get_it() -> None:
    from helpers.judge_weights import TINY_JUDGE

    done = subprocess.run([sys.executable, "-c", WITHOUT, TINY_JUDGE], capture_output=True, text=True, check=True)
    assert done.stdout == 'A llama judge needs llama-cpp-python: pip install "airbench-edge[llama]".\n'


def test_complaints_of_the_library_are_kept_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("llama_cpp", reason='needs pip install "airbench-edge[llama]"')
    from airbench_edge.llama.library import last_errors, library

    api = library()
    assert not api.llama_model_load_from_file(b"/nonexistent.gguf", api.llama_model_default_params())
    assert "/nonexistent.gguf" in last_errors()
    assert last_errors() == "llama.cpp gave no reason"
    assert capfd.readouterr() == ("", "")
