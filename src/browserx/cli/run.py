"""``browserx run``: work a task on a page, by rules, or with a backend that thinks."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from browserx.cli.opening import full_address, open_browser
from browserx.errors import MissingExtraError

if TYPE_CHECKING:
    from browserx.agent.client import Outcome, TurnTaken

_EPILOG = """\
examples:
  browserx run 'type "Ann" into Name, press Send, read the message' --url https://example.com/form
  browserx run 'go to example.com and read the heading'
  browserx run 'click the second link' --url example.com --backend http://localhost:8787

Without a backend the task is followed word for word, by rules and without a model: go to, click, type … into …, choose
… in …, check, press, scroll, hover, drag … to …, wait for, read.
"""


def run_options(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], Coroutine[Any, Any, int]]:
    """Add the options of ``run``."""
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("task", metavar="TASK", help="what should happen, in words")
    parser.add_argument("--url", metavar="URL", help="the page to begin at; https:// may be left out")
    parser.add_argument(
        "--backend", metavar="URL", help="who thinks, like http://localhost:8787 (default: here, by rules)"
    )
    parser.add_argument("--token", metavar="TOKEN", help="for the backend (better: BROWSERX_TOKEN)")
    parser.add_argument("--session-id", metavar="ID", help="the conversation to go on with")
    parser.add_argument("--json", action="store_true", help="one JSON object at the end")
    parser.add_argument("--no-ask", action="store_true", help="do not ask back; a question ends the task")

    async def run(arguments: argparse.Namespace) -> int:
        try:
            return await _run(arguments)
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                f'working tasks needs more than is installed ({error.name}): pip install "browserx[agent]"',
                extra="agent",
            ) from error

    return run


async def _run(arguments: argparse.Namespace) -> int:
    from browserx.agent.backends import Backend, HttpBackend, InProcess
    from browserx.agent.client import Client
    from browserx.agent.local import LocalPlanner

    asks = sys.stdin.isatty() and not arguments.no_ask
    async with AsyncExitStack() as stack:
        backend: Backend = InProcess(LocalPlanner())
        if arguments.backend:
            token = arguments.token or os.environ.get("BROWSERX_TOKEN")
            backend = await stack.enter_async_context(HttpBackend(arguments.backend, token=token))
        browser = await stack.enter_async_context(open_browser(arguments))
        tab = await browser.new_tab(full_address(arguments.url) if arguments.url else None)
        client = Client(
            tab,
            backend,
            session_id=arguments.session_id,
            ask=_ask if asks else None,
            on_turn=None if arguments.json else _say,
        )
        outcome = await client.run(arguments.task)
    if arguments.json:
        print(json.dumps(_told(outcome), indent=2, ensure_ascii=False))
    else:
        _conclude(outcome)
    return 0 if outcome.success else 1


def _say(turn: "TurnTaken") -> None:
    """A line for each step, on standard error: what is printed is the answer."""
    if turn.action is None:
        return
    mark = "✅" if turn.success else "❌"
    print(f"{mark} {turn.data.thought or turn.action}  [{turn.action}] {turn.observation}".rstrip(), file=sys.stderr)


async def _ask(question: str) -> str | None:
    print(f"? {question}", file=sys.stderr)
    try:
        return (await asyncio.to_thread(input, "> ")).strip() or None
    except EOFError:
        return None


def _conclude(outcome: "Outcome") -> None:
    if outcome.success:
        print(outcome.answer or "done")
        return
    words = {"interrupted": "stopped", "error": "failed"}.get(outcome.state, outcome.state)
    print(f"{words}: {outcome.answer or 'it did not come to an end'}", file=sys.stderr)


def _told(outcome: "Outcome") -> dict[str, Any]:
    return {
        "state": outcome.state,
        "answer": outcome.answer,
        "taskId": outcome.task_id,
        "sessionId": outcome.session_id,
        "turns": [
            {
                "thought": turn.data.thought,
                "action": turn.data.action,
                "status": turn.data.status,
                "success": turn.success,
                "observation": turn.observation,
            }
            for turn in outcome.turns
        ],
    }
