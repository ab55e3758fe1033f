"""A whole game from the view of a seat: what is seen as it is seen, what is hidden at random."""

from collections.abc import Sequence
from random import Random
from typing import Any

from protocol.prompts import AnyPrompt, BidPrompt, ChoosePrompt, MarchPrompt, PlaceOrdersPrompt, RaidPrompt, RavenPrompt
from server.bots.player import View
from server.game.agenda import Step
from server.game.board import AREAS, DECKS, MAX_THREAT, ORDERS, TRACKS
from server.game.game import Game
from server.game.pieces import in_card_order
from server.game.play import Play
from server.game.rng import Chance
from server.game.rules.casualties import Casualties
from server.game.rules.clash import TrackBids
from server.game.rules.combat import Blade, CleanUp, Decision
from server.game.rules.house_cards import CardTexts, HouseCards
from server.game.rules.march import Marches
from server.game.rules.planning import Planning
from server.game.rules.raid import Raids
from server.game.rules.raven import MessengerRaven
from server.game.rules.retreat import Retreat, TurnBack
from server.game.rules.rounds import Round
from server.game.rules.support import CallForSupport
from server.game.rules.tides import DrawTides, ShuffleTides, Skulls
from server.game.rules.westeros_cards import WesterosCard
from server.game.rules.wildlings import WildlingBids
from server.game.state import EMPTY, Area, Combat, House, State


def rebuild(prompt: AnyPrompt, view: View, rng: Random) -> Game | None:
    """A game at this prompt; nothing if the view is at a place that cannot be rebuilt.

    The prompts of the game are its own: they have other ids. Nothing but the view is used.
    """
    steps = _steps(prompt, view)
    if not steps:
        return None
    state = _state(view, rng)
    state.agenda = steps
    play = Play(state)
    play.run()
    own = play.state.prompts.get(view["you"]["house"])
    return Game(play.state) if own and own.kind == prompt.kind else None


def _state(view: View, rng: Random) -> State:
    state = State(
        players=len(view["houses"]),
        tides=bool(view.get("options", {}).get("tides")),
        chance=Chance(rng.randbytes(16).hex()),
        areas={area: _area(view["areas"].get(area)) for area in AREAS},
        houses={house: _house(part) for house, part in view["houses"].items()},
        tracks={track: tuple(order) for track, order in view["tracks"].items()},
        decks={deck: _shuffled(cards, view.get("westeros", ()), rng) for deck, cards in DECKS.items()},
        round=view["round"],
        phase=view["phase"],
        step=view.get("step", ""),
        blade_ready=view["tokens"]["blade"] == "ready",
        raven_ready=view["tokens"]["raven"] == "ready",
        threat=view.get("threat", 0),
        westeros=tuple(view.get("westeros", ())),
        restrictions=tuple(view.get("restrictions", ())),
    )
    if "combat" in view:
        state.combat = _combat(view["combat"])
    return state


def _area(part: dict[str, Any] | None) -> Area:
    if not part:
        return EMPTY
    units, routed, order = part.get("units", {}), part.get("routed", {}), part.get("order", "")
    return Area(
        house=part["owner"] if units or routed else "",
        units=units,
        routed=routed,
        order="" if order == "hidden" else order,
        power=part.get("power", ""),
        garrison=part.get("garrison", 0),
        neutral=part.get("neutral", 0),
    )


def _house(part: dict[str, Any]) -> House:
    return House(
        power=part.get("power", 0),
        supply=part.get("supply", 0),
        hand=tuple(part.get("hand", ())),
        discard=tuple(part.get("discard", ())),
    )


def _shuffled(deck: Sequence[str], shown: Sequence[str], rng: Random) -> tuple[str, ...]:
    """A deck in any order, without the cards that lie open."""
    cards = list(deck)
    for card in shown:
        if card in cards:
            cards.remove(card)
    rng.shuffle(cards)
    return tuple(cards)


