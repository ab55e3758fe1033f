"""What a player understands at the table: whose turn it is, combats, rules, talk, plans, votes."""

from random import Random

from protocol import legal
from protocol.answers import Choose, PlaceOrders
from protocol.client import connect
from tests.sockets.house import serving
from tests.web.browser import needs_browser, until, window
from tests.web.tables import sit

pytestmark = needs_browser

FIGHT = {
    "step": "march",
    "round": 2,
    "areas": {
        "winterfell": {"units": {"stark": {"footman": 2, "knight": 1}}, "order": "march-plus-1"},
        "moat-cailin": {"units": {"lannister": {"footman": 1}}, "order": "defense-plus-1"},
        "greywater-watch": {"units": {"lannister": {"footman": 1}}, "order": "support"},
        "lannisport": {"units": {"lannister": {"footman": 1}}, "order": "march-0"},
    },
    "tracks": {"iron_throne": ["stark", "lannister", "baratheon"]},
    "tokens": {"blade": "used"},
}


async def test_a_combat_is_told_part_by_part() -> None:
    async with serving(FIGHT) as (url, _), window(url) as seen, connect(url) as client:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        lannister = next(seat for seat in place.others if seat.house == "lannister")
        table = await client.enter(place.room, lannister.token)
        form = page.locator("form.f-march")
        target = form.locator("[data-target=moat-cailin]")
        assert "attack on Lannister, units count 4" in await target.inner_text()
        await target.click()
        await form.get_by_role("button", name="March", exact=True).click()
        await page.get_by_role("heading", name="Play a house card").wait_for()
        combat = page.get_by_role("region", name="Combat")
        assert "Stark attacks Lannister in Moat Cailin" in await combat.inner_text()
        assert [await side.inner_text() for side in await combat.locator(".sum").all()] == ["5", "3"]
        assert "Defense +1\n+1" in await combat.inner_text()
        await page.locator('label[data-option="eddard-stark"]').click()
        await page.get_by_role("button", name="Play it").click()
        async for prompt in table.prompts():
            if prompt.kind == "house_card":
                await table.answer(prompt, Choose("the-hound"))
                break
        await page.locator("[data-event=combat_decided]").wait_for()
        await page.get_by_role("heading", name="Stark won in Moat Cailin").wait_for()
        assert "Eddard Stark\n+4" in await combat.inner_text()
        rule = page.locator("[data-event=combat_decided] .rule-id").first
        number = await rule.inner_text()
        await rule.click()
        await page.locator(".rule").get_by_text(number).wait_for()
        assert len(await page.locator(".rule").inner_text()) > 40


async def test_whose_turn_it_is_shows_in_the_title() -> None:
    async with serving(FIGHT) as (url, _), window(url) as seen:
        page = (await sit(seen, url, 3, "stark")).page
        await until(page, "document.title.includes('Resolve a march order')")
        await page.get_by_role("button", name="Discard the order").click()
        await until(page, "document.title === 'Marchwarden'")


async def test_who_watches_sees_no_secret() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        place = await sit(seen, url, 3, "stark")
        watcher = await seen.open(f"/#/table/{place.room}")
        await watcher.locator(".waiting").wait_for()
        table = await client.enter(place.room, place.others[0].token)
        prompt = await anext(table.prompts())
        areas = prompt.areas  # type: ignore[union-attr]  # it is the one of planning
        await table.answer(prompt, PlaceOrders(dict(zip(areas, ("support", "raid", "march-0"), strict=True))))
        await watcher.locator(".pieces .order.back").nth(2).wait_for()
        assert await watcher.locator(".pieces .order:not(.back)").count() == 0
        assert await watcher.locator("form.form, .say:visible").count() == 0
        await watcher.locator(f"[data-area={areas[0]}]").focus()
        assert "an order, face down" in await watcher.locator(".note").inner_text()


async def test_only_what_has_changed_is_drawn() -> None:
    watch = """() => {
      window.drawn = new Set();
      new MutationObserver((changes) => changes.forEach(({ target }) => window.drawn.add(target)))
        .observe(document.querySelector(".sheet"), { attributeFilter: ["aria-label"], subtree: true });
    }"""
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        place = await sit(seen, url, 3, "stark")
        watcher = await seen.open(f"/#/table/{place.room}")
        await watcher.locator(".waiting").wait_for()
        await watcher.evaluate(watch)
        table = await client.enter(place.room, place.others[0].token)
        prompt = await anext(table.prompts())
        areas = prompt.areas  # type: ignore[union-attr]  # it is the one of planning
        await table.answer(prompt, PlaceOrders(dict(zip(areas, ("support", "raid", "march-0"), strict=True))))
        await watcher.locator(".pieces .order.back").nth(len(areas) - 1).wait_for()
        drawn = await watcher.evaluate("[...window.drawn].map((hit) => hit.dataset.area)")
        assert sorted(drawn) == sorted(areas), "areas without anything are not drawn again either"


