"""The benchmark of push, in small."""

from bench.push import Measured, measure, table


async def test_everybody_hears_everything() -> None:
    found = await measure(listeners=5, messages=3, size=100)
    assert found.wrong == 0
    assert len(found.one_by_one_ms) == 5 * 3
    assert len(found.at_once_ms) == 5 * 3
    assert min(found.one_by_one_ms + found.at_once_ms) > 0


def test_what_is_printed() -> None:
    printed = table(Measured([float(n) for n in range(1, 101)], [5.0], 0.001, 40, 2))
    assert "one by one        51.0     100.0     100.0" in printed
    assert "1,000 messages a second" in printed
    assert "2 listeners missed or doubled" in printed
    assert "no listeners missed" in table(Measured([1.0], [1.0], 1, 40, 0))
