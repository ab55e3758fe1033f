"""Every event that a game tells is declared, with its fields, and reads as a sentence."""

import re
from random import Random

from protocol.events import EVENTS, say
from server.demo.screen import NAMES
from tests.game.games import new_game, play_on


def test_events_of_whole_games_are_declared():
    seen = set()
    for number in range(12):
        game = new_game(number, 3 + number % 4, tides=number % 2 == 0)
        for _, _, _, events in play_on(game, Random(number)):
            for event in events:
                kind = event["type"]
                assert kind in EVENTS, kind
                for name in event.keys() - {"type", "rules"}:
                    assert re.search(rf"\b{name}\b", EVENTS[kind].fields), (kind, name)
                sentence = say(event, NAMES)
                assert "{" not in sentence, sentence
                assert "[" not in sentence, sentence
                seen.add(kind)
    assert len(seen) > 40


def test_sentences_use_only_declared_fields():
    for kind, event in EVENTS.items():
        for name in re.findall(r"\{(\w+)\}", event.text):
            assert re.search(rf"\b{name}\b", event.fields), (kind, name)


def test_a_combat_reads_part_by_part():
    side = {"house": "stark", "total": 4, "parts": [["knight", 2], ["march-minus-1", -1], ["support riverrun", 3]]}
    event = {"type": "combat_decided", "attacker": side, "defender": {**side, "house": "tyrell"}, "winner": "stark"}
    sentence = say({**event, "loser": "tyrell", "area": "the-reach", "tie": True}, NAMES)
    assert sentence == (
        "Stark 4 (Knight +2, March \N{MINUS SIGN}1 -1, support Riverrun +3) against "
        "Tyrell 4 (Knight +2, March \N{MINUS SIGN}1 -1, support Riverrun +3): Stark wins the tie on the Fiefdoms track"
    )
