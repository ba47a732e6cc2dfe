"""The MCP server: the engine for any model client, over standard input and output.

``tools`` is the table of what is offered, ``arguments`` what each takes and which ``DOMTool`` call it is, ``session``
one client's browser, ``answer`` what the client reads, ``server`` the protocol. Needs the extra ``browserx[mcp]``;
nothing of it is imported here.
"""
