"""A browser on the page of a real server: what it says on its console and what it asks for is watched."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
PATIENCE = 15_000
"""Milliseconds after which a test gives up waiting for something on the page."""

needs_browser = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"),
    reason="there is no Chromium here: `make test-web` installs it, as root",
)


async def until(page: Any, condition: str) -> None:
    """Wait until an expression is true on the page. (Playwright's own way evaluates text there, which the page forbids.)"""
    async with asyncio.timeout(PATIENCE / 1000):
        await page.evaluate(f"async () => {{ while (!({condition})) await new Promise(requestAnimationFrame); }}")


class Window:
    """A browser's window on a server, and everything that must not happen in it."""

    def __init__(self, context: Any, origin: str) -> None:
        self.context = context
        self.origin = origin
        self.complaints: list[str] = []
        self.asked: list[str] = []
        """The address of every request, as a server's log would see it."""

    async def open(self, path: str = "/") -> Any:
        """A new page there."""
        page = await self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("websocket", lambda socket: self.asked.append(socket.url))
        await page.goto(self.origin + path)
        return page

    def check(self) -> None:
        """Nothing was complained about, and nothing was asked of anybody else."""
        assert list(dict.fromkeys(self.complaints)) == []
        own = (self.origin + "/", self.origin.replace("http", "ws", 1) + "/")
        assert [url for url in self.asked if not url.startswith(own)] == []


@asynccontextmanager
async def window(url: str, **settings: Any) -> AsyncIterator[Window]:
    """A browser with an empty memory, for the server whose socket is at `url`; in the end it must have no complaint."""
    from playwright.async_api import async_playwright  # here, so that the tests can be collected without it

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            context = await browser.new_context(**{"viewport": LAPTOP, **settings})
            seen = Window(context, url.removesuffix("/ws").replace("ws", "http", 1))
            yield seen
            seen.check()
        finally:
            await browser.close()
