"""Kinds of players as an option of several subcommands."""

import click

from server.bots.kinds import KINDS


def named_kinds(context: click.Context, option: click.Parameter, value: str | None) -> list[str] | None:
    """The kinds of a list with commas. Raises `BadParameter` for one that does not exist."""
    if value is None:
        return None
    kinds = [kind.strip() for kind in value.split(",")]
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise click.BadParameter(f"there is no kind {unknown[0]!r}; choose from {', '.join(KINDS)}")
    return kinds
