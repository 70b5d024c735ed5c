"""Audio-LMs on onnxruntime: a folder of graphs in, answers out. No torch, no transformers."""
