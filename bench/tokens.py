"""What a text costs a model."""

_LINES_AT_ONCE = 1000


def tokens(text: str) -> int:
    """The tokens of ``text`` in o200k.

    Raises:
        ImportError: the reference tokenizer (``bpe-openai``) is not installed.
    """
    import bpe_openai

    encoding = bpe_openai.get_encoding("o200k_base")
    # It refuses very long texts; a line end is a token's end, but for a few in a million.
    lines = text.splitlines(keepends=True)
    return sum(
        len(encoding.encode_ordinary("".join(lines[at : at + _LINES_AT_ONCE])))
        for at in range(0, len(lines), _LINES_AT_ONCE)
    )
