"""Whether orders and plans may be laid as they are (PLN-1 to PLN-7)."""

from collections import Counter

from protocol.answers import PlaceOrders, Plan
from protocol.prompts import PlaceOrdersPrompt
from server.game.board import AREAS, ORDERS, SETUPS
from server.game.refused import Refused, illegal
from server.game.rules.names import known_area
from server.game.state import State


def star_limit(state: State, house: str) -> int:
    """How many starred orders a house may have, by its place on the King's Court track (PLN-5, DOM-5)."""
    return SETUPS[state.players].stars[state.tracks["kings_court"].index(house)]


def banned(state: State, order: str) -> bool:
    """Whether the Westeros phase forbids an order this round (PLN-6)."""
    return order in state.restrictions or ORDERS[order].kind in state.restrictions


def check(state: State, prompt: PlaceOrdersPrompt, answer: PlaceOrders) -> None:
    """All orders of a house are judged together, whatever their order in the map (PLN-1 to PLN-7)."""
    for area, order in answer.orders.items():
        check_order(state, prompt, area, order)
    used = Counter(answer.orders.values())
    for order, n in used.items():
        if n > ORDERS[order].count:
            raise illegal(
                f"there are {ORDERS[order].count} {order} tokens, not {n}",
                "PLN-3",
                path="answer.orders",
                hint="each token can be used once",
            )
    stars = sum(n for o, n in used.items() if ORDERS[o].starred)
    if stars > prompt.stars:
        raise illegal(
            f"{stars} starred orders, allowed are {prompt.stars}",
            "PLN-5",
            path="answer.orders",
            hint="the place on the King's Court track limits starred orders",
        )
    if len(answer.orders) < prompt.required:
        missing = [a for a in prompt.areas if a not in answer.orders]
        raise illegal(
            f"{prompt.required} areas need an order, {len(answer.orders)} have one",
            "PLN-1",
            "PLN-7",
            path="answer.orders",
            hint="still without an order: " + ", ".join(missing),
        )
    for area, plan in answer.plans.items():
        check_plan(answer.orders, area, plan)


def check_order(state: State, prompt: PlaceOrdersPrompt, area: str, order: str) -> None:
    """Raises `Refused` if this order may not lie in this area, whatever else is ordered."""
    if area in prompt.areas and order in prompt.tokens:
        return
    path = f"answer.orders.{area}"
    known_area(area, path)
    if order not in ORDERS:
        raise Refused("bad_message", "there is no such order", path=path, hint="orders: " + ", ".join(ORDERS))
    if area not in prompt.areas:
        raise illegal(
            f"{AREAS[area].name} takes no order of yours",
            "PLN-1",
            "PLN-2",
            "GAR-3",
            path=path,
            hint="only areas with at least one of your units get an order",
        )
    raise illegal(
        f"{order} is forbidden this round", "PLN-6", path=path, hint="forbidden: " + ", ".join(state.restrictions)
    )


PLANNED = {
    "march": {"moves", "leave_power"},
    "raid": {"target"},
    "consolidate_power": {"muster"},
    "support": {"help", "others"},
    "defense": set[str](),
}
"""What a plan may say, by the kind of its order."""


def check_plan(orders: dict[str, str], area: str, plan: Plan) -> None:
    """Raises `Refused` if a plan does not belong to an order, or says what its order cannot do."""
    path = f"answer.plans.{area}"
    known_area(area, path)
    if area not in orders:
        raise illegal("a plan for an area without an order", path=path, hint="plan only for areas in orders")
    order = ORDERS[orders[area]]
    may = PLANNED[order.kind] if order.kind != "consolidate_power" or order.starred else set()
    blank = Plan()
    for name in ("moves", "leave_power", "target", "muster", "help", "others"):
        if getattr(plan, name) != getattr(blank, name) and name not in may:
            raise illegal(
                f"a plan for {order.id} has no {name}",
                path=f"{path}.{name}",
                hint="it may say: " + ", ".join(sorted(may | {"rank"})),
            )
    if plan.moves:
        for n, move in enumerate(plan.moves):
            known_area(move.to, f"{path}.moves[{n}].to")
    if plan.target:
        known_area(plan.target, f"{path}.target")
