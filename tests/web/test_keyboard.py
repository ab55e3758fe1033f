"""Everything can be done without a pointer, and read without looking."""

import re
from collections import deque
from typing import Any

from server.game.board import AREAS
from tests.sockets.house import serving
from tests.web.browser import needs_browser, window
from tests.web.tables import sit

pytestmark = needs_browser


async def tab_to(page: Any, selector: str) -> None:
    """Press Tab until something is focused."""
    for _ in range(80):
        await page.keyboard.press("Tab")
        if await page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never comes to {selector}")


async def test_orders_are_placed_with_the_keyboard_alone() -> None:
    async with serving() as (url, _), window(url) as seen:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        await page.locator("form.f-place_orders").wait_for()
        await tab_to(page, "[data-area-row=winterfell], [data-area-row]")
        for key in "msd":
            await page.keyboard.press(key)
        await page.get_by_text("3 of 3 orders").wait_for()
        await page.keyboard.press("Delete")
        await page.get_by_text("2 of 3 orders").wait_for()
        await page.keyboard.press("r")
        await page.keyboard.press("r")
        await page.get_by_text("3 of 3 orders, 1 of").wait_for()
        await tab_to(page, "button.main")
        await page.keyboard.press("Enter")
        await page.get_by_text("Sent, and secret until all have answered.").wait_for()


async def test_orders_are_placed_on_the_board_with_the_keyboard() -> None:
    async with serving() as (url, _), window(url) as seen:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        await page.locator("form.f-place_orders").wait_for()
        await tab_to(page, ".hit")
        assert await page.evaluate("document.activeElement.dataset.area") == "winterfell"
        await page.keyboard.press("c")
        await page.get_by_text("1 of 3 orders").wait_for()
        assert "Consolidate Power" in await page.locator("[data-area=winterfell]").get_attribute("aria-label")


async def test_the_arrow_keys_reach_every_area() -> None:
    async with serving() as (url, _), window(url) as seen:
        place = await sit(seen, url, 3, "stark")
        ways: dict[str, list[str]] = await place.page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll(".hit")].map((hit) => [hit.dataset.area,
              ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => {
                hit.focus();
                hit.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                return document.activeElement.dataset.area;
              })]))"""
        )
    assert set(ways) == set(AREAS)
    found, queue = {"winterfell"}, deque(["winterfell"])
    while queue:
        for near in ways[queue.popleft()]:
            if near not in found:
                found.add(near)
                queue.append(near)
    assert found == set(AREAS)


async def test_areas_tell_what_is_in_them() -> None:
    setup = {
        "step": "march",
        "areas": {
            "winterfell": {"units": {"stark": {"footman": 2, "knight": 1}}, "order": "march-plus-1"},
            "moat-cailin": {"power": "stark"},
            "seagard": {"routed": {"stark": {"knight": 1}}},
        },
    }
    async with serving(setup) as (url, _), window(url) as seen:
        place = await sit(seen, url, 3, "stark")
        await place.page.locator("form.f-march").wait_for()
        labels = {
            area: await place.page.locator(f"[data-area={area}]").get_attribute("aria-label")
            for area in ("winterfell", "moat-cailin", "seagard", "kings-landing", "pyke", "port-of-winterfell")
        }
    assert labels["winterfell"] == (
        "Winterfell. land, stronghold, 1 barrel, 1 crown, home of Stark. Stark: 2 footmen, 1 knight."
        " order: March +1. garrison 2"
    )
    assert labels["moat-cailin"] == "Moat Cailin. land, castle. Stark. power token of Stark"
    assert labels["seagard"] == "Seagard. land, stronghold, 1 barrel, 1 crown. Stark: routed: 1 knight"
    assert labels["kings-landing"].endswith("neutral force of 5")
    assert labels["pyke"].endswith("closed for the whole game")
    assert re.match("Port of Winterfell. port of Winterfell to Bay of Ice", labels["port-of-winterfell"])


async def test_everything_that_can_be_pressed_has_a_name() -> None:
    async with serving() as (url, _), window(url) as seen:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        await page.locator("form.f-place_orders").wait_for()
        nameless = await page.evaluate(
            """() => [...document.querySelectorAll("button, a, input, select, textarea, [role=button]")]
              .filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim() || node.labels?.length
                || node.querySelector("img[alt]")))
              .map((node) => node.outerHTML)"""
        )
        assert nameless == []