async def test_talk_is_open_or_private_and_marked_until_it_is_read() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        lannister, baratheon = sorted(place.others, key=lambda seat: seat.house, reverse=True)
        table = await client.enter(place.room, lannister.token)
        await table.say("hello all")
        await table.say("only for you", to=["stark"])
        tab = page.get_by_role("tab", name="Talk (2)")
        await tab.click()
        await page.locator(".said").get_by_text("hello all").wait_for()
        assert await page.get_by_text("only for you").count() == 0
        await page.get_by_role("tab", name="Talk (1)").wait_for()
        await page.locator("[data-thread=lannister]").click()
        await page.locator(".said").get_by_text("only for you").wait_for()
        await page.get_by_role("tab", name="Talk", exact=True).wait_for()
        heard = table.updates()
        await page.get_by_label("Message").fill("an answer")
        await page.keyboard.press("Enter")
        await page.locator(".said .own").get_by_text("an answer").wait_for()
        said = await anext(heard)
        assert (said.sender, said.to, said.text) == ("stark", ["lannister"], "an answer")  # type: ignore[union-attr]
        await page.reload()
        await page.get_by_role("tab", name="Talk").click()
        await page.locator(".said").get_by_text("hello all").wait_for()
        assert await page.locator(".said").get_by_text("hello all").count() == 1
        assert baratheon.house == "baratheon"


async def test_a_plan_laid_with_the_orders_is_carried_out() -> None:
    setup = {
        "step": "planning",
        "areas": {
            "winterfell": {"units": {"stark": {"footman": 2}}},
            "lannisport": {"units": {"lannister": {"footman": 1}}},
        },
        "tokens": {"raven": "used"},
    }
    async with serving(setup) as (url, _), window(url) as seen, connect(url) as client:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        lannister = next(seat for seat in place.others if seat.house == "lannister")
        table = await client.enter(place.room, lannister.token)
        await page.locator('[data-order="march-0"]').click()
        await page.get_by_role("button", name="Plan for Winterfell").click()
        await page.get_by_label("Where to").select_option("moat-cailin")
        await page.get_by_role("button", name="Plan this march").click()
        await page.locator(".plan .group").get_by_text("2 footmen to Moat Cailin").wait_for()
        assert await page.locator(".planned.march.h-stark").count() == 1
        await page.get_by_role("button", name="Send the orders").click()
        await page.locator(".sealed").get_by_text("Winterfell: March 0 (with a plan)").wait_for()
        assert await page.locator(".planned.march.h-stark").count() == 1, "the plan stays on the map"
        prompt = await anext(table.prompts())
        await table.answer(prompt, PlaceOrders({"lannisport": "defense-plus-1"}))
        await page.locator("[data-event=planned], [data-event=plan_dropped], [data-event=marched]").first.wait_for()
        assert "2 footmen to Moat Cailin" in await page.locator("[data-event=marched]").inner_text()
        await page.locator(".planned").wait_for(state="detached")


async def test_all_together_take_a_decision_back() -> None:
    async with serving(FIGHT) as (url, _), window(url) as seen, connect(url) as one, connect(url) as two:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        tables = [
            await client.enter(place.room, seat.token) for client, seat in zip((one, two), place.others, strict=True)
        ]
        form = page.locator("form.f-march")
        await form.locator("[data-target=castle-black]").click()
        await form.get_by_role("button", name="March", exact=True).click()
        await page.locator("[data-event=marched]").wait_for()
        await page.get_by_role("tab", name="Houses").click()
        press = page.get_by_role("button", name="Take the last decision back")
        await press.click()
        await page.get_by_text("for it: Stark").or_(page.locator(".votes .refusal:not(:empty)")).wait_for()
        for table in tables:
            await table.vote("undo")
        await page.get_by_role("tab", name="Log").click()
        await page.locator("[data-event=undone]").wait_for()
        await form.locator("[data-target=castle-black]").wait_for()


async def test_who_comes_later_reads_what_was_shortly_before_and_since_when_the_log_knows() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        place = await sit(seen, url, 3, "stark")
        watcher = await seen.open(f"/#/table/{place.room}")
        await watcher.locator("[data-event=game_started]").wait_for()
        told = await watcher.locator(".log [data-event]").evaluate_all(
            "(lines) => lines.map((line) => line.dataset.event)"
        )
        assert told[:2] == ["game_started", "seat_taken"], "the newest is on top"
        assert await watcher.get_by_text("Here the log begins").count() == 0
        table = await client.enter(place.room, place.others[0].token)
        prompt = await anext(table.prompts())
        for _ in range(35):
            await table.answer(prompt, legal.draw(prompt, Random(1)))
            await table.retract(prompt)
        late = await seen.open(f"/#/table/{place.room}")
        await late.get_by_text("Here the log begins, with change").wait_for()
        assert await late.locator("[data-event=game_started]").count() == 0
