"""What is done, in words for the person."""

import re

from browserx.agent.local.intents import Intent

_SECRET = re.compile(r"pass|pin\b|cvc|cvv|secret|one-time|otp", re.IGNORECASE)
_LONGEST = 80


def doing(intent: Intent) -> str:
    """One thing to do, in a few words."""
    on = intent.target.said or intent.target.name if intent.target is not None else ""
    text = _quoted((intent.text or "").replace("\n", ", "), secret=bool(_SECRET.search(on)))
    into = f" into {on}" if on else ""
    match intent.kind:
        case "go":
            return f"open {intent.text}"
        case "type":
            return f"type {text}{into}"
        case "select" | "pickDate":
            return f"choose {text}" + (f" in {on}" if on else "")
        case "upload":
            return f"upload {text}" + (f" to {on}" if on else "")
        case "drag":
            return f"drag {on} to {intent.onto.said if intent.onto is not None else ''}"
        case "press":
            return f"press {intent.text}"
        case "scroll":
            goal = f" until {intent.until!r}" if intent.until else " to the end" if intent.to_end else ""
            return f"scroll {intent.text}{goal}" + (f" in {on}" if on and not intent.until else "")
        case "wait":
            told = f"{intent.seconds:g} seconds" if intent.seconds is not None else f"for {text}"
            return f"wait {told}{' to be gone' if intent.gone else ''}"
        case "read":
            return f"read {intent.text}"
        case "see":
            return f"see that {text} is {'gone' if intent.gone else 'on the page'}"
        case "dialog":
            return f"{intent.text} the dialog"
        case "switchTab" | "newTab" | "closeTab":
            name = {"switchTab": "switch to tab", "newTab": "open a new tab", "closeTab": "close the tab"}[intent.kind]
            return f"{name} {intent.text or ''}".strip()
        case "back" | "forward":
            return f"go {intent.kind}"
        case "reload" | "submit":
            return {"reload": "reload the page", "submit": "submit the form"}[intent.kind]
        case "unknown":
            return intent.said
        case _:
            verb = {"doubleClick": "double-click", "rightClick": "right-click", "hover": "hover over"}
            return f"{verb.get(intent.kind, intent.kind)} {on}"


def _quoted(text: str, *, secret: bool) -> str:
    if secret:
        return "what was given"
    return f'"{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"}"'
