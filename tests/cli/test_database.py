"""``browserx db``: what has been stored, in the hands of who runs it."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from browserx.backend.store import NewMessage, Store
from browserx.cli.main import main


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    made = f"sqlite:///{tmp_path}/browserx.db"
    monkeypatch.setenv("BROWSERX_DATABASE", made)
    return made


@pytest.fixture
def session_id(url: str) -> str:
    async def fill() -> str:
        async with Store.open(url) as store, store.write() as unit:
            session = await unit.sessions.create("ann", "https://a.example/", "a.example", "a title")
            await unit.messages.append(session.session_id, [NewMessage(role="user", content="hello é")])
            await unit.tasks.create("ann", session.session_id, {"step": 1})
            return session.session_id

    return asyncio.run(fill())


def test_where(url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["db", "where"]) == 0
    assert capsys.readouterr().out.strip() == f"sqlite+aiosqlite:///{tmp_path}/browserx.db"
    assert main(["db", "where", "--database", "postgresql://me:hush@h/x"]) == 0
    assert capsys.readouterr().out.strip() == "postgresql+psycopg://me:***@h/x"
    assert list(tmp_path.iterdir()) == []


def test_before_an_upgrade_there_is_nothing(url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["db", "purge"]) == 1
    assert list(tmp_path.iterdir()) == []
    assert main(["db", "upgrade"]) == 0
    assert main(["db", "purge"]) == 0
    assert "removed: 0 sessions, 0 answers" in capsys.readouterr().out


def test_export_and_delete(session_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["db", "export", session_id]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["session"]["title"] == "a title"
    assert told["messages"][0]["content"] == "hello é"
    assert told["tasks"][0]["state"] == {"step": 1}
    assert main(["db", "delete", session_id]) == 0
    for action in ("export", "delete"):
        assert main(["db", action, session_id]) == 1
        assert "there is no session" in capsys.readouterr().err


def test_purge(session_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["db", "purge", "--older-than-days", "1"]) == 0
    assert "removed: 0 sessions" in capsys.readouterr().out
    assert main(["db", "purge", "--older-than-days", "0"]) == 0
    assert "removed: 1 sessions" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["export"], ["delete"], ["where", "x"], ["upgrade", "x"]])
def test_a_session_where_one_belongs(url: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["db", *words]) == 1
    assert "session" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["db"], ["db", "drop"], ["db", "purge", "--older-than-days", "-1"]])
def test_a_bad_call_is_two(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install() -> None:
    code = """
import sys
sys.modules["sqlalchemy"] = None
from browserx.cli.main import main
sys.exit(main(["db", "where"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert 'pip install "browserx[server]"' in done.stderr


def test_other_commands_do_not_load_it() -> None:
    code = """
import sys
from browserx.cli.main import main
main(["--version"])
print([name for name in ("sqlalchemy", "alembic", "tldextract", "pydantic") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
