"""`marchwarden scenario`."""

import sys
from pathlib import Path

import click

from server.scenario.case import play
from server.scenario.files import BadFile, read


@click.command("scenario")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--quiet", is_flag=True, help="Write only the cases that fail.")
def command(files: tuple[Path, ...], *, quiet: bool) -> None:
    """Play the rule cases in FILES (YAML) against the game.

    A line a case; for one that fails the path, what was expected and what was found. Exit status 1 if any failed.
    """
    passed = failed = 0
    for file in files:
        try:
            cases = read(file)
        except BadFile as error:
            raise click.ClickException(str(error)) from None
        for case in cases:
            try:
                wrong = play(case)
            except (KeyError, ValueError, TypeError, AttributeError) as error:
                wrong = [("setup", "a case that can be played", f"{type(error).__name__}: {error}")]
            if not wrong:
                passed += 1
                if not quiet:
                    click.echo(f"pass {case['case']}: {case.get('title', '')}")
                continue
            failed += 1
            click.echo(f"FAIL {case['case']}: {case.get('title', '')}  ({file.name})")
            for path, expected, found in wrong:
                click.echo(f"     {path}\n       expected {expected}\n       found    {found}")
    click.echo(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
