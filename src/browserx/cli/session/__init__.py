"""The kept-alive session: a browser that stays open between commands.

``client`` runs for each command and imports next to nothing; ``daemon`` keeps the browser, one process for each session
name; between them goes one JSON line each way (``wire``) over a Unix socket that only the user can reach (``address``).
What a command is stands in the table of ``commands``; ``session`` carries it out, ``printing`` tells what came of it.
"""
