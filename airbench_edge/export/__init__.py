"""PyTorch checkpoint to ONNX folder. The only room that imports torch."""
