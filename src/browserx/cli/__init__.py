"""The command line: composition, flags and exit codes.

Knows which parts to put together for a command, and how to tell people what came of it. Holds no business rules. Heavy
imports happen in the command that needs them, so that ``browserx --help`` is instant.
"""
