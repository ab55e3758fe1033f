"""What the Westeros cards do (WES-8 to WES-37)."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from protocol.answers import Choose
from server.game.agenda import Step
from server.game.board import AREAS, PORTS
from server.game.pieces import gain_power, held
from server.game.play import Play
from server.game.rules import clash, consolidate, muster, supply, wildlings

Effect = Callable[[Play], None]


class WesterosCard(Step, frozen=True):
    """One of the three cards is resolved (WES-5)."""

    card: str

    def run(self, play: Play) -> None:
        """Carries the card out, after asking the house that may pick, if it is such a card."""
        choice = CHOICES.get(self.card)
        if choice is None:
            play.done()
            rule, effect = EFFECTS[self.card]
            play.tell("westeros_card", rule, card=self.card)
            effect(play)
            return
        holder = play.state.tracks[choice.track][0]
        play.choose(holder, "westeros", list(choice.options), card=self.card)

    def take(self, play: Play, house: str, prompt: object, answer: Choose) -> None:
        """What the house picked, for everybody."""
        choice = CHOICES[self.card]
        play.done()
        play.tell("westeros_card", choice.rule, card=self.card, house=house, option=answer.option)
        choice.options[answer.option](play)


def nothing(play: Play) -> None:
    """No effect."""


def collect(play: Play, *, ports: bool) -> None:
    """Power for crowns, and for own ports with ships and no enemy ship before them (WES-22, WES-23)."""
    state = play.state
    for house in state.turn_order:
        crowns = sum(AREAS[area].crowns for area in held(state, house))
        harbours = sum(consolidate.income(state, p) for p in PORTS if state.areas[p].house == house) if ports else 0
        gained = gain_power(state, house, crowns + harbours)
        play.tell(
            "power_collected",
            "WES-22" if ports else "WES-23",
            *(["PWR-1"] if gained < crowns + harbours else []),
            house=house,
            crowns=crowns,
            ports=harbours,
            gained=gained,
            power=state.houses[house].power,
        )


def game_of_thrones(play: Play) -> None:
    """Power for crowns and ports (WES-22)."""
    collect(play, ports=True)


def crowns_only(play: Play) -> None:
    """The power of Dark Wings, Dark Words (WES-23)."""
    collect(play, ports=False)


def wildlings_attack(play: Play) -> None:
    """An attack at the current threat (WES-31)."""
    wildlings.attack(play, play.state.threat, "WES-31")


def forbid(order: str) -> Effect:
    """The effect of a card that forbids a kind of order, or March +1, in this round (WES-32 to WES-37)."""

    def effect(play: Play) -> None:
        play.state.restrictions += (order,)
        play.tell("orders_forbidden", "PLN-6", order=order)

    return effect


class Choice(Struct, frozen=True):
    """A card whose effect is picked for everybody by the house that stands first on a track."""

    rule: str
    track: str
    options: Mapping[str, Effect]


EFFECTS: dict[str, tuple[str, Effect]] = {
    "last-days-of-summer-1": ("WES-8", nothing),
    "last-days-of-summer-2": ("WES-8", nothing),
    "supply": ("WES-11", supply.adjust),
    "mustering": ("WES-12", muster.everybody),
    "clash-of-kings": ("WES-21", clash.begin),
    "game-of-thrones": ("WES-22", game_of_thrones),
    "wildlings-attack": ("WES-31", wildlings_attack),
    "storm-of-swords": ("WES-33", forbid("defense")),
    "rains-of-autumn": ("WES-34", forbid("march-plus-1")),
    "web-of-lies": ("WES-35", forbid("support")),
    "sea-of-storms": ("WES-36", forbid("raid")),
    "feast-for-crows": ("WES-37", forbid("consolidate_power")),
}
"""The cards that simply happen, with their rule."""

CHOICES: dict[str, Choice] = {
    "a-throne-of-blades": Choice(
        "WES-13", "iron_throne", {"supply": supply.adjust, "mustering": muster.everybody, "none": nothing}
    ),
    "dark-wings-dark-words": Choice(
        "WES-23", "kings_court", {"clash-of-kings": clash.begin, "game-of-thrones": crowns_only, "none": nothing}
    ),
    "put-to-the-sword": Choice(
        "WES-32",
        "fiefdoms",
        {"storm-of-swords": forbid("defense"), "rains-of-autumn": forbid("march-plus-1"), "none": nothing},
    ),
}
"""The cards that let a house pick: A Throne of Blades, Dark Wings, Dark Words and Put to the Sword."""
