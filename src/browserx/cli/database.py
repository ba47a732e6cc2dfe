"""``browserx db``: look after what the backend has stored."""

import argparse
import json

from browserx.errors import InvalidArgumentError, MissingExtraError


async def run_database(arguments: argparse.Namespace) -> int:
    """Do one thing to the database. 0: done; 1: there is no such session."""
    try:
        from browserx.backend.store import Store, address, default_url, upgrade
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f'the storage of the backend needs more than is installed ({error.name}): pip install "browserx[server]"',
            extra="server",
        ) from error
    url = arguments.database or default_url()
    where = address.shown(address.parse(url))
    session_id: str | None = arguments.session
    if (arguments.action in ("export", "delete")) != (session_id is not None):
        needs = "needs the id of a session" if session_id is None else "takes no session"
        raise InvalidArgumentError(f"db {arguments.action} {needs}: see browserx db --help")
    if arguments.action == "where":
        print(where)
        return 0
    if arguments.action == "upgrade":
        await upgrade(url)
        print(f"{where} has the schema of this version")
        return 0
    async with Store.open(url, upgrade=False) as store:
        if arguments.action == "purge":
            purged = await store.purge(arguments.older_than_days)
            print(f"removed: {purged.sessions} sessions, {purged.answers} answers")
            return 0
        assert session_id is not None
        async with store.write() as unit:
            principal = await unit.sessions.principal_of(session_id)
            if principal is None:
                raise InvalidArgumentError(f"there is no session {session_id!r} in {where}: see its id in the panel")
            if arguments.action == "export":
                print(json.dumps(await unit.sessions.export(principal, session_id), indent=2))
            else:
                await unit.sessions.delete(principal, session_id)
                print(f"removed: {session_id}")
    return 0
