"""Errands on tasks of MiniWoB++: what to do is said with the values of the task's own words, and the task judges it."""

import re
from collections.abc import Callable

import msgspec

from browserx import Tab
from tests.campaigns.miniwob import episode
from tests.campaigns.tasks.errand import Begun, Errand, Open, Places

#: Makes instructions of what a task says.
Saying = Callable[[str], str | tuple[str, ...]]


def _task(name: str, say: Saying) -> Errand:
    async def begin(places: Places, open_: Open) -> Begun:
        tab = await open_(places.site.task(name))
        started = await episode.begin(tab, seed=1)
        said = say(started.utterance)
        return Begun(tab, (said,) if isinstance(said, str) else said)

    async def witness(places: Places, tab: Tab, answers: list[str]) -> str:
        reward = msgspec.convert(await tab.evaluate(episode.JUDGED), episode.Reward)
        return "" if reward.solved else f"raw reward {reward.raw}, done {reward.done} {reward.reason}"

    return Errand("miniwob", name, begin, witness)


def _from(pattern: str, template: str) -> Callable[[str], str]:
    """What the pattern finds in the task's words, put in its places ``{0}``, ``{1}`` into a sentence."""

    def say(utterance: str) -> str:
        match = re.search(pattern, utterance)
        assert match is not None, utterance
        return template.format(*match.groups())

    return say


def _as_it_is(utterance: str) -> str:
    return utterance


def _quoted(words: str) -> str:
    return ", ".join(f'"{word}"' for word in words.split(", "))


def _boxes(utterance: str) -> str:
    match = re.search(r"Select (.+) and click Submit", utterance)
    assert match is not None, utterance
    return "Click Submit" if match[1] == "nothing" else f"Check {_quoted(match[1])}. Click Submit"


def _date(utterance: str) -> str:
    match = re.search(r"(\d+)/(\d+)/(\d+)", utterance)
    assert match is not None, utterance
    month, day, year = match.groups()
    return f"Pick the date {year}-{month}-{day} and click Submit"


def _time(utterance: str) -> str:
    match = re.search(r"(\d+):(\d+) ([AP])M", utterance)
    assert match is not None, utterance
    hour = int(match[1]) % 12 + (12 if match[3] == "P" else 0)
    return f'Type "{hour:02}:{match[2]}" into the field and click Submit'


def _many(utterance: str) -> str:
    match = re.search(r"Select (.+) from the scroll list", utterance)
    assert match is not None, utterance
    return f"Select {' and '.join(_quoted(match[1]).split(', '))} from the list, then click Submit"


_LOGIN = r'username "(.+?)" and the password "(.+?)"'
_SAID_LOGIN = 'Type "{0}" into Username and "{1}" into Password, then click {2}.'
_MOVIES = r"for (.+?) movies directed by (.+?) from year (\d+)"

ERRANDS = (
    _task("click-test", _as_it_is),
    _task("click-test-2", _as_it_is),
    _task("click-button", _as_it_is),
    _task("click-button-sequence", _as_it_is),
    _task("click-link", _as_it_is),
    _task("click-tab", _as_it_is),
    _task("click-option", _from(r"Select (.+?) and click", 'Choose "{0}" and click Submit')),
    _task("click-checkboxes", _boxes),
    _task("click-checkboxes-large", _boxes),
    _task("click-collapsible-nodelay", lambda _: "Expand the tab, then click Submit"),
    _task("click-dialog", lambda _: "Close the dialog"),
    _task("click-menu", _from(r"Select (.+?)>(.+)", 'Hover over "{0}", then click "{1}"')),
    _task("choose-list", _from(r"Select (.+?) from the list", 'Choose "{0}" from the list and click Submit')),
    _task("click-scroll-list", _many),
    _task("enter-text", _as_it_is),
    _task("enter-text-dynamic", _as_it_is),
    _task("enter-date", _date),
    _task("enter-time", _time),
    _task(
        "enter-password",
        _from(r'"(.+?)"', 'Type "{0}" into Password and "{0}" into Verify password, then press the Submit button'),
    ),
    _task("focus-text-2", _from(r"the (\w+) input", "Click the {0} text box")),
    _task("form-sequence-2", lambda utterance: f"{utterance.rstrip('.')}, then click Submit"),
    _task("login-user", _as_it_is),
    _task("login-user-popup", lambda u: _from(_LOGIN, _SAID_LOGIN.replace("{2}", "OK"))(u)),
    _task(
        "multi-layouts",
        _from(_MOVIES, 'Type "{0}" into Genre, "{1}" into Director and "{2}" into Year. Click Search'),
    ),
    _task(
        "multi-orderings",
        _from(_MOVIES, 'Type "{0}" into Genre, "{1}" into Director and "{2}" into Year. Click Submit'),
    ),
    _task("navigate-tree", _from(r'named "(.+?)"', 'Click "{0}"')),
    _task(
        "read-table",
        lambda u: (
            _from(r"value of (.+?) into", "Read {0}")(u),
            'Type "{answer}" into the text field and click Submit',
        ),
    ),
    _task("unicode-test", _as_it_is),
    _task("use-spinner", _from(r"Select (\S+) with", 'Set the spinner to "{0}" and click Submit')),
    _task("email-inbox-delete", _from(r"email by (\w+)", "Click trash in the row of {0}")),
    _task("social-media", _from(r"user (@\w+), click on the \"(\w+)\"", "Click {1} in the row of {0}")),
    _task(
        "order-food",
        lambda u: (
            " ".join(f'Click "+" in the row of "{name}".' for name in u.partition("item: ")[2].split(", "))
            + " Click Order!"
        ),
    ),
)
