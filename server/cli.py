"""The `marchwarden` command. Each subcommand is a module of its own that is imported only when it is asked for."""

from importlib import import_module
from typing import Final

import click

COMMANDS: Final = {
    "serve": "Run a server: one node, nothing else needed.",
    "demo": "Play a whole game of bots on the terminal.",
    "watch": "Watch a table on the terminal.",
    "bot": "Seat bots in a room over sockets.",
    "replay": "Verify a recorded game and print it.",
    "rooms": "List, export, close and move the rooms of a server's store.",
    "league": "Play many games between kinds of bots and say who wins how often.",
    "scenario": "Play rule cases in YAML against the game.",
}
"""What each subcommand does; its module in server/commands calls it `command`."""


class Commands(click.Group):
    """A group that knows what its commands do without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"server.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands on the help page."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="marchwarden", prog_name="marchwarden")
def main() -> None:
    """A turn server for A Game of Thrones: The Board Game, Second Edition."""
