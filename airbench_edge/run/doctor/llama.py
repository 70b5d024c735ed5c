"""llama.cpp: its version, what it was built for, and whether it can use the GPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from airbench_edge.errors import InputError
from airbench_edge.llama.library import cpu_features, library, version
from airbench_edge.run.doctor.finding import Finding, Level, problem
from airbench_edge.run.doctor.gpu import Gpu

_NAME = "llama.cpp"


def llama(wanted: bool, gpus: Sequence[Gpu]) -> Iterator[Finding]:
    """Load the library.

    Args:
        wanted: Whether a judge or a cascade needs it.
        gpus: GPUs that it could use.
    """
    try:
        bindings = library()
    except InputError as error:
        found = problem(_NAME, error)
        yield found if wanted else Finding(_NAME, Level.INFO, found.found, found.remedy)
        return
    flags = [flag.partition(" = ")[0].rpartition(": ")[2].strip() for flag in cpu_features().split("|")]
    yield Finding(_NAME, Level.OK, f"llama-cpp-python {version()}, uses {', '.join(flags)}")
    if bindings.llama_supports_gpu_offload():
        yield Finding("GPU offload", Level.OK, "built in: all layers go to the GPU")
    elif gpus:
        remedy = (
            "Build it for the GPU: CMAKE_ARGS=-DGGML_CUDA=on "
            f"pip install --force-reinstall --no-cache-dir llama-cpp-python=={version()}."
        )
        yield Finding("GPU offload", Level.WARNING, "not built in: a local judge runs on the CPU", remedy)
    else:
        yield Finding("GPU offload", Level.INFO, "not built in")
