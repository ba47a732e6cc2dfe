"""Pages for the benchmarks: cards, tables and forms, about as many elements as asked for, the same on every run."""

import random

_WORDS = [
    "order",
    "invoice",
    "customer",
    "shipping",
    "report",
    "account",
    "product",
    "delivery",
    "payment",
    "status",
    "review",
    "summary",
    "region",
    "export",
    "filter",
    "update",
    "archive",
    "monthly",
    "quarterly",
    "priority",
    "balance",
    "ticket",
    "project",
    "team",
    "member",
    "release",
    "branch",
    "garden",
    "river",
    "market",
]
_STYLE = """body{font:14px/1.4 sans-serif;margin:0}nav a{margin:8px}.grid{display:grid;grid-template-columns:repeat(3,1fr);gap:12px}
.card{border:1px solid #ccc;padding:10px}.click{cursor:pointer}td,th{border:1px solid #ddd;padding:4px}"""


def page(elements: int) -> str:
    """HTML of a page with about ``elements`` elements."""
    choice = random.Random(elements)
    body, count, number = [], 0, 0

    def words(n: int) -> str:
        return " ".join(choice.choice(_WORDS) for _ in range(n))

    while count < elements:
        cards = []
        for _ in range(6):
            number += 1
            cards.append(
                f'<div class="card"><div><h3><a href="#/item/{number}">{words(3).title()}</a></h3><span>{number}.50 €</span></div>'
                f"<p>{words(14)}</p><div><span>{words(1)}</span><span>{words(1)}</span></div>"
                f'<button>Add to {words(1)}</button><div class="click js">More</div></div>'
            )
        rows = "".join(
            f'<tr><td><input type="checkbox" aria-label="Row {number}-{r}"></td><td><a href="#/r/{r}">{words(1)}</a></td>'
            f"<td>{words(2)}</td><td><button>Edit</button></td></tr>"
            for r in range(8)
        )
        fields = "".join(f'<label>{words(2)} <input name="f{number}-{f}"></label>' for f in range(4))
        body.append(
            f'<section><h2>{words(2)}</h2><div class="grid">{"".join(cards)}</div><table>{rows}</table><form>{fields}</form></section>'
        )
        count += 3 + 6 * 11 + 1 + 8 * 8 + 9
    nav = "".join(f'<a href="#{n}">{words(1)}</a>' for n in range(8))
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{elements} elements</title><style>{_STYLE}</style>
</head><body><nav>{nav}</nav><p id="tick">0</p><button id="count">0</button><main>{"".join(body)}</main><script>
for (const e of document.querySelectorAll(".js")) e.addEventListener("click", () => 1);
count.addEventListener("click", () => count.textContent = +count.textContent + 1);</script></body></html>"""
