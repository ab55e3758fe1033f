"""Nobody learns a secret before its time: games that differ only in it show everybody else the same (S20, S22, X12)."""

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.answers import PlaceOrders, Plan
from protocol.legal import draw
from server.game.game import Game
from tests.game.games import asked, at_table, new_game, play_on, twin

few = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


def others_see(game: Game, house: str) -> tuple[object, ...]:
    return game.public(), {h: game.you(h) for h in game.houses if h != house}


@few
@given(st.integers(0, 2**32), st.integers(3, 6), st.booleans())
def test_a_sealed_answer_shows_nobody_else_anything(number, players, tides):
    game = new_game(number, players, tides=tides)
    rng = Random(number)
    for _ in play_on(game, rng):
        step = game.state.agenda[-1] if game.state.agenda else None
        if not step or not step.sealed or len(game.waiting) < 2:
            continue
        house = rng.choice(game.waiting)
        prompt = game.state.prompts[house]
        one, other = twin(game), twin(game)
        first = one.submit(house, prompt.id, draw(prompt, rng))
        second = other.submit(house, prompt.id, draw(prompt, rng))
        assert first == second == []
        assert others_see(one, house) == others_see(other, house)
        before = others_see(one, house)
        assert one.submit(house, prompt.id, draw(prompt, rng)) == []
        assert others_see(one, house) == before
        one.retract(house, prompt.id)
        assert others_see(one, house) == others_see(game, house)


@few
@given(st.integers(0, 2**32), st.booleans())
def test_what_chance_will_bring_shows_nowhere(number, tides):
    """The order of the decks, the seed and the other side's Tides card are in no document."""
    game = new_game(number, 6, tides=tides)
    for _ in play_on(game, Random(number)):
        other = twin(game)
        other.state.decks = {deck: tuple(reversed(cards)) for deck, cards in other.state.decks.items()}
        other.state.chance = type(other.state.chance)("00" * 16, 5)
        assert other.public() == game.public()
        if game.state.combat and game.state.combat.drawn:
            for house, card in game.state.combat.drawn.items():
                assert game.you(house)["tide"] == card
                assert all("tide" not in game.you(h) for h in game.houses if h not in game.state.combat.drawn)


def test_which_area_is_left_without_an_order_is_secret():
    """With more areas than tokens (PLN-7) all areas show a hidden order, wherever the tokens lie."""
    land = "pyke riverrun seagard the-twins moat-cailin greywater-watch flints-finger harrenhal karhold castle-black the-fingers"
    areas = {area: {"units": {"greyjoy": {"footman": 1}}} for area in land.split()}
    setup = {"players": 4, "step": "planning", "areas": {**areas, "winterfell": {"units": {"stark": {"footman": 1}}}}}
    seen = []
    for skipped in ("karhold", "pyke"):
        game = at_table(**setup)
        prompt = game.state.prompts["greyjoy"]
        tokens = [o for o, n in prompt.tokens.items() if o not in prompt.starred for _ in range(n)]
        game.submit("greyjoy", prompt.id, PlaceOrders(dict(zip(sorted(areas.keys() - {skipped}), tokens, strict=True))))
        seen.append(others_see(game, "greyjoy"))
        assert all(game.public()["areas"][area]["order"] == "hidden" for area in areas)
    assert seen[0] == seen[1]


def test_plans_are_secret_too_and_go_with_their_order():
    setup = {
        "step": "planning",
        "areas": {
            "crackclaw-point": {"units": {"baratheon": {"footman": 1}}},
            "castle-black": {"units": {"stark": {"footman": 1}}},
        },
    }
    seen = []
    for target in ("harrenhal", "blackwater"):
        game = at_table(**setup)
        plan = Plan(target=target) if target == "harrenhal" else Plan()
        game.submit(
            "baratheon", asked(game, "baratheon"), PlaceOrders({"crackclaw-point": "raid"}, {"crackclaw-point": plan})
        )
        seen.append(others_see(game, "baratheon"))
        game.submit("stark", asked(game, "stark"), PlaceOrders({"castle-black": "support"}))
        assert "plans" not in game.you("stark")
    assert seen[0] == seen[1]
