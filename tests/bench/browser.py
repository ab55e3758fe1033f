"""The page in a real browser, as `page.py` measures it."""

from tests.bench import page
from tests.bench.bench import Bench
from tests.bench.spread import Figure, alone
from tests.web.browser import CHROMIUM

MARKS = {
    "weight_kb": "at most 300",
    "first_board_ms": "at most 1,000",
    "updates_a_second": "60",
    "frames_over_16_ms": "none",
}


def measure(bench: Bench) -> list[Figure]:
    if not CHROMIUM:
        bench.leave_out("the page: there is no Chromium here (make browser)")
        return []
    bench.say("the page in a browser")
    found = page.measure()._asdict()
    return [alone(f"page_{k}", f"the page: {k.replace('_', ' ')}", v, mark=MARKS.get(k, "")) for k, v in found.items()]
