"""A speech recogniser and an audio tagger write down what is heard; a language model answers from that."""
