"""How much memory an export takes, beside the size of its checkpoint: random weights with the widths of Qwen2-Audio.

    python scripts/bench/export_memory.py                  # 2 layers, 1.4 GB in bfloat16, to float32
    python scripts/bench/export_memory.py --dtype int4 --layers 3

Needs the export extra and Linux; without them it says so. Memory that the process holds for itself is told apart from
files that it has mapped, which the system takes back when it needs room.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

NANO = Path(__file__).resolve().parents[2] / "models" / "nano"
TEXT = {"hidden_size": 4096, "intermediate_size": 11008, "num_attention_heads": 32, "num_key_value_heads": 32}
AUDIO = {"d_model": 1280, "encoder_attention_heads": 20, "encoder_ffn_dim": 5120}
VOCABULARY = 32_000
SHARD = "400MB"  # a quarter of the whole, as the published checkpoint has it

IMPORTS = "import airbench_edge.export.folder"
EXPORT = (
    "import sys; from pathlib import Path; from airbench_edge.export.folder import export_checkpoint; "
    "export_checkpoint(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])"
)
RUN = """
import sys
from pathlib import Path
import numpy as np
from airbench_edge.audiolm.contract import Prompted
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.items import ItemKey, Track
model = OnnxAudioLM(Path(sys.argv[1]), "cpu", None, dict.fromkeys(Track, 8), float16_on_cpu=True)
waveform = np.sin(np.arange(32000) / 10).astype(np.float32)
answer = model.answer(Prompted(ItemKey(Track.CHAT, 1), "What do you hear?", "clip", waveform))
assert answer.text is not None
"""


class Peak(NamedTuple):
    """Most memory that a process had, in bytes: its own, mapped files, and both at once."""

    own: int
    mapped: int
    both: int
    seconds: float


def watched(code: str, *arguments: object) -> Peak:
    """Run Python code in a process of its own and look at its memory fifty times a second."""
    began = time.monotonic()
    process = subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)])
    own = mapped = both = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        except OSError:
            break
        held = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in status if line.startswith("Rss")}
        if held:
            own, mapped = max(own, held["RssAnon"]), max(mapped, held["RssFile"])
            both = max(both, held["RssAnon"] + held["RssFile"])
        time.sleep(0.02)
    if process.wait():
        sys.exit(f"bench/export_memory: the process ended with {process.returncode}")
    return Peak(own, mapped, both, time.monotonic() - began)


def make_checkpoint(folder: Path, layers: int) -> int:
    """Random weights in bfloat16 with nano's tokenizer and window; returns their bytes."""
    import torch
    import transformers

    settings = json.loads((NANO / "config.json").read_text())
    settings["text_config"] |= TEXT | {"num_hidden_layers": layers, "vocab_size": VOCABULARY, "layer_types": None}
    settings["audio_config"] |= AUDIO | {"encoder_layers": layers}
    torch.set_default_dtype(torch.bfloat16)
    model = transformers.Qwen2AudioForConditionalGeneration(transformers.Qwen2AudioConfig.from_dict(settings))
    torch.set_default_dtype(torch.float32)
    model.save_pretrained(folder, max_shard_size=SHARD)
    for name in ("tokenizer.json", "tokenizer_config.json", "preprocessor_config.json", "generation_config.json"):
        shutil.copy(NANO / name, folder / name)
    return sum(file.stat().st_size for file in folder.glob("*.safetensors"))


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--dtype", default="fp32")
    parser.add_argument(
        "--work", type=Path, help="where the checkpoint and its export go; a temporary folder if left out"
    )
    options = parser.parse_args()
    if importlib.util.find_spec("transformers") is None or not Path("/proc/self/status").exists():
        print("bench/export_memory: needs the export extra and Linux.")
        return 0
    with tempfile.TemporaryDirectory(prefix="airbench-bench-", dir=options.work) as temporary:
        checkpoint, out = Path(temporary) / "checkpoint", Path(temporary) / "out"
        code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from pathlib import Path; "
        code += "import export_memory as bench; bench.make_checkpoint(Path(sys.argv[1]), int(sys.argv[2]))"
        watched(code, checkpoint, options.layers)
        size = sum(file.stat().st_size for file in checkpoint.glob("*.safetensors"))
        before, export = watched(IMPORTS), watched(EXPORT, checkpoint, out, options.dtype)
        run = watched(RUN, out)
        made = sum(file.stat().st_size for file in (out / "onnx").iterdir())
        decoder = json.loads((out / "airbench.json").read_text())["decoder"]
    print(f"checkpoint {size / 1e9:.2f} GB in bfloat16, export {made / 1e9:.2f} GB in {options.dtype}")
    for what, peak in (("imports alone", before), ("export", export), ("run of the export", run)):
        parts = "  ".join(f"{name} {size / 1e9:5.2f} GB" for name, size in peak._asdict().items() if name != "seconds")
        print(f"{what:18} {parts}  {peak.seconds:.0f} s")
    own, both = (export.own - before.own) / size, (export.both - before.both) / size
    print(f"export less imports: {own:.2f} times the checkpoint of its own, {both:.2f} with mapped files")
    apart, spread = decoder["logit_difference"], decoder["logit_range"]
    print(f"attention {decoder['attention']}, logits {apart:.2g} off of a range of {spread:.2g}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
