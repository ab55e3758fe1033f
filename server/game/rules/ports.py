"""Ships in ports whose land area changes hands (PRT-6 to PRT-8)."""

from protocol.answers import Choose
from protocol.prompts import ChoosePrompt
from server.game.agenda import Step
from server.game.pieces import armies, army, clear, fits, pieces_left, port_controller, ports_of_others, put_units, size
from server.game.play import Play
from server.game.state import State


def settle(play: Play) -> None:
    """Deals with the ships of every port that its owner no longer controls."""
    state = play.state
    taken = []
    for port in ports_of_others(state):
        if port_controller(state, port):
            taken.append(CapturedPort(port))
        else:
            play.tell(
                "units_destroyed",
                "PRT-8",
                house=state.areas[port].house,
                area=port,
                units=army(state, port),
                why="port_lost",
            )
            clear(state, port)
    play.push(*taken)


def takeable(state: State, house: str, port: str) -> int:
    """How many of the ships in a captured port the new controller could replace by its own (PRT-6)."""
    most = min(size(army(state, port)), pieces_left(state, house, "ship"))
    sizes = armies(state, house)
    return max(n for n in range(most + 1) if fits(state, house, {**sizes, port: n}))


class CapturedPort(Step, frozen=True):
    """The new controller replaces ships in the port by its own, or destroys them (PRT-6)."""

    port: str

    def run(self, play: Play) -> None:
        """Asks how many, if any can be taken."""
        state = play.state
        house = port_controller(state, self.port)
        options = [str(n) for n in range(takeable(state, house, self.port) + 1)]
        choice = play.choose(house, "port", options, area=self.port)
        if choice is not None:
            self._replace(play, house, int(choice))

    def take(self, play: Play, house: str, prompt: ChoosePrompt, answer: Choose) -> None:
        """So many ships change hands."""
        self._replace(play, house, int(answer.option))

    def _replace(self, play: Play, house: str, n: int) -> None:
        state = play.state
        old, ships = state.areas[self.port].house, size(army(state, self.port))
        clear(state, self.port)
        if n:
            put_units(state, house, self.port, {"ship": n})
        play.done()
        play.tell(
            "port_captured", "PRT-6", "PRT-7", house=house, area=self.port, from_=old, taken=n, destroyed=ships - n
        )
