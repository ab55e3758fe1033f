"""What the page works out by itself is what the server's own code works out; its facts are those of the game."""

from random import Random
from typing import Any

from protocol.events import EVENTS, say
from protocol.patch import apply, diff
from server.game.board import CARDS, DECK_CARD_NAMES
from server.web.facts import card_texts, facts, rules
from tests.game.games import new_game, play_on
from tests.sockets.house import serving
from tests.web.browser import needs_browser, window

NAMES: dict[str, str] = facts()["names"]
WITHOUT_TEXT = 18
"""House cards on which nothing is printed but numbers."""


def told() -> list[dict[str, Any]]:
    """The events of some games, and one of every type with its optional parts left out."""
    events: list[dict[str, Any]] = []
    for number in range(4):
        game = new_game(number, tides=bool(number % 2))
        for _, _, _, brought in play_on(game, Random(number)):
            events += brought
    events += [{"type": kind} for kind in EVENTS]
    events += [
        {"type": "of_a_later_version"},
        {"type": "voted", "house": "stark", "on": "undo", "yes": True},
        {"type": "clocks_extended", "minutes": 60},
        {"type": "seat_taken", "house": "stark", "name": "a-b_c <b>"},
    ]
    return events


@needs_browser
async def test_events_read_the_same_as_on_a_terminal() -> None:
    events = told()
    async with serving() as (url, _), window(url) as seen:
        page = await seen.open()
        shown = await page.evaluate(
            """async (events) => {
              const [{ load }, { say }] = await Promise.all([import("/web/facts.js"), import("/web/words.js")]);
              await load();
              return events.map(say);
            }""",
            events,
        )
    assert [(e["type"], text) for e, text in zip(events, shown, strict=True)] == [
        (e["type"], say(e, NAMES)) for e in events
    ]


def document(rng: Random, depth: int = 3) -> Any:
    """A document such as a merge patch may change."""
    if depth and rng.random() < 0.6:
        return {rng.choice("abcdef"): document(rng, depth - 1) for _ in range(rng.randrange(5))}
    return rng.choice([1, 0, "x", "", True, False, [1, 2], [], [{"a": 1}]])


@needs_browser
async def test_patches_are_applied_as_the_server_means_them() -> None:
    rng = Random(0)
    pairs = [({"z": document(rng)}, {"z": document(rng), "y": document(rng)}) for _ in range(400)]
    cases = [(old, diff(old, new), new) for old, new in pairs]
    assert all(apply(old, patch) == new for old, patch, new in cases)
    async with serving() as (url, _), window(url) as seen:
        page = await seen.open()
        results = await page.evaluate(
            """async (cases) => {
              const { apply } = await import("/web/replica.js");
              return cases.map(([old, patch]) => [apply(old, patch), old]);
            }""",
            [[old, patch] for old, patch, _ in cases],
        )
    for (old, _, new), (result, after) in zip(cases, results, strict=True):
        assert result == new
        assert after == old, "the old document must stay as it was"


@needs_browser
async def test_a_replica_knows_old_news_and_gaps() -> None:
    async with serving() as (url, _), window(url) as seen:
        page = await seen.open()
        said = await page.evaluate(
            """async () => {
              const { Replica } = await import("/web/replica.js");
              const one = new Replica();
              const feed = (type, seq, more) => one.feed({ type, seq, ...more });
              return [
                feed("update", 1, { patch: {} }), feed("private", 1, { you: {} }),
                feed("snapshot", 5, { view: { a: 1, you: { house: "stark", prompt: { id: 1 } } } }),
                feed("update", 5, { patch: { a: 9 } }), feed("update", 7, { patch: { a: 9 } }),
                feed("private", 4, { you: {} }), feed("private", 6, { you: {} }),
                feed("private", 5, { you: { house: "stark" } }), feed("update", 6, { patch: { a: null, b: { c: 2 } } }),
                JSON.stringify(one.view), one.seq,
              ];
            }"""
        )
    assert said == [
        "gap",
        "gap",
        "new",
        "old",
        "gap",
        "old",
        "gap",
        "new",
        "new",
        '{"you":{"house":"stark"},"b":{"c":2}}',
        6,
    ]


def test_every_card_that_says_something_has_its_text() -> None:
    texts = card_texts(rules())
    assert set(texts) >= set(DECK_CARD_NAMES)
    assert len(set(CARDS) - set(texts)) == WITHOUT_TEXT
    assert texts["balon-greyjoy"].startswith("The printed strength of the opponent's card becomes 0")
    assert texts["theon-greyjoy"].startswith("If defending an area with a structure")
    assert not [text for text in texts.values() if "[" in text or "  " in text or not text.endswith(".")]
