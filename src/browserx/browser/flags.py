"""The command line a browser is launched with."""

from collections.abc import Iterable

_ALWAYS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    # Nothing of the browser's own goes over the network: no updates, no lookups, no reports.
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-quic",
    "--disable-sync",
    "--metrics-recording-only",
    # A tab that is not in front works like one that is.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    # Nothing pops up between the page and us.
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-infobars",
    "--password-store=basic",
    "--use-mock-keychain",
    # Containers often have a tiny /dev/shm, which would crash renderers.
    "--disable-dev-shm-usage",
)
_HEADLESS = ("--headless=new", "--disable-gpu", "--hide-scrollbars", "--mute-audio")
_FEATURES_OFF = (
    "DestroyProfileOnBrowserClose",
    "DialMediaRouteProvider",
    "GlobalMediaControls",
    "MediaRouter",
    "OptimizationHints",
    "Translate",
)


def command_line(
    *,
    user_data_dir: str,
    headless: bool,
    window: tuple[int, int],
    no_sandbox: bool,
    proxy: str | None,
    user_agent: str | None,
    ignore_https_errors: bool,
    extra: Iterable[str],
) -> list[str]:
    """All arguments but the program's name and those of the debugging transport.

    ``extra`` comes last, so that it wins; lists that the browser would replace (``--disable-features``) are joined.
    """
    given = list(extra)
    off = [*_FEATURES_OFF]
    rest = []
    for argument in given:
        if argument.startswith("--disable-features="):
            off += argument.partition("=")[2].split(",")
        else:
            rest.append(argument)
    line = [*_ALWAYS, f"--user-data-dir={user_data_dir}", f"--window-size={window[0]},{window[1]}"]
    if headless:
        line += _HEADLESS
    if no_sandbox:
        line.append("--no-sandbox")
    if proxy:
        line.append(f"--proxy-server={proxy}")
    if user_agent:
        line.append(f"--user-agent={user_agent}")
    if ignore_https_errors:
        line.append("--ignore-certificate-errors")
    return [*line, f"--disable-features={','.join(dict.fromkeys(off))}", *rest, "about:blank"]
