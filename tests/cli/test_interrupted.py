from __future__ import annotations

import subprocess
import sys

import pytest

# Ctrl-C while the given module is about to be imported.
PROGRAM = """
import signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
from airbench_edge.cli.main import main
main()
"""


@pytest.mark.parametrize("module", ["typer", "numpy", "airbench_edge.report.live"])
def test_ctrl_c_while_the_program_is_loaded_is_no_traceback(module: str) -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM, module], capture_output=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"")
