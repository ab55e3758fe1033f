"""A remote bot that only ever draws a legal answer is never refused; `make remote` plays a hundred games of it."""

from pathlib import Path

from tests.kill.process import Server
from tests.remote.play import play_games


async def test_drawn_answers_are_never_refused(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    server.start()
    try:
        score = await play_games(server.url, 8)
    finally:
        server.stop()
    assert (score.games, dict(score.refused)) == (8, {})
    assert score.answers > 8 * 100
