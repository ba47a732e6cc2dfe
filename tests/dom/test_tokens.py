"""The token bound against the real tokenizer."""

import bpe_openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browserx.dom.tokens import count, share

OUTLINE = """\
<page 3dafef> Earl Grey Supreme · Leaf & Tin
http://localhost:41719/tea/earl-grey
22 link Leaf & Tin
@nav Shop
 23 link Black
 24 link Green
@search
 26 searchbox Search teas (Search…)
# Earl Grey Supreme
Ceylon leaves with oil of bergamot. Lightly oxidized, from high gardens; the classic of the afternoon.
30 radio [x] 100 g
31 radio [ ] 250 g (disabled)
32 combobox Country = Deutschland [Deutschland / Österreich / Schweiz / +12]
| Tea | Size | Tins | Price
| Earl Grey Supreme | 250 g | 2 | € 38.00
… below: 840 more elements (3909 px)
</page 3dafef>
"""
TEXTS = {
    "outline": OUTLINE,
    "english": "The quick brown fox jumps over the lazy dog, while international organizations deliberate. " * 8,
    "german": "Die Verbraucherzentrale warnt vor überhöhten Gebühren beim Kontowechsel, sagte ein Sprecher. " * 8,
    "french": "Le gouvernement a présenté mercredi son projet de réforme de l'assurance chômage. " * 8,
    "arabic": "أعلنت الحكومة عن خطة جديدة لدعم الاقتصاد الوطني وتحسين الخدمات العامة. " * 8,
    "russian": "Правительство представило новый план поддержки малого бизнеса в регионах страны. " * 8,
    "chinese": "政府今天公布了支持中小企业的新计划，并表示将改善公共服务。" * 8,
    "numbers": "12 345.67 € 2026-11-22 +49 30 1234567 99,9 % (3/4) " * 8,
    "code": "const keyOf = new WeakMap(); function lookUp(k) { return elementOf.get(k)?.deref(); }\n" * 8,
}


def real(text: str) -> int:
    return len(bpe_openai.get_encoding("o200k_base").encode_ordinary(text))


@pytest.mark.parametrize("name", ["outline", "english", "german", "french", "arabic", "russian", "chinese", "numbers"])
def test_it_is_a_bound_in_any_language(name: str) -> None:
    bound, true = count(TEXTS[name]), real(TEXTS[name])
    assert true <= bound <= 2.2 * true


def test_on_an_outline_it_is_close() -> None:
    text = OUTLINE * 5
    assert real(text) <= count(text) <= 1.15 * real(text)


def test_code_is_bounded_too() -> None:
    assert count(TEXTS["code"]) >= 0.85 * real(TEXTS["code"])


@given(st.text(max_size=200))
def test_any_text_has_a_count(text: str) -> None:
    assert count(text) >= 9


def test_lines_add_up_to_about_their_text() -> None:
    lines = OUTLINE.splitlines()
    assert abs(sum(map(share, lines)) - count(OUTLINE)) < 0.1 * count(OUTLINE)
