"""Speech to text with Whisper on onnxruntime."""
