"""What the page weighs: over the wire, for whoever comes for the first time."""

import re

from server.web.files import FETCHED, FILES
from tests.bench.page import weight
from tests.sockets.house import serving
from tests.web.browser import needs_browser, window
from tests.web.shots import OUT
from tests.web.tables import sit

MOST = 300_000


@needs_browser
async def test_a_table_weighs_less_than_300_kilobytes() -> None:
    async with serving() as (url, _), window(url) as seen:
        place = await sit(seen, url, 3, "stark")
        weighed = await weight(seen, f"/#/table/{place.room}")
    assert 50_000 < weighed < MOST


def test_all_there_is_weighs_less_than_that() -> None:
    assert sum(len(file.packed) for file in FILES.values()) < MOST


def test_everything_that_is_needed_at_the_start_is_asked_for_at_once() -> None:
    page = FILES["/"].body.decode()
    named = set(re.findall(r'href="(/web/[^"]*)"', page))
    assert named >= {path for path in FILES if path.endswith((".js", ".css"))} | set(FETCHED)
    assert named <= FILES.keys()


def test_the_pictures_are_small_and_not_served() -> None:
    pictures = list(OUT.iterdir())
    assert {"planning.webp", "combat.webp"} <= {picture.name for picture in pictures}
    assert all(picture.stat().st_size < 150_000 for picture in pictures)
    assert not [path for path in FILES if "shots" in path]
