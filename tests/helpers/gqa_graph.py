"""A one-layer decoder with GroupQueryAttention and rotary embedding, and the same arithmetic in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

Floats = npt.NDArray[np.float32]

WIDTH, HEADS, KV_HEADS, SIZE, VOCABULARY, POSITIONS = 32, 2, 1, 16, 320, 256


class GqaDecoder:
    """Random weights; ``graph`` writes them as ONNX, ``logits`` computes with them."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        shapes = {
            "wq": (WIDTH, HEADS * SIZE),
            "wk": (WIDTH, KV_HEADS * SIZE),
            "wv": (WIDTH, KV_HEADS * SIZE),
            "wo": (HEADS * SIZE, WIDTH),
            "head": (WIDTH, VOCABULARY),
        }
        self.weights = {name: random.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
        angles = np.arange(POSITIONS)[:, None] / 10000 ** (np.arange(SIZE // 2) / (SIZE // 2))
        self.weights |= {"cos": np.cos(angles).astype(np.float32), "sin": np.sin(angles).astype(np.float32)}

    def graph(self) -> onnx.ModelProto:
        """The decoder as the model builder of onnxruntime-genai lays it out: no ``position_ids``."""
        node = helper.make_node
        attention = node(
            "GroupQueryAttention",
            ["q", "k", "v", "past_key_values.0.key", "past_key_values.0.value", "last", "total", "cos", "sin"],
            ["attended", "present.0.key", "present.0.value"],
            domain="com.microsoft",
            num_heads=HEADS,
            kv_num_heads=KV_HEADS,
            do_rotary=1,
        )
        nodes = [
            *(node("MatMul", ["inputs_embeds", f"w{part}"], [part]) for part in "qkv"),
            node("ReduceSum", ["attention_mask", "axis"], ["count"], keepdims=0),
            node("Sub", ["count", "one"], ["last_wide"]),
            node("Cast", ["last_wide"], ["last"], to=TensorProto.INT32),
            node("Shape", ["attention_mask"], ["mask_shape"]),
            node("Gather", ["mask_shape", "one"], ["total_wide"]),
            node("Cast", ["total_wide"], ["total"], to=TensorProto.INT32),
            attention,
            node("MatMul", ["attended", "wo"], ["mixed"]),
            node("Add", ["inputs_embeds", "mixed"], ["hidden"]),
            node("Squeeze", ["logits_indices", "zero"], ["wanted"]),
            node("Gather", ["hidden", "wanted"], ["kept"], axis=1),
            node("MatMul", ["kept", "head"], ["logits"]),
        ]
        past: list[Any] = [KV_HEADS, "past", SIZE]
        present: list[Any] = [KV_HEADS, "all", SIZE]
        info = helper.make_tensor_value_info
        inputs = [
            info("inputs_embeds", TensorProto.FLOAT, ["batch", "new", WIDTH]),
            info("attention_mask", TensorProto.INT64, ["batch", "all"]),
            info("logits_indices", TensorProto.INT64, ["batch", "kept"]),
            *(info(f"past_key_values.0.{part}", TensorProto.FLOAT, ["batch", *past]) for part in ("key", "value")),
        ]
        outputs = [
            *(info(f"present.0.{part}", TensorProto.FLOAT, ["batch", *present]) for part in ("key", "value")),
            info("logits", TensorProto.FLOAT, ["batch", "kept", VOCABULARY]),
        ]
        numbers = {"axis": np.array([1]), "one": np.array(1), "zero": np.array([0])}
        initializers = [numpy_helper.from_array(value, name) for name, value in (self.weights | numbers).items()]
        graph = helper.make_graph(nodes, "decoder", inputs, outputs, initializers)
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)

    def logits(self, embeds: Floats) -> Floats:
        """Logits of the last of all positions, [vocabulary], from embeddings [positions, width]."""
        w = self.weights
        count = len(embeds)
        query = self._rotated((embeds @ w["wq"]).reshape(count, HEADS, SIZE))
        key = self._rotated((embeds @ w["wk"]).reshape(count, KV_HEADS, SIZE))
        value = (embeds @ w["wv"]).reshape(count, KV_HEADS, SIZE)
        attended = []
        for head in range(HEADS):
            scores = key[:, 0] @ query[-1, head] / np.sqrt(SIZE)
            share = np.exp(scores - scores.max())
            attended.append(share / share.sum() @ value[:, 0])
        result: Floats = (embeds[-1] + np.concatenate(attended) @ w["wo"]) @ w["head"]
        return result

    def _rotated(self, vectors: Floats) -> Floats:
        cos, sin = (self.weights[name][: len(vectors), None] for name in ("cos", "sin"))
        first, second = vectors[..., : SIZE // 2], vectors[..., SIZE // 2 :]
        return np.concatenate([first * cos - second * sin, second * cos + first * sin], -1)
