"""The nine wildling cards (WIL-11 to WIL-19): what each does to the highest bidder, the lowest, and everyone else."""

from collections.abc import Callable

from msgspec import Struct

from server.game.board import CARDS as HOUSE_CARDS
from server.game.board import STRUCTURES, TRACKS
from server.game.pieces import army, gain_power, held, in_card_order, lose_power, occupied, pieces_left, size
from server.game.play import Play
from server.game.rules import supply, tracks
from server.game.rules.losses import GiveUp
from server.game.rules.muster import Mustering
from server.game.rules.wildling_choices import (
    BackFromDiscard,
    CardToDiscard,
    FootmanToKnight,
    RaidPenalty,
    TrackToFall,
    TrackToTop,
    discard,
)

RAID, SILENCE = "preemptive-raid", "silence-at-the-wall"


def no_reward(play: Play, house: str, bid: int) -> None:
    """Nothing."""


def no_penalty(play: Play, house: str) -> None:
    """Nothing."""


def nothing_more(play: Play) -> None:
    """Nothing."""


class WildlingCard(Struct, frozen=True):
    """A card: the reward of the highest bidder (the number is its bid) and the penalties of the lowest and of the others."""

    won: Callable[[Play, str, int], None] = no_reward
    lowest: Callable[[Play, str], None] = no_penalty
    others: Callable[[Play, str], None] = no_penalty
    afterwards: Callable[[Play], None] = nothing_more
    """Puts on the stack what is to be done when all have suffered; called before their penalties are put on top of it."""


# ---- Preemptive Raid (WIL-12); its second attack is in wildlings.py


def raid_lowest(play: Play, house: str) -> None:
    """Destroys two units or goes down two places where it stands highest."""
    play.push(RaidPenalty(house))


# ---- Crow Killers (WIL-13)


def crows_won(play: Play, house: str, bid: int) -> None:
    """Up to two footmen become knights."""
    play.push(FootmanToKnight(house))


def crows_lowest(play: Play, house: str) -> None:
    """All knights become footmen."""
    _knights_fall(play, house, size({a: army(play.state, a).get("knight", 0) for a in occupied(play.state, house)}))


def crows_others(play: Play, house: str) -> None:
    """Two knights become footmen."""
    _knights_fall(play, house, 2)


def _knights_fall(play: Play, house: str, most: int) -> None:
    """So many knights become footmen; those for which there are no pieces are destroyed, which the owner chooses."""
    state = play.state
    knights = min(most, size({a: army(state, a).get("knight", 0) for a in occupied(state, house)}))
    lost = max(0, knights - pieces_left(state, house, "footman"))
    play.push(
        GiveUp(house, lost, "crow-killers", "WIL-13", only="knight"),
        GiveUp(house, knights - lost, "crow-killers", "WIL-13", only="knight", becomes="footman"),
    )


# ---- Rattleshirt's Raiders (WIL-14); the armies are reconciled when all markers have moved


def _move_supply(play: Play, house: str, steps: int) -> None:
    supply.set_marker(play, house, play.state.houses[house].supply + steps, "WIL-14")


def rattleshirt_won(play: Play, house: str, bid: int) -> None:
    """Supply goes up by one."""
    _move_supply(play, house, 1)


def rattleshirt_lowest(play: Play, house: str) -> None:
    """Supply goes down by two."""
    _move_supply(play, house, -2)


def rattleshirt_others(play: Play, house: str) -> None:
    """Supply goes down by one."""
    _move_supply(play, house, -1)


# ---- Massing on the Milkwater (WIL-15)


def milkwater_won(play: Play, house: str, bid: int) -> None:
    """Takes the whole discard pile back."""
    has = play.state.houses[house]
    if has.discard:
        play.state.change_house(house, hand=in_card_order((*has.hand, *has.discard)), discard=())
        play.tell("hand_returned", "WIL-15", house=house, cards=has.discard)


