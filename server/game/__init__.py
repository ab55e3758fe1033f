"""The rules: pure, without sockets, clocks or files. `game.Game` is the only face other parts see."""
