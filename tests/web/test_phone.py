"""The page on a phone."""

from typing import Any

import pytest

from tests.sockets.house import serving
from tests.web.browser import PHONE, needs_browser, window
from tests.web.tables import sit

pytestmark = needs_browser

FINGER = 40
"""Pixels that a finger needs."""


async def fits(page: Any) -> None:
    """Nothing sticks out at the side."""
    width, room = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= room


@pytest.mark.parametrize("size", [PHONE, {"width": 360, "height": 640}])
async def test_everything_fits_and_is_large_enough_for_a_finger(size: dict[str, int]) -> None:
    async with serving() as (url, _), window(url, viewport=size, has_touch=True, is_mobile=True) as seen:
        page = await seen.open()
        await page.get_by_role("button", name="Make the table").wait_for()
        await fits(page)
        await page.close()
        place = await sit(seen, url, 6, "stark")
        page = place.page
        await page.locator("form.f-place_orders").wait_for()
        await fits(page)
        for press in await page.locator(".desk button:visible").all():
            box = await press.bounding_box()
            assert box and min(box["width"], box["height"]) >= FINGER, await press.inner_text()
        for tab in ("Houses", "Westeros", "Talk", "Log"):
            await page.get_by_role("tab", name=tab).tap()
            await fits(page)


async def test_fingers_order_pinch_and_drag() -> None:
    async with serving() as (url, _), window(url, viewport=PHONE, has_touch=True, is_mobile=True) as seen:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        await page.locator("form.f-place_orders").wait_for()
        await page.locator("[data-area=white-harbor]").tap()
        await page.locator(".current [data-area-row=white-harbor]").wait_for()
        await page.locator('[data-order="support"]').tap()
        await page.get_by_text("1 of 3 orders").wait_for()

        await page.evaluate("scrollTo(0, 0)")
        box = await page.locator(".sheet").bounding_box()
        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        fingers = await seen.context.new_cdp_session(page)
        before = await view_box(page)
        await fingers.send("Input.synthesizePinchGesture", {**middle, "scaleFactor": 2, "gestureSourceType": "touch"})
        closer = await view_box(page)
        assert closer[2] < before[2] * 0.8
        await fingers.send(
            "Input.synthesizeScrollGesture",
            {**middle, "xDistance": -80, "yDistance": 0, "gestureSourceType": "touch", "preventFling": True},
        )
        moved = await view_box(page)
        assert moved[0] > closer[0] and moved[2] == pytest.approx(closer[2])
        assert await page.evaluate("scrollY") == 0


async def view_box(page: Any) -> list[float]:
    text: str = await page.locator(".sheet").get_attribute("viewBox")
    return [float(number) for number in text.split()]
