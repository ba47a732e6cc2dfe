"""How far a plan is, as it is kept with a task between two turns, and what the person's answers make of the plan."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from browserx.agent.local import phrases
from browserx.agent.local.grammar import understand
from browserx.agent.local.intents import Intent, Target
from browserx.agent.local.vocabulary import Vocabulary

Part = Literal["target", "onto"]


class Edit(msgspec.Struct, frozen=True):
    """An answer of the person to a question: on which step, by its place in ``task.said``, and what it chose."""

    at: int
    said: int
    part: Part = "target"
    node_id: str | None = None


class Progress(msgspec.Struct, kw_only=True, omit_defaults=True):
    """How far a plan is.

    Attributes:
        at: the step at work.
        sent: what was sent last: the action of the step, something aside to make way for it, or nothing.
        tries: how often the action of the step failed.
        asked: what was asked for of the page in this step.
        closed: what covered the page was closed in this step; opened: a list was opened.
        way, scrolls, start, position: of the looking for something by scrolling.
        boxes: how often each box was scrolled for it.
        guess: the element that fits best so far, though not well.
        field: the field that was filled last.
        answers: what was read; done, unsure: what was done, and of what nobody can tell whether it was.
        asking: the step the person was asked about; part, choices: what of it, and between which elements.
        edits: what the person answered; heard: how many of ``task.said`` are among them.
        told: the plan was told.
    """

    at: int = 0
    sent: Literal["", "action", "aside"] = ""
    tries: int = 0
    asked: list[str] = []
    closed: bool = False
    opened: bool = False
    way: str = ""
    scrolls: int = 0
    start: str = ""
    position: str = ""
    boxes: dict[str, int] = {}
    guess: str | None = None
    field: str | None = None
    answers: list[str] = []
    done: list[str] = []
    unsure: list[str] = []
    asking: int | None = None
    part: Part = "target"
    choices: list[str] = []
    edits: list[Edit] = []
    heard: int = 0
    told: bool = False

    def memory(self) -> dict[str, Any]:
        """As JSON values."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]

    def next_step(self) -> None:
        """Go on to the next step, with nothing tried of it."""
        fresh = Progress()
        self.at += 1
        for name in ("sent", "tries", "asked", "closed", "opened", "way", "scrolls", "start", "position", "boxes"):
            setattr(self, name, getattr(fresh, name))
        self.guess = None


def recalled(memory: Mapping[str, Any]) -> Progress:
    """What was kept; a new beginning where nothing was."""
    return msgspec.convert(dict(memory), Progress)


def heard(progress: Progress, said: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Take in what the person answered since; whether there was something."""
    fresh = progress.asking is not None and len(said) > progress.heard
    if fresh:
        assert progress.asking is not None
        place = len(said) - 1
        chosen = _chosen(said[place], progress.choices, vocabulary)
        progress.edits.append(Edit(progress.asking, place, progress.part, chosen))
        progress.asking, progress.choices, progress.part = None, [], "target"
        # Looked for under its old name: that is no reason not to look for it under the new one.
        at = progress.at
        progress.next_step()
        progress.at = at
    progress.heard = len(said)
    return fresh


def _chosen(answer: str, choices: Sequence[str], vocabulary: Vocabulary) -> str | None:
    """The element an answer picks of those that were named: by id, or by its place among them."""
    quotes = phrases.Quotes(answer)
    target = phrases.target(quotes.masked, quotes, vocabulary)
    if target.node_id is not None:
        return target.node_id if target.node_id in choices else None
    name = target.name.casefold()
    at = target.ordinal or vocabulary.ordinals.get(name, 0)
    if not at or name not in ("", "one", *vocabulary.ordinals):
        return None
    at = at - 1 if at > 0 else at
    return choices[at] if -len(choices) <= at < len(choices) else None


def plan_of(query: str, said: Sequence[str], edits: Sequence[Edit], vocabulary: Vocabulary) -> list[Intent]:
    """The steps: what was asked for at first, with what the person answered since put in its place."""
    steps = understand(query, vocabulary)
    for edit in edits:
        asked_about = steps[edit.at : edit.at + 1]
        new = (
            _amended(asked_about[0], said[edit.said], edit, vocabulary)
            if asked_about
            else (understand(said[edit.said], vocabulary))
        )
        steps[edit.at : edit.at + 1] = new
    return steps


def _amended(intent: Intent, answer: str, edit: Edit, vocabulary: Vocabulary) -> list[Intent]:
    """What becomes of a step by an answer: another step, the same on something else, or none."""
    if answer.strip(" .!").casefold() in vocabulary.skipping:
        return []
    if edit.node_id is not None:
        return [_on(intent, edit.part, Target(said=answer.strip(), name=answer.strip(), node_id=edit.node_id))]
    new = understand(answer, vocabulary)
    if intent.kind == "unknown" or (new and all(one.kind != "unknown" for one in new)):
        return new or [intent]
    quotes = phrases.Quotes(answer)
    if intent.kind in ("read", "see", "wait"):
        return [msgspec.structs.replace(intent, text=quotes.back(quotes.masked))]
    return [_on(intent, edit.part, phrases.target(quotes.masked, quotes, vocabulary))]


def _on(intent: Intent, part: Part, target: Target) -> Intent:
    if part == "onto":
        return msgspec.structs.replace(intent, onto=target)
    return msgspec.structs.replace(intent, target=target)
