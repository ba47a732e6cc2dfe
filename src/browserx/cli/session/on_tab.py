"""The commands that ask the present tab itself: what a person may do, and no tool offers to a model."""

import argparse
from collections.abc import Awaitable, Callable
from typing import Any

from browserx.browser import Tab
from browserx.browser.cookies import Cookie
from browserx.cli.session import files, page_storage
from browserx.cli.session.command import CalledWronglyError
from browserx.cli.session.printing import Told, quoted, told_answer

Present = Callable[[], Awaitable[Tab]]
#: Asks for the tab when the call makes sense.
OnTab = Callable[[Present, argparse.Namespace], Awaitable[Told]]


async def _evaluate(present: Present, given: argparse.Namespace) -> Told:
    script = given.script if given.script is not None else given.stdin
    if not script:
        raise CalledWronglyError("no script: browserx eval document.title, or browserx eval < script.js")
    return told_answer(await (await present()).evaluate(script), always_json=True)


async def _storage(present: Present, given: argparse.Namespace) -> Told:
    tab = await present()
    script = page_storage.script(given.kind, given.key, given.value, clear=given.clear)
    return told_answer(await tab.evaluate(script), always_json=True)


async def _pdf(present: Present, given: argparse.Namespace) -> Told:
    # Not by the tool, which writes into its own folder only: here a person says where.
    tab = await present()
    printed = await tab.pdf(landscape=given.landscape, background=given.background)
    return await files.save(printed, given.folder, given.file)


async def _cookies(present: Present, given: argparse.Namespace) -> Told:
    if given.what == "set" and (given.name is None or given.value is None):
        raise CalledWronglyError("a cookie has a name and a value: browserx cookies set theme dark")
    if given.what != "set" and given.value is not None:
        raise CalledWronglyError(f"{given.value!r} is too much: browserx cookies, browserx cookies clear NAME")
    tab = await present()
    if given.what == "set":
        await tab.context.add_cookies([_cookie(tab, given)])
    elif given.what == "clear":
        await tab.context.clear_cookies(name=given.name, domain=given.domain)
    everywhere = given.all or given.what == "clear"
    found = [
        cookie
        for cookie in await tab.context.cookies(None if everywhere else tab.url)
        if given.what != "list" or given.name in (None, cookie.name)
    ]
    told = [cookie.to_dict() for cookie in found]
    return Told(0, "\n".join(map(_line, found)) or "no cookies", {"cookies": told})


def _cookie(tab: Tab, given: argparse.Namespace) -> dict[str, Any]:
    where = {"domain": given.domain, "path": "/"} if given.domain else {"url": tab.url}
    return {"name": given.name, "value": given.value, **where, "httpOnly": given.http_only, "secure": given.secure}


def _line(cookie: Cookie) -> str:
    flags = [word for word, yes in (("httpOnly", cookie.http_only), ("secure", cookie.secure)) if yes]
    return " ".join([f"{quoted(cookie.name)}={quoted(cookie.value)}", f"{cookie.domain}{cookie.path}", *flags])


async def _state(present: Present, given: argparse.Namespace) -> Told:
    tab = await present()
    if given.what == "save":
        return await files.save_state(await tab.context.storage_state(), given.folder, given.file)
    path = files.absolute(given.file, given.folder)
    await tab.context.restore(path)
    return Told(0, f"restored from {path}; browserx reload has the page use it", {"path": path})


ON_TAB: dict[str, OnTab] = {
    "eval": _evaluate,
    "storage": _storage,
    "cookies": _cookies,
    "state": _state,
    "pdf": _pdf,
}
