"""Being told of a turn: by the title always, by a sound and a notification once they are switched on."""

from tests.sockets.house import serving
from tests.web.browser import needs_browser, until, window
from tests.web.tables import sit

pytestmark = needs_browser

WATCHED = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
window.notes = [];
window.leave = "default";
window.Notification = class extends EventTarget {
  static get permission() { return window.leave; }
  static async requestPermission() {
    window.askedFor = (window.askedFor ?? 0) + 1;
    window.leave = window.answer ?? "granted";
    return window.leave;
  }
  constructor(title, { body }) { super(); window.notes.push(body); }
};
"""
"""A browser that counts what it plays and shows. (A headless one has no notifications of its own to look at.)"""
HIDE = "Object.defineProperty(document, 'hidden', { value: true, configurable: true })"


async def test_nothing_sounds_or_asks_unless_it_was_switched_on() -> None:
    async with serving() as (url, _), window(url) as seen:
        await seen.context.add_init_script(WATCHED)
        place = await sit(seen, url, 3, "stark")
        await until(place.page, "document.title.includes('Place your orders')")
        assert await place.page.evaluate("[window.tones, window.notes.length, window.askedFor ?? 0]") == [0, 0, 0]
        for switch in await place.page.get_by_role("switch").all():
            assert await switch.get_attribute("aria-checked") == "false"


async def test_a_sound_when_it_is_switched_on_and_at_the_next_turn_after_a_reload_too() -> None:
    async with serving() as (url, _), window(url) as seen:
        await seen.context.add_init_script(WATCHED)
        place = await sit(seen, url, 3, "stark")
        page = place.page
        switch = page.get_by_role("switch", name="Sound when it is my turn")
        await switch.click()
        assert await switch.get_attribute("aria-checked") == "true"
        assert await page.evaluate("window.tones") == 2, "the sound is heard when it is chosen"
        await page.reload()
        await page.locator("form.f-place_orders").wait_for()
        assert await switch.get_attribute("aria-checked") == "true"
        for sounds, tones in ((True, 2), (False, 0)):
            await page.reload()
            await page.locator("form.f-place_orders").wait_for()
            assert await page.evaluate("window.tones") == 0, "a page that was not touched yet may not sound"
            await page.get_by_role("link", name="All tables").first.click()
            await page.get_by_text("Stark (Arya)").click()
            await page.locator("form.f-place_orders").wait_for()
            assert await page.evaluate("window.tones") == tones
            if sounds:
                await switch.click()
                assert await switch.get_attribute("aria-checked") == "false"


async def test_a_notification_to_who_looks_elsewhere_and_has_allowed_it() -> None:
    async with serving() as (url, _), window(url) as seen:
        await seen.context.add_init_script(WATCHED)
        place = await sit(seen, url, 3, "stark")
        page = place.page
        switch = page.get_by_role("switch", name="Notification when it is my turn")
        await switch.click()
        await until(page, "document.querySelector('[aria-label^=Notification]').ariaChecked === 'true'")
        assert await page.evaluate("[window.askedFor, window.notes.length]") == [1, 0]
        twin = await seen.open("/")
        await twin.evaluate(f"window.leave = 'granted'; {HIDE}; location.hash = '#/table/{place.room}/stark'")
        await until(twin, "window.notes.length === 1")
        assert await twin.evaluate("window.notes") == ["Your turn: Place your orders"]
        assert await page.evaluate("window.notes.length") == 0, "who looks at the page is not told"


async def test_who_does_not_allow_notifications_gets_none() -> None:
    async with serving() as (url, _), window(url) as seen:
        await seen.context.add_init_script(WATCHED)
        place = await sit(seen, url, 3, "stark")
        page = place.page
        await page.evaluate("window.answer = 'denied'")
        switch = page.get_by_role("switch", name="Notification when it is my turn")
        await switch.click()
        await until(page, "window.askedFor === 1")
        assert await switch.get_attribute("aria-checked") == "false"


async def test_a_real_browser_takes_its_notification() -> None:
    async with serving() as (url, _), window(url, permissions=["notifications"]) as seen:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        switch = page.get_by_role("switch", name="Notification when it is my turn")
        await switch.click()
        await until(page, "document.querySelector('[aria-label^=Notification]').ariaChecked === 'true'")
        twin = await seen.open("/")
        await twin.evaluate(
            f"""() => {{
              {HIDE};
              window.shown = 0;
              const Real = Notification;
              window.Notification = class extends Real {{
                constructor(...how) {{ super(...how); window.shown++; }}
              }};
              location.hash = "#/table/{place.room}/stark";
            }}"""
        )
        await until(twin, "window.shown === 1")
