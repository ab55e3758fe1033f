"""Draws what a spectator is sent: events as sentences, orders at the reveal, the board after each round."""

from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from protocol.events import say
from server.game.board import AREAS, CARDS, DECK_CARD_NAMES, HOUSES, STRUCTURES

COLOURS = {
    "stark": "white",
    "greyjoy": "bright_black",
    "lannister": "red",
    "baratheon": "yellow",
    "tyrell": "green",
    "martell": "dark_orange3",
}
NAMES = {
    **{a.id: a.name for a in AREAS.values()},
    **{h.id: h.name for h in HOUSES.values()},
    **{c.id: c.name for c in CARDS.values()},
    **DECK_CARD_NAMES,
}
LOUD = {
    "wildling_battle",
    "neutral_destroyed",
    "neutral_held",
    "garrison_destroyed",
    "combat_decided",
    "conquered",
    "game_over",
}
"""Events that are worth a shout."""
QUIET = {"combat_ended", "raven_passed", "blade_kept", "planned", "round_began"}
ORDER_MARKS = {
    "march": "M",
    "defense": "D",
    "support": "S",
    "raid": "R",
    "consolidate": "C",
}
UNIT_MARKS = {"footman": "f", "knight": "k", "siege_engine": "e", "ship": "s"}


class Screen:
    """Shows a game on a console as its updates come in."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def opening(self, view: dict[str, Any]) -> None:
        """Who plays, and where the board stands."""
        options = view["options"]
        self._console.print(Rule(f"[bold]Marchwarden[/bold] room {view['room']}, {options['players']} players"))
        self.board(view)

    def show(self, events: list[dict[str, Any]], view: dict[str, Any]) -> None:
        """What an update tells."""
        for event in events:
            kind = event["type"]
            if kind == "orders_revealed":
                self._console.print(Rule(f"Round {view['round']}: the orders are revealed", style="cyan"))
                self._orders(event["orders"], view)
            elif kind not in QUIET:
                self._console.print(self._line(event))
            if kind in ("round_ended", "game_over"):
                self.board(view)

    def _line(self, event: dict[str, Any]) -> Text:
        loud = event["type"] in LOUD
        line = Text("  * " if loud else "    ") + Text(say(event, NAMES), style="bold" if loud else "")
        for house, colour in COLOURS.items():
            line.highlight_words([HOUSES[house].name], style=f"bold {colour}" if loud else colour)
        if rules := event.get("rules"):
            line.append("  " + " ".join(rules), style="dim")
        return line

    def _orders(self, orders: dict[str, str], view: dict[str, Any]) -> None:
        by_house: dict[str, list[str]] = {}
        for area, order in orders.items():
            owner = view["areas"].get(area, {}).get("owner", "")
            by_house.setdefault(owner, []).append(f"{NAMES[area]} {mark(order)}")
        for house in view["tracks"]["iron_throne"]:
            if house in by_house:
                line = Text("    ") + Text(f"{NAMES[house]:<10}", style=COLOURS[house])
                self._console.print(line + Text(", ".join(by_house[house])))

    def board(self, view: dict[str, Any]) -> None:
        """Every house with what it holds, and what still resists."""
        table = Table(title=f"Round {view.get('round', 0)}", title_justify="left", box=None, pad_edge=False)
        for heading in ("House", "Structures", "Power", "Supply", "Cards", "Holds"):
            table.add_column(heading, justify="left" if heading in ("House", "Holds") else "right")
        for house in view.get("tracks", {}).get("iron_throne", []):
            has = view["houses"][house]
            held = {a: part for a, part in view["areas"].items() if part.get("owner") == house}
            table.add_row(
                Text(NAMES[house], style=COLOURS[house]),
                str(sum(a in STRUCTURES for a in held)),
                str(has.get("power", 0)),
                str(has.get("supply", 0)),
                str(len(has.get("hand", []))),
                ", ".join(f"{NAMES[a]} {contents(part)}".strip() for a, part in held.items()),
            )
        self._console.print(table)
        neutral = [f"{NAMES[a]} {part['neutral']}" for a, part in view["areas"].items() if "neutral" in part]
        self._console.print(Text("Neutral forces: " + (", ".join(neutral) or "none left"), style="dim"))


def mark(order: str) -> str:
    """An order in short: its letter, its modifier, a star."""
    kind, _, rest = order.partition("-")
    modifier = {"plus-1": "+1", "minus-1": "-1", "plus-2": "+2", "0": ""}.get(rest, "")
    starred = order in ("march-plus-1", "defense-plus-2", "support-plus-1") or order.endswith("special")
    return f"[{ORDER_MARKS[kind]}{modifier}{'*' if starred else ''}]"


def contents(part: dict[str, Any]) -> str:
    """What lies in an area, in short: units by letter (routed in brackets), garrison, power token."""
    units = "".join(UNIT_MARKS[u] * n for u, n in part.get("units", {}).items())
    routed = "".join(UNIT_MARKS[u] * n for u, n in part.get("routed", {}).items())
    tokens = [f"garrison {part['garrison']}"] if "garrison" in part else []
    tokens += ["token"] if "power" in part else []
    return " ".join(filter(None, [units, f"({routed})" if routed else "", "+".join(tokens)]))
