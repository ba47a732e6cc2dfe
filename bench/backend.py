"""What the backend costs: how long an answer takes and what of that is its own share, what 1,000 listeners hear of the
conversations, and what it holds of memory while it works on."""

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.clients import Answer, Pages, Person
from bench.progress import progress
from bench.push import Listener, allow_files, joined
from bench.result import cores, cpu, today
from bench.serve import Backend, Memory, backend, memory

#: Half of all answers may take the server so long by itself, in ms.
BAR_MS = 15.0
_SPARE_FILES = 200
#: A level whose clients act takes about so long.
_ACTING_S = 20.0
_SESSIONS = 20
_TURNS_HEARD = 18
_HEARD_S = 120
#: Of the soak: clients at work, and how often its memory is read.
_STEADY, _SAMPLE_S = 20, 5.0
_WARM_SHARE = 0.1
_EXAMPLES = """examples:
  scripts/bench backend                                    answers and listeners, on SQLite
  scripts/bench backend --minutes 10 --json found.json     and memory under steady load
  scripts/bench backend --database postgresql://me@localhost/bench --redis redis://localhost --workers 2

what is what:
  whole    from sending a request to having its answer
  own      what of that the server calls its own (Server-Timing): without the brain, and without waiting to be read
  cpu      of all its processes, the brain's included, for one request; it hardly depends on how busy the machine is
  acting   each task's client acts for so long between two requests, as in a browser; 0: requests follow at once, so
           more than one wait for each other
  bar      for tasks whose clients act, half of the answers take at most 15 ms of the server's own
"""


class Level(msgspec.Struct):
    """Tasks worked at the same time, on trees of ``elements``. Times in ms, rates a second."""

    elements: int
    tasks: int
    acting_s: float
    requests: int
    whole_p50_ms: float
    whole_p99_ms: float
    own_p50_ms: float
    own_p99_ms: float
    requests_s: float
    cpu_ms: float
    request_bytes: float
    load: float


class Heard(msgspec.Struct):
    """What listeners heard of turns. ``wrong`` are those that missed an event, or had one twice or out of order."""

    listeners: int
    sessions: int
    turns: int
    events: int
    seconds: float
    wrong: int


class Soak(msgspec.Struct):
    """Memory while clients work: ``[minutes, rss_mb, uss_mb]``, and the growth of the latter after warming up."""

    minutes: float
    requests: int
    refused: int
    own_p50_ms: float
    samples: list[tuple[float, float, float]]
    slope_mb_per_minute: float


class Found(msgspec.Struct):
    """One run of all of it."""

    date: str
    cpu: str
    cores: int
    storage: str
    workers: int
    levels: list[Level]
    heard: Heard | None = None
    soak: Soak | None = None


