"""Every kind of prompt has a form that can say what is legal, and shows a refusal at the place that it concerns."""

from random import Random
from typing import Any

from msgspec import to_builtins

from protocol import legal
from protocol.prompts import AnyPrompt
from server.game.game import Game
from tests.sockets.house import serving
from tests.web.browser import needs_browser, until, window
from tests.web.hand import Hand
from tests.web.tables import sit

pytestmark = needs_browser

MOUNT = """async () => {
  const [{ load }, { Board }, { Desk }] = await Promise.all(
    ["/web/facts.js", "/web/board/board.js", "/web/prompts/desk.js"].map((path) => import(path)));
  await load();
  const board = new Board();
  window.sent = null;
  window.refusal = null;
  window.desk = new Desk("room", board, async (prompt, answer) => {
    if (window.refusal) throw window.refusal;
    window.sent = { prompt, answer };
  }, async () => {});
  document.body.replaceChildren(board.node, window.desk.node);
}"""
SHOW = "(view) => { window.sent = null; window.desk.show(view); }"
OFTEN = {"place_orders": 3, "march": 6, "muster": 5, "consolidate": 4, "remove": 2}
"""How many prompts of a type of answer are tried for each of its kinds; one of the others."""


def prompts() -> list[tuple[AnyPrompt, dict[str, Any]]]:
    """Prompts of every kind that some games ask, with the view of the house that is asked."""
    found: dict[tuple[str, str, str], int] = {}
    chosen = []
    for seed in range(8):
        game, rng = Game.new(6, bytes([seed]) * 32, tides=bool(seed % 2)), Random(seed)
        while not game.over:
            house = game.waiting[0]
            prompt = game.state.prompts[house]
            plain = to_builtins(prompt)
            key = (plain["answer"], plain["kind"], plain.get("card", ""))
            found[key] = found.get(key, 0) + 1
            if found[key] <= OFTEN.get(plain["answer"], 1):
                chosen.append((prompt, {**game.public(), "you": game.you(house)}))
            game.submit(house, prompt.id, legal.draw(prompt, rng))
    return chosen


async def test_every_form_can_say_what_is_legal() -> None:
    rng = Random(1)
    asked = prompts()
    kinds = {(to_builtins(p)["answer"], p.kind) for p, _ in asked}
    assert len(kinds) >= 17, kinds
    async with serving() as (url, _), window(url) as seen:
        page = await seen.open()
        await page.evaluate(MOUNT)
        hand = Hand(page)
        for prompt, view in asked:
            await page.evaluate(SHOW, {**view, "you": {"house": view["you"]["house"]}})
            await page.evaluate(SHOW, view)
            answer = legal.draw(prompt, rng)
            await hand.answer(prompt, answer)
            await until(page, "Boolean(window.sent)")
            sent = await page.evaluate("window.sent")
            assert sent["prompt"] == prompt.id
            assert normal(sent["answer"]) == normal(to_builtins(answer)), prompt


def normal(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer with what is the same thing said the same way: several groups to one place, the order of recruits."""
    if answer["type"] == "muster" or "muster" in answer:
        field = "recruits" if answer["type"] == "muster" else "muster"
        return {**answer, field: sorted(answer[field], key=lambda r: (r["at"], r["unit"], r.get("to", "")))}
    return {name: value for name, value in answer.items() if value is not False}


async def test_a_refusal_is_shown_at_the_part_that_it_concerns() -> None:
    prompt, view = next((p, v) for p, v in prompts() if p.kind == "place_orders")
    last = list(to_builtins(prompt)["areas"])[-1]
    async with serving() as (url, _), window(url) as seen:
        page = await seen.open()
        await page.evaluate(MOUNT)
        await page.evaluate(SHOW, view)
        reason = {"message": "Not there.", "hint": "Elsewhere.", "rules": ["PLN-1"], "path": f"answer.orders.{last}"}
        await page.evaluate("(reason) => { window.refusal = reason; }", reason)
        await Hand(page).answer(prompt, legal.draw(prompt, Random(1)))
        refusal = page.get_by_role("alert")
        await refusal.wait_for()
        assert await refusal.inner_text() == "Not there. Elsewhere. (PLN-1)"
        row = page.locator(f'[data-area-row="{last}"]').locator("..")
        assert await row.evaluate("(row) => row.nextElementSibling.getAttribute('role')") == "alert"
        await page.evaluate(
            "(reason) => { window.refusal = { ...reason, path: 'answer.something.else[3].new' }; }", reason
        )
        await page.get_by_role("button", name="Send the orders").click()
        await refusal.wait_for()


async def test_the_server_refuses_a_march_at_its_place() -> None:
    setup = {
        "step": "march",
        "round": 2,
        "areas": {
            "winterfell": {"units": {"stark": {"footman": 4}}, "order": "march-0"},
            "moat-cailin": {"units": {"stark": {"footman": 1}}},
        },
        "houses": {"stark": {"supply": 0}},
    }
    async with serving(setup) as (url, _), window(url) as seen:
        place = await sit(seen, url, 3, "stark")
        form = place.page.locator("form.f-march")
        await form.locator('[data-target="moat-cailin"]').click()
        assert "too large" in await form.locator(".warning").inner_text()
        await form.get_by_role("button", name="March", exact=True).click()
        refusal = place.page.get_by_role("alert").filter(has_text="SPL-")
        await refusal.wait_for()
        assert await refusal.locator("xpath=ancestor::form").count() == 1
        await form.get_by_role("button", name="Discard the order").click()
        await place.page.locator("[data-event=march_discarded]").wait_for()
