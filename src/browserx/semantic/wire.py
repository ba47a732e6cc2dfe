"""What every value of the contract has in common: camelCase on the wire, snake_case here."""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainSerializer
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """A value on the wire. Fields the contract does not know are ignored; those that are None are not sent.

    Numbers are finite: NaN and the infinities are refused, as JSON has none.
    """

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True, allow_inf_nan=False
    )

    def to_wire(self) -> dict[str, Any]:
        """As JSON values."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def now() -> datetime:
    """The present, in whole milliseconds: what the wire tells of a moment."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


#: ``2026-01-30T10:00:00.000Z``.
Moment = Annotated[datetime, PlainSerializer(_iso, return_type=str, when_used="json")]