def milkwater_lowest(play: Play, house: str) -> None:
    """Discards every card of the highest strength it holds, unless that is the whole hand."""
    hand = play.state.houses[house].hand
    best = max((HOUSE_CARDS[card].strength for card in hand), default=0)
    lost = tuple(card for card in hand if HOUSE_CARDS[card].strength == best)
    if lost != hand:
        discard(play, house, lost, "WIL-15")


def milkwater_others(play: Play, house: str) -> None:
    """Discards one of several cards."""
    if len(play.state.houses[house].hand) > 1:
        play.push(CardToDiscard(house))


# ---- A King Beyond the Wall (WIL-16)


def king_won(play: Play, house: str, bid: int) -> None:
    """Goes to the top of a track."""
    play.push(TrackToTop(house))


def king_lowest(play: Play, house: str) -> None:
    """Goes to the bottom of all tracks."""
    for track in TRACKS:
        tracks.to_bottom(play.state, track, house)
        play.tell("track_changed", "WIL-16", "TRK-2", house=house, track=track, order=play.state.tracks[track])


def king_others(play: Play, house: str) -> None:
    """Goes to the bottom of the Fiefdoms or the King's Court track."""
    play.push(TrackToFall(house))


# ---- Mammoth Riders (WIL-17)


def mammoths_won(play: Play, house: str, bid: int) -> None:
    """May take a card back."""
    play.push(BackFromDiscard(house))


def mammoths_lowest(play: Play, house: str) -> None:
    """Destroys three units."""
    play.push(GiveUp(house, 3, "mammoth-riders", "WIL-17"))


def mammoths_others(play: Play, house: str) -> None:
    """Destroys two units."""
    play.push(GiveUp(house, 2, "mammoth-riders", "WIL-17"))


# ---- The Horde Descends (WIL-18)


def horde_won(play: Play, house: str, bid: int) -> None:
    """May muster in one structure area."""
    play.push(Mustering(house, "WIL-18", one_site=True))


def horde_lowest(play: Play, house: str) -> None:
    """Destroys two units at one of its structure areas, or two anywhere if no area has so many."""
    areas = tuple(area for area in held(play.state, house, STRUCTURES) if size(army(play.state, area)) >= 2)
    play.push(GiveUp(house, 2, "the-horde-descends", "WIL-18", areas))


def horde_others(play: Play, house: str) -> None:
    """Destroys a unit."""
    play.push(GiveUp(house, 1, "the-horde-descends", "WIL-18"))


# ---- Skinchanger Scout (WIL-19)


def scout_won(play: Play, house: str, bid: int) -> None:
    """Gets its bid back."""
    gained = gain_power(play.state, house, bid)
    play.tell("bid_returned", "WIL-19", house=house, gained=gained, power=play.state.houses[house].power)


def scout_lowest(play: Play, house: str) -> None:
    """Loses all power."""
    _lose(play, house, play.state.houses[house].power)


def scout_others(play: Play, house: str) -> None:
    """Loses two power, or what it has (PWR-2)."""
    _lose(play, house, 2)


def _lose(play: Play, house: str, n: int) -> None:
    lost = lose_power(play.state, house, n)
    play.tell("power_lost", "WIL-19", "PWR-2", house=house, lost=lost, power=play.state.houses[house].power)


CARDS: dict[str, WildlingCard] = {
    SILENCE: WildlingCard(),
    RAID: WildlingCard(lowest=raid_lowest),
    "crow-killers": WildlingCard(crows_won, crows_lowest, crows_others),
    "rattleshirts-raiders": WildlingCard(rattleshirt_won, rattleshirt_lowest, rattleshirt_others, supply.reconcile),
    "massing-on-the-milkwater": WildlingCard(milkwater_won, milkwater_lowest, milkwater_others),
    "a-king-beyond-the-wall": WildlingCard(king_won, king_lowest, king_others),
    "mammoth-riders": WildlingCard(mammoths_won, mammoths_lowest, mammoths_others),
    "the-horde-descends": WildlingCard(horde_won, horde_lowest, horde_others),
    "skinchanger-scout": WildlingCard(scout_won, scout_lowest, scout_others),
}
