"""What strangers write stays text, nothing foreign runs, and secrets stay out of addresses."""

from protocol.client import connect
from tests.sockets.house import serving
from tests.web.browser import needs_browser, window
from tests.web.tables import sit, token

pytestmark = needs_browser

NAME = "<img src=/x onerror=a()>"
TALK = "<script>document.title = 'taken'</script><b id=bold>bold</b> &amp; javascript:alert(1)"


async def test_names_and_talk_are_text() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        place = await sit(seen, url, 3, "stark", name=NAME)
        page = place.page
        other = place.others[0]
        table = await client.enter(place.room, other.token)
        await table.say(TALK)
        await page.get_by_role("tab", name="Talk").click()
        await page.locator(".said").get_by_text(TALK).wait_for()
        await page.get_by_role("tab", name="Houses").click()
        await page.locator(".houses").get_by_text(NAME).wait_for()
        assert await page.locator("#bold, script:not([src]), img[src='/x']").count() == 0
        assert "taken" not in await page.title()


async def test_what_is_told_in_the_log_is_text() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        made = await client.create_room(3)
        page = await seen.open(f"/#/table/{made.room}")
        await page.locator(".seat-list").wait_for()
        await client.take_seat(made.room, NAME, invite=made.invites["stark"])
        await page.locator(".seat-list").get_by_text(NAME).wait_for()
        assert f"{NAME} sits down as Stark" in await page.locator(".log").text_content()
        assert await page.locator("img[src='/x']").count() == 0


async def test_secrets_are_in_no_address() -> None:
    async with serving() as (url, _), window(url) as seen:
        place = await sit(seen, url, 3, "stark")
        await place.page.reload()
        await place.page.locator("form.f-place_orders").wait_for()
        for secret in (place.invite, await token(place)):
            assert len(secret) > 16
            assert not [address for address in (*seen.asked, place.page.url) if secret in address]


async def test_nothing_foreign_runs_or_is_asked_for() -> None:
    async with serving() as (url, _), window(url) as seen:
        page = await seen.open()
        await page.get_by_role("button", name="Make the table").wait_for()
        blocked = await page.evaluate(
            """async () => {
              const blocked = [];
              addEventListener("securitypolicyviolation", (event) => blocked.push(event.effectiveDirective));
              const add = (tag, fields) => document.body.append(Object.assign(document.createElement(tag), fields));
              add("script", { textContent: "window.ran = true" });
              add("button", { id: "inline" });
              document.getElementById("inline").setAttribute("onclick", "window.ran = true");
              document.getElementById("inline").click();
              add("style", { textContent: "body { color: red }" });
              add("img", { src: "https://elsewhere.example/x.png" });
              await fetch("https://elsewhere.example/").catch(() => {});
              await new Promise((resolve) => setTimeout(resolve, 200));
              return [blocked, Boolean(window.ran)];
            }"""
        )
        assert blocked[1] is False
        kinds = {kind.removesuffix("-elem").removesuffix("-attr") for kind in blocked[0]}
        assert kinds == {"script-src", "style-src", "img-src", "connect-src"}
        seen.complaints.clear()
        seen.asked[:] = [address for address in seen.asked if "elsewhere" not in address]
