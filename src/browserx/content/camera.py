"""Pictures and prints by whatever driver can make them."""

from typing import NoReturn

from browserx.browser.printing import Margins, Paper, print_params
from browserx.browser.screenshot import Clip, PictureFormat, check_picture
from browserx.content.driver import Driver, Prints, Sheet, TakesPictures
from browserx.errors import NotSupportedError


class DriverCamera:
    """What takes pictures of a page: its driver, with what is asked of it checked first."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    async def screenshot(
        self,
        *,
        full_page: bool,
        clip: Clip | None,
        format: PictureFormat,  # noqa: A002 (the protocol's word)
        quality: int | None,
    ) -> bytes:
        """A picture of the viewport, of the whole page, or of ``clip``, a part of the viewport.

        Raises:
            InvalidArgumentError: an argument makes no sense.
            NotSupportedError: the driver cannot.
        """
        check_picture(clip, format, quality)
        if not isinstance(self._driver, TakesPictures):
            self._unable("takes no pictures", "screenshot")
        return await self._driver.screenshot(full_page=full_page, clip=clip, format=format, quality=quality)

    async def pdf(
        self,
        *,
        paper: Paper,
        landscape: bool,
        background: bool,
        margins: Margins,
        page_ranges: str | None,
        scale: float,
        prefer_css_page_size: bool,
    ) -> bytes:
        """The page as it would be printed.

        Raises:
            InvalidArgumentError: an argument makes no sense.
            NotSupportedError: the driver cannot.
        """
        params = print_params(
            paper=paper,
            landscape=landscape,
            background=background,
            margins=margins,
            page_ranges=page_ranges,
            scale=scale,
            prefer_css_page_size=prefer_css_page_size,
        )
        if not isinstance(self._driver, Prints):
            self._unable("does not print", "pdf")
        sheet = Sheet(
            width=params["paperWidth"],
            height=params["paperHeight"],
            landscape=landscape,
            background=background,
            margins=(params["marginTop"], params["marginRight"], params["marginBottom"], params["marginLeft"]),
            pages=params["pageRanges"],
            scale=scale,
            prefer_css_page_size=prefer_css_page_size,
        )
        return await self._driver.pdf(sheet)

    def _unable(self, what: str, method: str) -> NoReturn:
        raise unable(self._driver, what, method)


def unable(driver: Driver, what: str, method: str) -> NotSupportedError:
    """The driver has no such method, as none needs to have."""
    return NotSupportedError(
        f"{type(driver).__name__} {what}; give it the method {method}, take another driver, or use the CDP engine"
    )
