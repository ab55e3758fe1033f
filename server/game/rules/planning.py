"""The Planning phase: secret, simultaneous orders (PLN)."""

from protocol.answers import PlaceOrders
from protocol.prompts import PlaceOrdersPrompt
from server.game.agenda import Step
from server.game.board import ORDERS
from server.game.pieces import occupied
from server.game.play import Play
from server.game.rules.order_check import banned, check, star_limit


class Planning(Step, frozen=True):
    """Every house with units gives each of its areas an order, face down."""

    sealed = True

    def run(self, play: Play) -> None:
        """Asks every house that has units (PLN-1, PLN-2)."""
        state = play.state
        tokens = {o: f.count for o, f in ORDERS.items() if not banned(state, o)}
        starred = [o for o in tokens if ORDERS[o].starred]
        for house in state.turn_order:
            areas = occupied(state, house)
            if not areas:
                continue
            stars = min(star_limit(state, house), len(starred))
            plain = sum(n for o, n in tokens.items() if not ORDERS[o].starred)
            play.ask(
                house,
                PlaceOrdersPrompt,
                kind="place_orders",
                areas=areas,
                tokens=tokens,
                starred=starred,
                stars=stars,
                required=min(len(areas), plain + stars),
            )
        if not state.prompts:
            play.done()

    def check(self, play: Play, house: str, prompt: PlaceOrdersPrompt, answer: PlaceOrders) -> None:
        """All orders of a house are judged together, whatever their order in the map (PLN-1 to PLN-7)."""
        check(play.state, prompt, answer)

    def reveal(self, play: Play, answers: dict[str, PlaceOrders]) -> None:
        """All orders are turned up together (PLN-8)."""
        state = play.state
        laid: dict[str, str] = {}
        for answer in answers.values():
            laid.update(answer.orders)
            state.plans.update(answer.plans)
        laid = {area: laid[area] for area in state.areas if area in laid}
        for area, order in laid.items():
            state.change(area, order=order)
        play.done()
        play.tell("orders_revealed", "PLN-8", orders=laid)
