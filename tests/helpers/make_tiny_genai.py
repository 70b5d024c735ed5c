"""Writes tests/cases/tiny_genai: a tiny decoder as onnxruntime-genai's model builder makes it, and what it should say.

Run in an environment of its own with onnxruntime-genai 0.18 and transformers 5, from the repository:
python tests/helpers/make_tiny_genai.py
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

CASE = Path(__file__).parents[1] / "cases" / "tiny_genai"
VOCABULARY, WIDTH, NEW = 320, 32, 24
PROMPTS = ([1, 40, 41, 42, 7, 300, 9], [1, *range(100, 140)], [1, 5])


def make_checkpoint(folder: Path) -> torch.nn.Module:
    """A random Llama of two layers whose logits span about 8."""
    torch.manual_seed(5)
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=WIDTH,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=256,
        initializer_range=0.2,
        bos_token_id=1,
        eos_token_id=2,
        tie_word_embeddings=False,
    )
    model = LlamaForCausalLM(config).eval()
    model.save_pretrained(folder)
    words = Tokenizer(models.WordLevel({f"t{token}": token for token in range(VOCABULARY)}, unk_token="t0"))
    PreTrainedTokenizerFast(tokenizer_object=words, bos_token="t1", eos_token="t2").save_pretrained(folder)
    return model


def embeddings(table: np.ndarray[Any, Any]) -> onnx.ModelProto:
    """The builder leaves the embeddings out: they are for sound too."""
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["inputs_embeds"])],
        "embed_tokens",
        [info("input_ids", TensorProto.INT64, ["batch", "tokens"])],
        [info("inputs_embeds", TensorProto.FLOAT, ["batch", "tokens", WIDTH])],
        [numpy_helper.from_array(table, "table")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def golden(model: torch.nn.Module, prompt: list[int]) -> dict[str, Any]:
    """Greedy tokens of transformers, and its logits before the last of them."""
    with torch.no_grad():
        output = model.generate(
            torch.tensor([prompt]),
            max_new_tokens=NEW,
            do_sample=False,
            eos_token_id=None,
            output_logits=True,
            return_dict_in_generate=True,
        )
    last = [round(value, 5) for value in output.logits[-1][0].tolist()]
    return {"prompt": prompt, "tokens": output.sequences[0, len(prompt) :].tolist(), "last_logits": last}


def main() -> None:
    """Write the folder anew."""
    shutil.rmtree(CASE, ignore_errors=True)
    CASE.mkdir()
    with tempfile.TemporaryDirectory() as scratch:
        checkpoint, built = Path(scratch) / "checkpoint", Path(scratch) / "built"
        model = make_checkpoint(checkpoint)
        builder = [sys.executable, "-m", "onnxruntime_genai.models.builder", "-i", str(checkpoint), "-o", str(built)]
        options = ["-p", "fp32", "-e", "cpu", "--extra_options", "exclude_embeds=true"]
        subprocess.run([*builder, *options], check=True)
        shutil.copyfile(built / "model.onnx", CASE / "decoder_model_merged.onnx")
        shutil.copyfile(built / "model.onnx.data", CASE / "model.onnx.data")  # the name that the graph knows
    onnx.save(embeddings(model.get_input_embeddings().weight.detach().numpy()), CASE / "embed_tokens.onnx")
    answers = [golden(model, prompt) for prompt in PROMPTS]
    CASE.with_suffix(".json").write_text(json.dumps(answers) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
