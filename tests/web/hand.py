"""A hand that answers prompts by the forms of the page: whatever legal answer it is given it clicks together."""

from typing import Any

from msgspec import UNSET

from protocol.answers import (
    AnyAnswer,
    Bid,
    Choose,
    Consolidate,
    March,
    Muster,
    PlaceOrders,
    Raid,
    Rank,
    Raven,
    Recruit,
    Remove,
)
from protocol.prompts import AnyPrompt, MarchPrompt
from server.game.board import AREAS


class Hand:
    """Clicks on one page."""

    def __init__(self, page: Any) -> None:
        self.page = page

    async def answer(self, prompt: AnyPrompt, answer: AnyAnswer) -> None:
        """Fill in the form of a prompt and send it."""
        form = self.page.locator(f'form[data-prompt="{prompt.id}"]')
        await form.wait_for()
        match answer:
            case PlaceOrders():
                for area, order in answer.orders.items():
                    await form.locator(f'[data-area-row="{area}"]').click()
                    await form.locator(f'[data-order="{order}"]').click()
            case Raven():
                await self._choose(form, answer.use)
                if answer.area is not UNSET and answer.order is not UNSET:
                    await self._choose(form, answer.area)
                    await self._choose(form, answer.order)
            case Raid():
                await self._choose_if_asked(form, answer.from_)
                await self._choose(form, "none" if answer.target is UNSET else answer.target)
            case March():
                await self._march(form, prompt, answer)
                return
            case Consolidate():
                await self._choose_if_asked(form, answer.from_)
                await self._choose_if_asked(form, "power" if answer.muster is UNSET else "muster")
                await self._recruit(form, [] if answer.muster is UNSET else answer.muster)
            case Muster():
                await self._recruit(form, answer.recruits)
                if not answer.recruits:
                    await form.get_by_role("button", name="Muster nobody").click()
                    return
            case Bid():
                await form.locator("input[type=range]").fill(str(answer.power))
            case Rank():
                for house in answer.houses:
                    await form.locator(f'[data-option="{house}"]').click()
            case Remove():
                for area, units in answer.units.items():
                    await self._count(form.locator(f'[data-area-units="{area}"]'), dict(units))
            case Choose():
                await self._choose(form, answer.option)
        await form.locator("button.main").click()

    async def _choose(self, form: Any, option: str) -> None:
        await form.locator(f'label[data-option="{option}"]').click()

    async def _choose_if_asked(self, form: Any, option: str) -> None:
        if await form.locator(f'label[data-option="{option}"]').count():
            await self._choose(form, option)

    async def _count(self, place: Any, units: dict[Any, int]) -> None:
        """Set counters to these units; those not named to none."""
        for counter in await place.locator(".counter").all():
            unit = str(await counter.get_attribute("aria-label"))
            wanted = next((n for u, n in units.items() if _plural(u) == unit), 0)
            shown = int(await counter.locator("output").inner_text())
            press = counter.get_by_role("button", name="one more" if wanted > shown else "one less")
            for _ in range(abs(wanted - shown)):
                await press.click()

    async def _march(self, form: Any, prompt: AnyPrompt, answer: March) -> None:
        assert isinstance(prompt, MarchPrompt)
        await self._choose_if_asked(form, answer.from_)
        for move in answer.moves:
            await self._count(form.locator(".march"), dict(move.units))
            await form.locator(f'[data-target="{move.to}"]').click()
        if not answer.moves:
            await form.get_by_role("button", name="Discard the order").click()
            return
        if answer.leave_power:
            await form.locator("[name=leave_power]").check()
        await form.locator("button.main").click()

    async def _recruit(self, form: Any, recruits: list[Recruit]) -> None:
        for recruit in recruits:
            offers = form.locator(f'[data-site="{recruit.at}"] [data-recruit="{recruit.unit}"]')
            if recruit.upgrade:
                offers = offers.filter(has_text="a footman becomes")
            elif recruit.to is not UNSET:
                offers = offers.filter(has_text=AREAS[recruit.to].name)
            else:
                offers = offers.filter(has_not_text="becomes")
            await offers.first.click()


def _plural(unit: str) -> str:
    return {"footman": "footmen"}.get(unit, unit.replace("_", " ") + "s")
