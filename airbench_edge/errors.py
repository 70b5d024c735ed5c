"""The one error that a user is meant to read."""


class InputError(Exception):
    """Something that the user gave cannot be used.

    The message is one sentence: what is wrong, where, and what to do. The command line prints it and exits with code 2.
    """
