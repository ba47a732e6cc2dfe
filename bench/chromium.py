"""How every Chromium is started that is compared: Playwright's gets what BrowserX's has, and it does not give by itself."""

VIEWPORT = (1280, 800)
PLAYWRIGHT_ARGS = ["--no-sandbox", "--disable-gpu"]
