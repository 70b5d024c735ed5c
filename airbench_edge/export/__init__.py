"""PyTorch checkpoint to ONNX folder, and the proof that both say the same. The only room that imports torch."""