def _combat(part: dict[str, Any]) -> Combat:
    sides = dict(part.get("support", {}))
    for side in ("attacker", "defender"):
        parts = part.get("strength", {}).get(side, {}).get("parts", [])
        if any(str(source).startswith("support ") for source, _ in parts):
            sides[part[side]] = side
    return Combat(
        attacker=part["attacker"],
        defender=part["defender"],
        area=part["area"],
        origin=part["from"],
        order=part["order"],
        army=part.get("units", {}),
        stage=part["stage"],
        sides=sides,
        cards=dict(part.get("cards", {})),
    )


# ---- what is still to be done


def _steps(prompt: AnyPrompt, view: View) -> tuple[Step, ...]:
    """The agenda at a prompt, the next step last."""
    match prompt:
        case PlaceOrdersPrompt():
            return (Round(stage="raven"), Planning())
        case RavenPrompt():
            return (Round(stage="raid"), MessengerRaven())
        case RaidPrompt():
            return (Round(stage="march"), Raids(acted=_before(view, view["you"]["house"])))
        case MarchPrompt():
            return (Round(stage="consolidate"), Marches(acted=_before(view, view["you"]["house"])))
        case BidPrompt():
            return _bidding(prompt, view)
        case ChoosePrompt(kind="house_card") if "combat" in view:
            return (*_fighting(view), _choosing(prompt, view))
        case ChoosePrompt(kind="support") if "combat" in view:
            return (*_fighting(view), HouseCards(), ShuffleTides(), CallForSupport())
    return ()


def _bidding(prompt: BidPrompt, view: View) -> tuple[Step, ...]:
    """What is left of the Westeros phase: the tracks still to be bid for, and the cards that follow."""
    cards: list[str] = view.get("westeros", [])
    threat = view.get("threat", 0)
    if prompt.subject in TRACKS:
        tracks = TRACKS[TRACKS.index(prompt.subject) :]
        left: list[Step] = [*map(TrackBids, tracks), *map(WesterosCard, cards[2:])]
    elif prompt.strength == threat:
        # the threat is at 12 only before its attack is carried out, and that comes before all cards (WES-4)
        left = [WildlingBids("wildlings", threat), *map(WesterosCard, cards if threat == MAX_THREAT else ())]
    else:
        return ()
    return (Round(stage="planning"), *reversed(left))


def _before(view: View, house: str) -> tuple[str, ...]:
    """The houses that have had their turn in this lap when a house is about to act: all before it in turn order."""
    order: list[str] = view["tracks"]["iron_throne"]
    return tuple(order[: order.index(house)])


def _fighting(view: View) -> tuple[Step, ...]:
    """What remains of a combat after the choice of house cards, and of the round after it."""
    attacker = view["combat"]["attacker"]
    order = [h for h, part in _marching(view) if part]
    acted = (*_before(view, attacker), attacker)
    return (
        Round(stage="consolidate"),
        Marches(acted=acted if order else ()),
        CleanUp(),
        TurnBack(),
        Retreat(),
        Skulls(),
        Casualties(),
        CardTexts("outcome"),
        Decision(),
        Blade(),
        DrawTides(),
        CardTexts("immediately"),
        CardTexts("cancel"),
    )


def _marching(view: View) -> list[tuple[str, bool]]:
    return [
        (a, True) for a, p in view["areas"].items() if (o := p.get("order")) in ORDERS and ORDERS[o].kind == "march"
    ]


def _choosing(prompt: ChoosePrompt, view: View) -> HouseCards:
    """The choice of house cards; one that Tyrion sent back may not be played again."""
    me, combat = view["you"]["house"], view["combat"]
    if not combat.get("cards"):
        return HouseCards()
    barred = set(view["houses"][me].get("hand", ())) - set(prompt.options)
    return HouseCards(again=me, without=in_card_order(barred)[0] if barred else "")
