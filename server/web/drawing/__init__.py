"""The drawing of the board: our own sketch of the map, turned into outlines and places for all pieces.

`python -m server.web.drawing` draws it anew (it takes some minutes and the extra `board`) into server/web/board/board.json. The
same sketch and versions give the same file. `check` needs nothing but Python and is part of the tests.
"""
