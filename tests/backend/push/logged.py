"""What push logs, to be waited for."""

import asyncio
import logging


class Logged(logging.Handler):
    """Keeps what is logged until it is asked for."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._records: asyncio.Queue[logging.LogRecord] = asyncio.Queue()

    def emit(self, record: logging.LogRecord) -> None:
        self._records.put_nowait(record)

    async def next(self) -> tuple[int, str]:
        async with asyncio.timeout(30):
            record = await self._records.get()
        return record.levelno, record.getMessage()

    def nothing_more(self) -> bool:
        return self._records.empty()
