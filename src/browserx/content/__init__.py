"""The content engine: the same page and the same actions where a driver can do nothing but evaluate script.

The fallback without the debugging protocol: for a plain extension's content script, Selenium, WebDriver BiDi or
Playwright's ``page.evaluate``. What comes out has the same types as from ``DomService``, and is judged the same way.
What script cannot do it does not do: input is not trusted by the page, hover styles do not show, frames of other
origins and closed shadow roots are placeholders that say so, and listeners added by script are not seen.

Knows drivers and what the content script answers. Knows no schemas and no prompts.
"""

from browserx.content.bidi import BidiDriver
from browserx.content.driver import AnswersDialogs, Driver, OpenDialog, Prints, Sheet, TabDriver, TakesPictures
from browserx.content.playwright import PlaywrightDriver
from browserx.content.problems import Category, Problem, problem_of
from browserx.content.selenium import SeleniumDriver
from browserx.content.service import ContentService, service_for

__all__ = [
    "AnswersDialogs",
    "BidiDriver",
    "Category",
    "ContentService",
    "Driver",
    "OpenDialog",
    "PlaywrightDriver",
    "Prints",
    "Problem",
    "SeleniumDriver",
    "Sheet",
    "TabDriver",
    "TakesPictures",
    "problem_of",
    "service_for",
]
