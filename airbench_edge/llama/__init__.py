"""The llama.cpp engine that the judge, the aligner and the cascade share."""
