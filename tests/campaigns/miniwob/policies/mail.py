"""A mailbox and a wall of posts: many that are alike, and icons in each."""

from collections.abc import Callable

from tests.campaigns.miniwob.player import AmbiguousError, Player, Policy
from tests.campaigns.miniwob.view import NotSeenError, Seen, View

_ICONS = ("reply", "retweet", "like", "more")


def _mail(view: View, sender: str) -> Seen:
    mails = view.all(where=lambda seen: seen.label.split(" ")[0] == sender)
    if len(mails) > 1:
        raise AmbiguousError(f"{len(mails)} mails by {sender}")
    return mails[0]


async def _mailbox(player: Player) -> None:
    """Delete, star, answer or forward the mail of somebody."""
    sender = player.asked(r"email by (\w+)")[0]
    mail = _mail(await player.look(), sender)
    if "trash" in player.utterance or "star icon" in player.utterance:
        icon = "trash" if "trash" in player.utterance else "star"
        await player.click(next(seen for seen in mail.walk() if seen.name == icon))
        return
    await player.click(mail)
    if "reply" in player.utterance:
        await player.click("Reply")
        await player.type((await player.look()).one(tag="textarea"), player.quoted[0])
    else:
        await player.click("Forward")
        await player.type((await player.look()).one(tag="input"), player.asked(r"forward that email to (\w+)")[0])
    await player.click(_send(await player.look()))


def _send(view: View) -> Seen:
    """The icon at the top right of what is being written."""
    return max(view.all(where=lambda seen: not seen.role.startswith("text")), key=lambda seen: seen.x - seen.y)


def _posts(view: View, user: str) -> list[Seen]:
    """The posts of a user: the smallest part of the page around the name that has icons in it."""
    names = view.all(controls=False, where=lambda seen: user in seen.node.text.split())
    return [next(up for up in name.around() if len(_controls(up)) >= len(_ICONS)) for name in names]


def _controls(part: Seen) -> list[Seen]:
    return [seen for seen in part.walk() if seen.node.actionable]


def _icon(post: Seen, name: str) -> Seen:
    """An icon by its name, or, where it has none, by its place among the others."""
    controls = _controls(post)
    named = [seen for seen in controls if seen.label == name]
    if named:
        return named[0]
    icons = (*_ICONS[:3], "share") if any(seen.label == "share" for seen in controls) else _ICONS
    if name not in icons:
        raise NotSeenError(f"no icon {name} among {[seen.label for seen in controls]}")
    return controls[icons.index(name)]


async def _one_post(player: Player) -> None:
    user = player.asked(r"user (@\w+)")[0]
    action = player.quoted[0]
    if len(_posts(await player.look(), user)) > 1:
        raise AmbiguousError(f"several posts by {user}")
    if action.casefold() in _ICONS:
        await player.click(_icon(_posts(await player.look(), user)[0], action.casefold()))
        return
    await player.click(_icon(_posts(await player.look(), user)[0], "more"))
    post = _posts(await player.look(), user)[0]
    await player.click(next(seen for seen in _controls(post) if seen.label.startswith(action)))


def _many_posts(how_many: Callable[[Player], int | None]) -> Policy:
    async def play(player: Player) -> None:
        user = player.asked(r"by (@\w+)")[0]
        posts = _posts(await player.look(), user)
        for post in posts[: how_many(player)]:
            await player.click(_icon(post, player.quoted[0].casefold()))
        await player.click("Submit")

    return play


POLICIES: dict[str, Policy] = {
    "email-inbox": _mailbox,
    "email-inbox-delete": _mailbox,
    "email-inbox-forward": _mailbox,
    "email-inbox-important": _mailbox,
    "email-inbox-noscroll": _mailbox,
    "email-inbox-reply": _mailbox,
    "email-inbox-star-reply": _mailbox,
    "social-media": _one_post,
    "social-media-all": _many_posts(lambda player: None),
    "social-media-some": _many_posts(lambda player: int(player.asked(r"on (\d+) post")[0])),
}
