"""``browserx mcp``: the MCP server on standard input and output."""

import argparse
import sys
from typing import TYPE_CHECKING

from browserx.cli.opening import open_browser
from browserx.errors import MissingExtraError
from browserx.mcp.groups import SCRIPT
from browserx.mcp.session import BrowserSession
from browserx.mcp.tools import offered
from browserx.tool.dom_tool import ACTIONS

if TYPE_CHECKING:
    from browserx.browser import Browser

_HINT = """\
browserx mcp: waiting for an MCP client on standard input. Clients start this command themselves, as in
  claude mcp add browserx -- browserx mcp\
"""


async def run_mcp(arguments: argparse.Namespace) -> int:
    """Serve one client until it goes. 0: it went."""
    tools = offered(arguments.caps, ACTIONS)
    try:
        from browserx.mcp.server import serve_stdio
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f'the MCP server needs more than is installed ({error.name}): pip install "browserx[mcp]"', extra="mcp"
        ) from error

    async def start() -> "Browser":
        return await open_browser(arguments, downloads_dir=arguments.output_dir)

    if sys.stdin.isatty():
        print(_HINT, file=sys.stderr)
    session = BrowserSession(
        start,
        upload_dir=arguments.upload_dir,
        output_dir=arguments.output_dir,
        may_evaluate=SCRIPT in arguments.caps,
    )
    await serve_stdio(session, tools)
    return 0
