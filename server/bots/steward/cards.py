"""House cards: every card of mine is reckoned against every card that the opponent holds, texts and all."""

from typing import Any, NamedTuple

from protocol.prompts import ChoosePrompt
from server.bots.steward.sight import Sight, Units
from server.bots.steward.value import POWER, UNIT, Values
from server.game.board import AREAS, CARDS

CARD = 0.45
"""What a point of strength of a card in hand is worth for the fights to come."""
LESSONS = 30
"""How often both sides think again about what the other will do."""
WIN_TEXTS: dict[str, float] = {
    "tywin-lannister": 2 * POWER,
    "cersei-lannister": 1.0,
    "robb-stark": 0.8,
    "renly-baratheon": 1.8,
}
ANY_TEXTS: dict[str, float] = {"patchface": 1.5, "doran-martell": 1.8, "queen-of-thorns": 0.8, "aeron-damphair": 0.0}


class Side(NamedTuple):
    """A main side of the combat: who, its strength without a card, its units there and its ships and footmen that help."""

    house: str
    attacks: bool
    base: int
    units: Units
    ships: int
    footmen: int
    defence: int
    supported: bool


class Fight:
    """A combat as one of its main sides sees it before the cards are chosen."""

    def __init__(self, sight: Sight, values: Values, prompt: ChoosePrompt) -> None:
        self.sight, self.area = sight, prompt.area
        combat = sight.view["combat"]
        self.structure = AREAS[prompt.area].points > 0
        sides = {
            name: self._side(combat, name, combat[name], prompt.strength.get(name, 0))
            for name in ("attacker", "defender")
        }
        attacks = combat["attacker"] == sight.me
        self.me, self.them = (
            (sides["attacker"], sides["defender"]) if attacks else (sides["defender"], sides["attacker"])
        )
        self.tie = sight.place("fiefdoms", self.me.house) < sight.place("fiefdoms", self.them.house)
        army, area = combat.get("units", {}), prompt.area
        if attacks:
            self.won = values.hold(area, army) + values.taken(area)
            self.lost = 0.6
        else:
            self.won = 0.3
            self.lost = (
                values.worth(area) + 1.2 * bool(self.me.units) + (2.0 if "garrison" in sight.part(area) else 0.0)
            )

    def _side(self, combat: dict[str, Any], name: str, house: str, total: int) -> Side:
        sight = self.sight
        attacks = name == "attacker"
        parts: list[list[Any]] = combat.get("strength", {}).get(name, {}).get("parts", [])
        units: Units = combat.get("units", {}) if attacks else sight.units(self.area)
        helping = [str(source)[8:] for source, _ in parts if str(source).startswith("support ")]
        own = [sight.units(a) for a in helping if sight.holds(a, house)]
        return Side(
            house,
            attacks,
            total - sum(n for source, n in parts if source in CARDS),
            units,
            units.get("ship", 0) + sum(sight.units(a).get("ship", 0) for a in helping),
            units.get("footman", 0) + sum(u.get("footman", 0) for u in own),
            sum(n for source, n in parts if str(source).startswith("defense")),
            bool(helping),
        )

    # ---- a pair of cards

    def value(self, mine: str, theirs: str) -> float:
        """What it is worth to me that these cards meet; an empty name is no card."""
        ahead = self._total(mine, theirs, self.me, self.them) - self._total(theirs, mine, self.them, self.me)
        wins = ahead > 0 or (ahead == 0 and self.tie)
        winner, loser = (self.me, self.them) if wins else (self.them, self.me)
        best, other = (mine, theirs) if wins else (theirs, mine)
        swords = max(0, self._icons(best, winner)[0] - self._icons(other, loser)[1]) if other != "the-blackfish" else 0
        killed = self._dead(loser.units, swords)
        if wins:
            entered = 0.0 if theirs == "arianne-martell" and not self.them.attacks else self.won
            value = entered + killed + WIN_TEXTS.get(mine, 0.0) + 0.5
            value += 3.0 if mine == "ser-loras-tyrell" and self.me.attacks else 0.0
        else:
            lost = self.lost - (6.0 if mine == "arianne-martell" and not self.me.attacks else 0.0)
            value = (
                -lost
                - killed
                + (0.5 * len(self.sight.houses[self.me.house].get("discard", ())) if mine == "roose-bolton" else 0)
            )
        return value + ANY_TEXTS.get(mine, 0.0) - CARD * self._dear(mine)

    @staticmethod
    def _dear(card: str) -> float:
        return CARDS[card].strength if card else 0.0

    def _dead(self, units: Units, swords: int) -> float:
        """What the units are worth that so many swords kill; the rest is beaten and routed."""
        dead = units.get("siege_engine", 0) * UNIT["siege_engine"]
        for unit in ("footman", "ship", "knight"):
            n = min(swords, units.get(unit, 0))
            dead += n * UNIT[unit]
            swords -= n
        return dead

    def _total(self, card: str, against: str, me: Side, them: Side) -> int:
        """The strength of a side with a card against another."""
        total = me.base
        if card:
            total += 0 if against == "balon-greyjoy" else CARDS[card].strength
        total += self._text(card, me, them)
        if against == "salladhor-saan" and them.supported and me.house != "baratheon":
            total -= me.ships
        if against == "mace-tyrell" and card != "the-blackfish" and me.units.get("footman"):
            total -= 1
        return max(0, total)

    def _text(self, card: str, me: Side, them: Side) -> int:
        match card:
            case "victarion-greyjoy":
                return me.ships if me.attacks else 0
            case "theon-greyjoy":
                return int(not me.attacks and self.structure)
            case "ser-kevan-lannister":
                return me.footmen if me.attacks else 0
            case "stannis-baratheon":
                return int(self.sight.place("iron_throne", them.house) < self.sight.place("iron_throne", me.house))
            case "ser-davos-seaworth":
                return int("stannis-baratheon" in self.sight.houses[me.house].get("discard", ()))
            case "catelyn-stark":
                return me.defence
        return 0

    def _icons(self, card: str, me: Side) -> tuple[int, int]:
        if not card:
            return 0, 0
        facts = CARDS[card]
        swords, towers = facts.swords, facts.fortifications
        match card:
            case "theon-greyjoy":
                swords += int(not me.attacks and self.structure)
            case "asha-greyjoy" if not me.supported:
                swords, towers = swords + 2, towers + 1
            case "ser-davos-seaworth":
                swords += int("stannis-baratheon" in self.sight.houses[me.house].get("discard", ()))
            case "nymeria-sand":
                swords, towers = (swords + 1, towers) if me.attacks else (swords, towers + 1)
        return swords, towers

    # ---- the choice

    def weights(self, mine: list[str], theirs: list[str]) -> list[float]:
        """How often each card of mine should be played when both sides think it through (fictitious play)."""
        table = [[self.value(a, b) for b in theirs] for a in mine]
        rows, columns = [0] * len(mine), [0] * len(theirs)
        earned = [sum(row) / len(theirs) for row in table]
        suffered = [
            sum(table[i][j] for i in range(len(mine))) / len(mine) + CARD * self._dear(b) for j, b in enumerate(theirs)
        ]
        dear = [CARD * self._dear(b) for b in theirs]
        for _ in range(LESSONS):
            i = max(range(len(mine)), key=earned.__getitem__)
            j = min(range(len(theirs)), key=suffered.__getitem__)
            rows[i] += 1
            columns[j] += 1
            for k in range(len(mine)):
                earned[k] += table[k][j]
            for k in range(len(theirs)):
                suffered[k] += table[i][k] + dear[k]
        return [float(n) for n in rows]
