"""Keys: from what people write ("Enter", "Control+A", "ä") to what a keyboard sends.

Source: UI Events KeyboardEvent key and code values; the layout is the US one, as a test keyboard's is.
"""

from dataclasses import dataclass
from typing import Any

from browserx.errors import InvalidArgumentError

ALT, CTRL, META, SHIFT = 1, 2, 4, 8
_MODIFIERS = {
    "alt": ALT,
    "option": ALT,
    "ctrl": CTRL,
    "control": CTRL,
    "meta": META,
    "cmd": META,
    "command": META,
    "win": META,
    "shift": SHIFT,
}

#: Named keys: code, Windows virtual key code, and the character they type.
_NAMED: dict[str, tuple[str, int, str]] = {
    "Enter": ("Enter", 13, "\r"),
    "Tab": ("Tab", 9, ""),
    "Escape": ("Escape", 27, ""),
    "Backspace": ("Backspace", 8, ""),
    "Delete": ("Delete", 46, ""),
    "Insert": ("Insert", 45, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "PageUp": ("PageUp", 33, ""),
    "PageDown": ("PageDown", 34, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "ContextMenu": ("ContextMenu", 93, ""),
    "CapsLock": ("CapsLock", 20, ""),
    "NumLock": ("NumLock", 144, ""),
    "ScrollLock": ("ScrollLock", 145, ""),
    "Pause": ("Pause", 19, ""),
    "PrintScreen": ("PrintScreen", 44, ""),
    "Alt": ("AltLeft", 18, ""),
    "Control": ("ControlLeft", 17, ""),
    "Meta": ("MetaLeft", 91, ""),
    "Shift": ("ShiftLeft", 16, ""),
    **{f"F{n}": (f"F{n}", 111 + n, "") for n in range(1, 25)},
}
_ALIASES = {
    "esc": "Escape",
    "return": "Enter",
    "del": "Delete",
    "ins": "Insert",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "space": " ",
    "spacebar": " ",
    "plus": "+",
}
#: Printable keys that are neither letters nor digits: plain and shifted character, code, virtual key code.
_PRINTED = (
    (" ", " ", "Space", 32),
    ("`", "~", "Backquote", 192),
    ("-", "_", "Minus", 189),
    ("=", "+", "Equal", 187),
    ("[", "{", "BracketLeft", 219),
    ("]", "}", "BracketRight", 221),
    ("\\", "|", "Backslash", 220),
    (";", ":", "Semicolon", 186),
    ("'", '"', "Quote", 222),
    (",", "<", "Comma", 188),
    (".", ">", "Period", 190),
    ("/", "?", "Slash", 191),
)
_SHIFTED_DIGITS = ")!@#$%^&*("


@dataclass(frozen=True)
class Stroke:
    """One key with the modifiers held down with it."""

    key: str
    code: str
    key_code: int
    text: str
    modifiers: int

    def events(self) -> list[dict[str, Any]]:
        """Parameters of Input.dispatchKeyEvent: down, then up."""
        common: dict[str, Any] = {
            "key": self.key,
            "code": self.code,
            "windowsVirtualKeyCode": self.key_code,
            "nativeVirtualKeyCode": self.key_code,
            "modifiers": self.modifiers,
        }
        # With Ctrl, Alt or Meta a key is a command and types nothing.
        text = "" if self.modifiers & (CTRL | ALT | META) else self.text
        down = {**common, "type": "keyDown" if text else "rawKeyDown"}
        if text:
            down["text"] = down["unmodifiedText"] = text
        return [down, {**common, "type": "keyUp"}]


def modifier_bits(names: list[str] | tuple[str, ...]) -> int:
    """Bits of the named modifiers: Alt 1, Ctrl 2, Meta 4, Shift 8.

    Raises:
        InvalidArgumentError: a name is no modifier.
    """
    bits = 0
    for name in names:
        bit = _MODIFIERS.get(str(name).lower())
        if bit is None:
            raise InvalidArgumentError(f"{name!r} is no modifier; they are Alt, Ctrl, Meta and Shift")
        bits |= bit
    return bits


def stroke(key: str, modifiers: list[str] | tuple[str, ...] = ()) -> Stroke:
    """What to send for ``key``: a name ("Enter"), a character ("a", "ä"), or a chord ("Control+Shift+K").

    Raises:
        InvalidArgumentError: no such key.
    """
    if not isinstance(key, str) or not key:
        raise InvalidArgumentError('the key is empty; give one like "Enter", "a" or "Control+A"')
    bits = modifier_bits(modifiers)
    if len(key) > 1 and "+" in key[:-1]:
        *held, key = [*key[:-1].split("+"), key[-1]] if key.endswith("++") else key.split("+")
        if key == "" and held:
            key = "+"
        bits |= modifier_bits([name for name in held if name])
    key = _ALIASES.get(key.lower(), key)
    named = _NAMED.get(key) or _NAMED.get(key.capitalize())
    if named is not None:
        name = key if key in _NAMED else key.capitalize()
        return Stroke(name, named[0], named[1], named[2], bits)
    if len(key) != 1:
        raise InvalidArgumentError(
            f'{key!r} is no key; use a name such as "Enter", "Tab", "ArrowDown" or "F5", or a single character'
        )
    return _printed(key, bits)


def typed(character: str) -> Stroke:
    """What to send for a character of a text: a shifted one arrives as itself, as nobody pressed the Shift key."""
    pressed = stroke(character)
    return Stroke(pressed.key, pressed.code, pressed.key_code, pressed.text, 0)


def _printed(key: str, bits: int) -> Stroke:
    if "a" <= key.lower() <= "z":
        shown = key.upper() if bits & SHIFT else key.lower() if bits & (CTRL | ALT | META) else key
        return Stroke(shown, f"Key{key.upper()}", ord(key.upper()), shown, bits)
    if "0" <= key <= "9":
        shown = _SHIFTED_DIGITS[int(key)] if bits & SHIFT else key
        return Stroke(shown, f"Digit{key}", ord(key), shown, bits)
    if key in _SHIFTED_DIGITS:
        digit = _SHIFTED_DIGITS.index(key)
        return Stroke(key, f"Digit{digit}", ord(str(digit)), key, bits | SHIFT)
    for plain, shifted, code, key_code in _PRINTED:
        if key == plain:
            shown = shifted if bits & SHIFT else plain
            return Stroke(shown, code, key_code, shown, bits)
        if key == shifted:
            return Stroke(key, code, key_code, key, bits | SHIFT)
    return Stroke(key, "", 0, key, bits)
