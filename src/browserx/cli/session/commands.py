"""The table of all commands of a session."""

from browserx.cli.session.acting import ACTING
from browserx.cli.session.command import Command
from browserx.cli.session.seeing import GOING, INSIDE, LOOKING

#: In the order of the help.
COMMANDS: dict[str, Command] = {
    command.name: command for family in (GOING, LOOKING, ACTING, INSIDE) for command in family
}