async def measure_level(running: Backend, elements: int, tasks: int, acting_s: float, requests: int) -> Level:
    """So many tasks at the same time, until about so many requests were answered."""
    pages = Pages(elements)
    people = [Person(running, pages, number) for number in range(tasks)]
    turns = max(6, requests // tasks)
    if acting_s:
        turns = max(6, min(turns, round(_ACTING_S / acting_s)))
    found: list[Answer] = []
    try:
        # A task each, not counted: sessions are made, and all code has run.
        await asyncio.gather(*(_work(person, turns=6) for person in people))
        before_ms, started = _cpu_ms(running.pid), time.perf_counter()
        for worked in asyncio.as_completed(
            [
                _work(person, turns=turns, acting_s=acting_s, after_s=acting_s * number / tasks)
                for number, person in enumerate(people)
            ]
        ):
            found += await worked
        took_s, spent_ms = time.perf_counter() - started, _cpu_ms(running.pid) - before_ms
    finally:
        for person in people:
            person.connection.close()
    whole, own = sorted(one.whole_ms for one in found), sorted(one.own_ms for one in found)
    return Level(
        elements=elements,
        tasks=tasks,
        acting_s=acting_s,
        requests=len(found),
        whole_p50_ms=_at(whole, 0.5),
        whole_p99_ms=_at(whole, 0.99),
        own_p50_ms=_at(own, 0.5),
        own_p99_ms=_at(own, 0.99),
        requests_s=len(found) / took_s,
        cpu_ms=spent_ms / len(found),
        request_bytes=sum(one.sent_bytes for one in found) / len(found),
        load=os.getloadavg()[0],
    )


async def _work(person: Person, *, turns: int, acting_s: float = 0.0, after_s: float = 0.0) -> list[Answer]:
    await asyncio.sleep(after_s)
    found = []
    for _ in range(turns):
        found.append(await person.turn())
        # What a person's browser does meanwhile.
        await asyncio.sleep(acting_s)
    return found


async def measure_heard(running: Backend, listeners: int) -> Heard:
    """Let so many listen to some sessions, work in all of them, and compare what each heard with what was said."""
    people = [Person(running, Pages(30), 10_000 + number) for number in range(min(_SESSIONS, listeners))]
    try:
        for person in people:
            await person.turn()
        before = [await _statuses(person) for person in people]
        channels = [f"private-session-{people[number % len(people)].session_id}" for number in range(listeners)]
        async with joined(running.port, running.push, channels) as there:
            progress(f"backend: {listeners} listeners hear of {len(people)} sessions")
            started = time.perf_counter()
            await asyncio.gather(*(_work(person, turns=_TURNS_HEARD) for person in people))
            said = [_said(*both) for both in zip(before, [await _statuses(one) for one in people], strict=True)]
            wanted = dict(zip(channels[: len(people)], said, strict=True))
            for listener in there:
                # Those that are there already count too.
                listener.expect(wanted[listener.channel].total() + _TURNS_HEARD - len(listener.heard))
            await _all_heard(there)
            seconds = time.perf_counter() - started
            heads = {listener.channel: _events(listener) for listener in there}
            wrong = sum(
                _events(one) != heads[one.channel] or not _is_all(one, wanted[one.channel], _TURNS_HEARD)
                for one in there
            )
    finally:
        for person in people:
            person.connection.close()
    events = sum(len(listener.heard) for listener in there)
    return Heard(listeners, len(people), len(people) * _TURNS_HEARD, events, seconds, wrong)


async def _statuses(person: Person) -> dict[str, tuple[str, str]]:
    """The messages of a session: id, status, and the action that was asked for."""
    told = await person.connection.get(f"/api/session/{person.session_id}/messages")
    return {one["messageId"]: (one.get("status", ""), one.get("actionString", "")) for one in told["messages"]}


def _said(before: dict[str, tuple[str, str]], after: dict[str, tuple[str, str]]) -> "Counter[str]":
    """How often each message has to be told: when it is new, and when its action has gone well or not."""
    count: Counter[str] = Counter()
    for message_id, (status, action) in after.items():
        was_settled = before.get(message_id, ("", ""))[0] in ("success", "failure")
        is_settled = status in ("success", "failure") and not action.startswith(("finish", "fail", "askUser"))
        count[message_id] = (message_id not in before) + (is_settled and not was_settled)
    return +count


def _events(listener: Listener) -> list[tuple[str, str]]:
    return [(heard.event, heard.data) for heard in listener.heard]


def _is_all(listener: Listener, wanted: "Counter[str]", turns: int) -> bool:
    told = [json.loads(heard.data) for heard in listener.heard]
    messages = Counter(one["message"]["messageId"] for one in told if one["type"] == "new_message")
    return messages == wanted and len(told) - messages.total() == turns


async def _all_heard(there: list[Listener]) -> None:
    # Who misses something is counted later.
    try:
        async with asyncio.timeout(_HEARD_S):
            for listener in there:
                await listener.complete.wait()
    except TimeoutError:
        pass


async def soak(running: Backend, minutes: float) -> Soak:
    """Let some clients work on, each with a second of acting between two requests, and read the memory meanwhile."""
    people = [Person(running, Pages(100), 20_000 + number) for number in range(_STEADY)]
    own: list[float] = []
    refused = 0
    started = time.monotonic()
    end = started + minutes * 60

    async def work(person: Person, after_s: float) -> None:
        nonlocal refused
        await asyncio.sleep(after_s)
        while time.monotonic() < end:
            try:
                own.append((await person.turn()).own_ms)
            except RuntimeError as error:
                refused += 1
                print(error, file=sys.stderr)
            await asyncio.sleep(1.0)

    samples: list[tuple[float, float, float]] = []

    async def read() -> None:
        while time.monotonic() < end:
            if (now := memory(running.pid)) is not None:
                samples.append(((time.monotonic() - started) / 60, now.rss_mb, now.uss_mb))
                progress(f"backend: {samples[-1][0]:.1f} of {minutes:g} minutes, {now.uss_mb:.1f} MB")
            await asyncio.sleep(_SAMPLE_S)

    try:
        await asyncio.gather(read(), *(work(person, number / _STEADY) for number, person in enumerate(people)))
    finally:
        for person in people:
            person.connection.close()
    warm = [sample for sample in samples if sample[0] >= minutes * _WARM_SHARE]
    own.sort()
    return Soak(minutes, len(own), refused, _at(own, 0.5), samples, _slope([(at, uss) for at, _, uss in warm]))


def _slope(points: Sequence[tuple[float, float]]) -> float:
    """Of the line that fits best."""
    if len(points) < 2:
        return 0.0
    middle_x, middle_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread: float = sum((x - middle_x) ** 2 for x, _ in points)
    together: float = sum((x - middle_x) * (y - middle_y) for x, y in points)
    return together / spread


def _at(values: list[float], share: float) -> float:
    """Of sorted values; 0 of none."""
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def _cpu_ms(pid: int) -> float:
    """What a process and its workers have computed so far; 0 where the system does not tell."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        fields = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in (pid, *children)]
    except OSError:
        return 0.0
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK") * 1000


def table(found: Found) -> str:
    """All that was found, for people."""
    lines = [
        f"{found.date}, {found.cpu}, {found.cores} cores; {found.storage}, {found.workers} worker(s)",
        f"{'elements':>8}{'tasks':>7}{'acting':>8}{'requests':>10}{'whole p50':>11}{'p99':>9}{'own p50':>9}{'p99':>9}"
        f"{'req/s':>8}{'cpu ms':>8}{'KB':>7}{'load':>7}",
    ]
    lines += [
        f"{one.elements:8}{one.tasks:7}{one.acting_s:7g}s{one.requests:10}{one.whole_p50_ms:11.1f}{one.whole_p99_ms:9.1f}"
        f"{one.own_p50_ms:9.1f}{one.own_p99_ms:9.1f}{one.requests_s:8.1f}{one.cpu_ms:8.2f}"
        f"{one.request_bytes / 1000:7.1f}{one.load:7.1f}"
        for one in found.levels
    ]
    bound = [one for one in found.levels if one.acting_s]
    if bound:
        worst = max(one.own_p50_ms for one in bound)
        said = "held" if worst <= BAR_MS else "MISSED"
        lines.append(
            f"the bar: an own p50 of at most {BAR_MS:g} ms where clients act; the worst is {worst:.1f}: {said}"
        )
    if found.heard is not None:
        heard = found.heard
        lines.append(
            f"{heard.listeners} listeners of {heard.sessions} sessions heard {heard.events:,} events of {heard.turns} turns"
            f" in {heard.seconds:.1f} s; {heard.wrong or 'none'} missed, doubled or mixed up one"
        )
    if found.soak is not None and found.soak.samples:
        lines.append(_soaked(found.soak))
    return "\n".join(lines)


def _soaked(found: Soak) -> str:
    warm = next(sample for sample in found.samples if sample[0] >= found.minutes * _WARM_SHARE)
    first, last = Memory(*found.samples[0][1:]), Memory(*found.samples[-1][1:])
    return (
        f"{found.minutes:g} minutes, {found.requests} requests, {found.refused or 'none'} refused, own p50"
        f" {found.own_p50_ms:.1f} ms; RSS {first.rss_mb:.1f} MB at first, {warm[1]:.1f} warmed up, {last.rss_mb:.1f} at the"
        f" end; USS {first.uss_mb:.1f}, {warm[2]:.1f}, {last.uss_mb:.1f}; growth {found.slope_mb_per_minute:+.3f} MB a minute"
    )


async def measure(given: argparse.Namespace) -> Found:
    """All that was asked for: levels on one server, listeners on one, memory on one that has done nothing else."""
    options = [
        text for name in ("database", "redis") if (value := getattr(given, name)) for text in (f"--{name}", value)
    ]
    storage = "PostgreSQL" if given.database and not given.database.startswith("sqlite") else "SQLite"
    found = Found(today(), cpu(), cores(), storage, given.workers, [])
    plan = [
        (elements, tasks, acting_s)
        for elements in given.elements
        for tasks in given.tasks
        for acting_s in (0.0, given.acting)
        for _ in range(given.runs)
    ]
    if given.requests:
        with backend(*options, workers=given.workers) as running:
            for number, (elements, tasks, acting_s) in enumerate(plan):
                progress(
                    f"backend: {number + 1} of {len(plan)}: {elements} elements, {tasks} tasks, acting {acting_s:g} s"
                )
                found.levels.append(await measure_level(running, elements, tasks, acting_s, given.requests))
    if given.listeners:
        with backend(*options, workers=given.workers) as running:
            found.heard = await measure_heard(running, given.listeners)
    if given.minutes:
        with backend(*options, workers=given.workers) as running:
            found.soak = await soak(running, given.minutes)
    progress("")
    return found


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "scripts/bench backend", description=__doc__, epilog=_EXAMPLES, formatter_class=raw
    )
    add = parser.add_argument
    add("--tasks", type=int, nargs="+", default=[1, 10, 100], help="at the same time (default: 1 10 100)")
    add("--elements", type=int, nargs="+", default=[30, 100], help="of the trees sent (default: 30 100)")
    add("--requests", type=int, default=300, help="about so many for each level; 0 for none (default: %(default)s)")
    add("--runs", type=int, default=3, help="of each level (default: %(default)s)")
    add("--acting", type=float, default=1.0, help="seconds between two requests of a task (default: %(default)s)")
    add("--listeners", type=int, default=1000, help="of push; 0 for none (default: %(default)s)")
    add("--minutes", type=float, default=0, help="of steady load, for its memory (default: none)")
    add(
        "--database", help="a url, like postgresql://me@localhost/bench; it should have nothing in it (default: SQLite)"
    )
    add("--redis", help="a url, for push between several workers")
    add("--workers", type=int, default=1, help="processes; more than one need PostgreSQL (default: %(default)s)")
    add("--json", type=Path, metavar="FILE", help="write all that was found into FILE")
    given = parser.parse_args()
    allow_files(given.listeners + _SPARE_FILES)
    # Told to end it ends its server too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    found = asyncio.run(measure(given))
    print(table(found))
    if given.json is not None:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    return (
        1 if (found.heard is not None and found.heard.wrong) or (found.soak is not None and found.soak.refused) else 0
    )


if __name__ == "__main__":
    sys.exit(main())
