"""The drawing of the board fits the game, and the board follows hands."""

import copy
import json
from importlib import resources
from typing import Any

import pytest

from server.game.board import AREAS
from server.web.drawing.check import faults
from server.web.drawing.sketch import BARRIERS, read
from tests.sockets.house import serving
from tests.web.browser import needs_browser, until, window
from tests.web.tables import sit

LAYOUT: dict[str, Any] = json.loads(
    resources.files("server.web").joinpath("board/board.json").read_text(encoding="utf-8")
)


def test_the_drawing_has_no_faults() -> None:
    assert faults(LAYOUT) == []


def shift(layout: dict[str, Any]) -> None:
    layout["areas"]["winterfell"]["order"][0] += 200


def cover(layout: dict[str, Any]) -> None:
    layout["areas"]["pyke"]["power"] = layout["areas"]["pyke"]["garrison"]


def cut(layout: dict[str, Any]) -> None:
    layout["areas"]["karhold"]["rings"][0][5][0] += 1


def forget(layout: dict[str, Any]) -> None:
    layout["areas"]["oldtown"]["structure"] = None


def rename(layout: dict[str, Any]) -> None:
    layout["areas"]["oldtown"]["label"]["lines"] = ["A name that is far too long for this place"]


def sink(layout: dict[str, Any]) -> None:
    layout["ports"]["port-of-pyke"]["x"] += 20


@pytest.mark.parametrize("spoil", [shift, cover, cut, forget, rename, sink])
def test_faults_of_a_drawing_are_found(spoil: Any) -> None:
    layout = copy.deepcopy(LAYOUT)
    spoil(layout)
    assert faults(layout)


def test_the_sketch_is_of_this_game() -> None:
    sides = {side for line in read() for side in line.sides}
    assert sides == {"edge", *BARRIERS, *(area for area, facts in AREAS.items() if facts.kind != "port")}


@needs_browser
async def test_every_area_is_on_the_board_with_what_is_in_it() -> None:
    setup = {
        "step": "march",
        "areas": {
            "winterfell": {"units": {"stark": {"footman": 4, "knight": 3, "siege_engine": 2}}, "order": "march-0"},
            "port-of-winterfell": {"units": {"stark": {"ship": 3}}},
            "moat-cailin": {"power": "stark"},
        },
        "houses": {"stark": {"supply": 6}},
    }
    async with serving(setup) as (url, _), window(url) as seen:
        page = (await sit(seen, url, 3, "stark")).page
        await page.locator("form.f-march").wait_for()
        assert await page.locator(".hit").count() == len(AREAS)
        assert await page.locator(".pieces .unit").count() == 3 + 3, "nine units in six places are stacked by kind"
        assert sorted(await page.locator(".pieces .many").all_text_contents()) == ["\u00d72", "\u00d73", "\u00d74"]
        assert await page.locator(".pieces .power").count() == 1
        assert await page.locator(".pieces .neutral").count() == 14
        assert await page.locator(".pieces .garrison").count() == 3


@needs_browser
async def test_a_march_is_dragged() -> None:
    setup = {
        "step": "march",
        "areas": {"winterfell": {"units": {"stark": {"footman": 2}}, "order": "march-0"}},
    }
    async with serving(setup) as (url, _), window(url) as seen:
        page = (await sit(seen, url, 3, "stark")).page
        await page.locator("form.f-march").wait_for()
        one, other = [
            await page.evaluate(
                """(area) => {
                  const box = document.querySelector(`[data-area=${area}]`).getBoundingClientRect();
                  return [box.x + box.width / 2, box.y + box.height / 2];
                }""",
                area,
            )
            for area in ("winterfell", "castle-black")
        ]
        await page.mouse.move(*one)
        await page.mouse.down()
        await page.mouse.move(*other, steps=4)
        assert await page.locator(".arrow.dragged").count() == 1
        await page.mouse.up()
        await page.locator(".group").get_by_text("2 footmen to Castle Black").wait_for()
        await page.get_by_role("button", name="March", exact=True).click()
        await page.locator("[data-event=marched]").wait_for()
        assert await page.locator(".arrow.h-stark").count() == 1


@needs_browser
async def test_the_board_is_zoomed_and_moved() -> None:
    async with serving() as (url, _), window(url) as seen:
        page = (await sit(seen, url, 3, "stark")).page
        await page.locator("form.f-place_orders").wait_for()
        sheet = page.locator(".sheet")

        async def width() -> float:
            return float((await sheet.get_attribute("viewBox")).split()[2])

        before = await width()
        await page.get_by_role("button", name="Nearer").click()
        assert await width() == pytest.approx(before / 1.5)
        await page.get_by_role("button", name="The whole board").click()
        assert await width() > 1000
        await page.get_by_role("button", name="My areas").click()
        near = await width()
        box = await sheet.bounding_box()
        await page.mouse.move(box["x"] + 300, box["y"] + 300)
        await page.mouse.wheel(0, -200)
        await until(page, f"document.querySelector('.sheet').viewBox.baseVal.width < {near}")
        await page.mouse.down()
        await page.mouse.move(box["x"] + 200, box["y"] + 300, steps=3)
        await page.mouse.up()
        assert await page.locator(".hit.chosen").get_attribute("data-area") == "the-shivering-sea", "a drag is no press"
