"""The influence tracks (TRK). Whoever stands first holds the dominance token of a track, at once and by itself (TRK-3)."""

from server.game.state import State


def to_bottom(state: State, track: str, house: str) -> None:
    """A house goes to the last position, those behind it move up (TRK-2)."""
    state.tracks[track] = (*(h for h in state.tracks[track] if h != house), house)


def to_top(state: State, track: str, house: str) -> None:
    """A house goes to position 1, those before it move down (TRK-2)."""
    state.tracks[track] = (house, *(h for h in state.tracks[track] if h != house))


def down(state: State, track: str, house: str, places: int) -> None:
    """A house goes down some places, but not below the last position (TRK-2)."""
    order = [h for h in state.tracks[track] if h != house]
    order.insert(state.tracks[track].index(house) + places, house)
    state.tracks[track] = tuple(order)
