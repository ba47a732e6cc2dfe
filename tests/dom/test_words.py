"""Words that mean the same are the same."""

import pytest

from browserx.dom.words import alike, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Add to Basket!", ["add", "to", "basket"]),
        ("prices, boxes, parties, addresses", ["price", "box", "party", "address"]),
        ("class bus analysis gas", ["class", "bus", "analysis", "gas"]),
        ("Café CRÈME", ["cafe", "creme"]),
        ("Straße", ["strasse"]),
        ("Ёлка ещё", ["елка", "еще"]),
        ("€ 38.00", ["38", "00"]),
        ("iPhone 15", ["iphone", "15"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("שָׁלוֹם", ["שלום"]),
        ("الأخبار", ["اخبار"]),
        ("a_b", ["a", "b", "ab"]),
        ("", []),
        ("—…!", []),
    ],
)
def test_the_words_of_a_text(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("one", "other", "word"),
    [
        ("Log in", "login", "login"),
        ("Sign-up", "SIGNUP", "signup"),
        ("E-mail", "email", "email"),
        ("CHECK OUT", "checkout", "checkout"),
    ],
)
def test_what_may_be_written_together_meets(one: str, other: str, word: str) -> None:
    assert word in words(one)
    assert word in words(other)


def test_scripts_without_blanks_give_characters_and_pairs() -> None:
    assert words("購物車") == ["購", "物", "車", "購物", "物車"]
    assert words("購物車", asked=True) == ["購物", "物車"]
    assert words("車", asked=True) == ["車"]
    assert words("iPhoneケース") == ["iphone", "ケ", "ー", "ス", "ケー", "ース"]
    assert set(words("장바구니", asked=True)) <= set(words("장바구니에 담기"))
    assert set(words("ตะกร้า", asked=True)) <= set(words("ใส่ตะกร้าสินค้า"))


def test_full_and_half_width_are_the_same() -> None:
    assert words("ＡＢＣ１２") == words("abc12")
    assert words("ｶﾅ") == words("カナ")


@pytest.mark.parametrize(
    ("one", "other", "like"),
    [
        ("delivery", "deliver", True),
        ("searching", "search", True),
        ("bestellungen", "bestellung", True),
        ("contact", "contract", False),
        ("cat", "car", False),
        ("a", "apple", False),
    ],
)
def test_words_that_begin_alike(one: str, other: str, like: bool) -> None:
    assert alike(one, other) is like
    assert alike(other, one) is like
