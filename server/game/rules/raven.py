"""The Messenger Raven (RAV)."""

from collections import Counter
from typing import Any

from protocol.answers import Choose, Raven
from protocol.prompts import ChoosePrompt, RavenPrompt
from server.game.agenda import Step
from server.game.board import ORDERS
from server.game.pieces import ordered_areas, take_order
from server.game.play import Play
from server.game.refused import Refused, illegal
from server.game.rules import decks
from server.game.rules.names import known_area
from server.game.rules.order_check import banned, star_limit
from server.game.state import State


def exchanges(state: State, house: str) -> dict[str, list[str]]:
    """The house's orders that may be replaced, by area, with the tokens that may lie there instead (RAV-1, RAV-2)."""
    areas = ordered_areas(state, house)
    used = Counter(state.areas[a].order for a in areas)
    stars = sum(n for o, n in used.items() if ORDERS[o].starred)
    free = [o for o, f in ORDERS.items() if used[o] < f.count and not banned(state, o)]
    limit = star_limit(state, house)
    options: dict[str, list[str]] = {}
    for area in areas:
        here = ORDERS[state.areas[area].order]
        room = limit - stars + here.starred
        tokens = [o for o in free if o != here.id and (not ORDERS[o].starred or room > 0)]
        if tokens:
            options[area] = tokens
    return options


class MessengerRaven(Step, frozen=True):
    """The holder of the Raven may exchange an order or look at the wildling deck."""

    def run(self, play: Play) -> None:
        """Asks the holder if the Raven is ready (RAV-1, RAV-4, DOM-6)."""
        state = play.state
        if not state.raven_ready:
            play.done()
            return
        holder = state.tracks["kings_court"][0]
        play.ask(holder, RavenPrompt, kind="raven", exchanges=exchanges(state, holder))

    def take(self, play: Play, house: str, prompt: RavenPrompt | ChoosePrompt, answer: Any) -> None:
        """Replace, look or pass; after a look, top or bottom."""
        if isinstance(answer, Choose):
            self._put_back(play, house, answer.option)
        elif answer.use == "look":
            self._look(play, house, answer)
        else:
            if answer.use == "replace":
                self._replace(play, house, answer)
            else:
                _no_more(answer)
                play.tell("raven_passed", "RAV-1", house=house)
            play.done()

    def _replace(self, play: Play, house: str, answer: Raven) -> None:
        state = play.state
        area, order = answer.area or "", answer.order or ""
        if not area or not order:
            raise Refused("bad_message", "replace needs area and order", path="answer", hint="name both")
        known_area(area, "answer.area")
        if order not in ORDERS:
            raise Refused(
                "bad_message", "there is no such order", path="answer.order", hint="orders: " + ", ".join(ORDERS)
            )
        options = exchanges(state, house)
        if area not in options:
            raise illegal(
                "no order of yours there can be replaced",
                "RAV-1",
                path="answer.area",
                hint="possible: " + ", ".join(options),
            )
        if order not in options[area]:
            raise illegal(
                f"{order} may not be used: it is in use, forbidden, or one starred order too many",
                "RAV-2",
                path="answer.order",
                hint="possible: " + ", ".join(options[area]),
            )
        old = take_order(state, area)
        state.change(area, order=order)
        state.raven_ready = False
        play.tell("order_replaced", "RAV-1", "RAV-2", house=house, area=area, order=order, instead_of=old)

    def _look(self, play: Play, house: str, answer: Raven) -> None:
        _no_more(answer)
        state = play.state
        state.raven_ready = False
        play.tell("raven_looked", "RAV-1", "RAV-3", house=house)
        card = decks.top(play, "wildling")
        play.ask(house, ChoosePrompt, kind="wildling_card", options=["top", "bottom"], card=card)

    def _put_back(self, play: Play, house: str, where: str) -> None:
        if where == "bottom":
            decks.to_bottom(play, "wildling", decks.draw(play, "wildling"))
        play.tell("wildling_card_put", "RAV-3", house=house, where=where)
        play.done()


def _no_more(answer: Raven) -> None:
    for name in ("area", "order"):
        if getattr(answer, name):
            raise Refused("bad_message", f"{answer.use} takes no {name}", path=f"answer.{name}", hint="leave it out")
