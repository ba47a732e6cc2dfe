"""Reading and changing what a page's site keeps in the browser."""

import json


def script(kind: str, key: str | None, value: str | None, *, clear: bool) -> str:
    """JavaScript that does it; its result is all there is then, or the one value of ``key``."""
    store = f"{kind}Storage"
    name = json.dumps(key)
    if clear:
        return f"{store}.{f'removeItem({name})' if key is not None else 'clear()'}, {{...{store}}}"
    if key is None:
        return f"({{...{store}}})"
    set_first = f"{store}.setItem({name}, {json.dumps(value)}), " if value is not None else ""
    return f"{set_first}{store}.getItem({name})"
