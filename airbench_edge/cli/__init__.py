"""The command line: read options, call, print."""
