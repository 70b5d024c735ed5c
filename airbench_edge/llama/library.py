"""The llama.cpp library behind llama-cpp-python, loaded when first needed and kept quiet."""

from __future__ import annotations

import ctypes
import functools
import os
from collections import deque
from types import ModuleType

from airbench_edge.errors import InputError

_ERROR_LEVEL = 4  # GGML_LOG_LEVEL_ERROR
_errors: deque[str] = deque(maxlen=3)


def _keep_errors(level: int, text: bytes, _: object) -> None:
    if level == _ERROR_LEVEL:
        _errors.append(text.decode("utf-8", "replace").strip())


# Kept for the life of the program, as llama.cpp calls it until the end.
_log_callback = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(_keep_errors)


@functools.cache
def library() -> ModuleType:
    """The low-level ctypes bindings; llama.cpp writes nothing to the terminal from here on.

    Raises:
        InputError: llama-cpp-python is not installed or does not load.
    """
    # Waiting threads must sleep: on shared cores, spinning at every barrier makes an evaluation up to 5 times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import llama_cpp.llama_cpp as bindings
    except ImportError as error:
        raise InputError('A llama judge needs llama-cpp-python: pip install "airbench-edge[llama]".') from error
    except (OSError, RuntimeError) as error:
        raise InputError(
            f"llama-cpp-python is installed but its library does not load ({error}): reinstall it."
        ) from error
    bindings.llama_log_set(_log_callback, None)
    bindings.llama_backend_init()
    return bindings


def version() -> str:
    """Version of llama-cpp-python, which pins that of llama.cpp."""
    import llama_cpp

    return str(llama_cpp.__version__)


def cpu_features() -> str:
    """What the library was built for and uses on this machine, as llama.cpp describes it."""
    return str(library().llama_print_system_info().decode()).strip(" |\n")


def last_errors() -> str:
    """The last things that llama.cpp complained about, on one line; forgets them."""
    said = " ".join(" ".join(_errors).split())
    _errors.clear()
    return said or "llama.cpp gave no reason"
