"""Draws the board anew, or tells what is wrong with the drawing that is there."""

import json
import sys
from pathlib import Path

import click

from server.web.drawing.check import faults

BOARD = Path(__file__).resolve().parent.parent / "board" / "board.json"


@click.command()
@click.option("--check", is_flag=True, help="Only test the drawing that is there.")
def main(*, check: bool) -> None:
    """Draw the board and test the drawing; the exit status is 1 if something is wrong with it."""
    if not check:
        from server.web.drawing.build import build, dump  # noqa: PLC0415 - needs the extra `board`, which a check does not

        BOARD.write_text(dump(build()), encoding="utf-8")
    wrong = faults(json.loads(BOARD.read_text(encoding="utf-8")))
    for fault in wrong:
        click.echo(fault)
    click.echo(f"{len(wrong)} faults" if wrong else "ok")
    sys.exit(bool(wrong))


main()
