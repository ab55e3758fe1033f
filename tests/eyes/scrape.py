"""Reading the metrics of a node as Prometheus does."""

import asyncio

from prometheus_client.parser import text_string_to_metric_families

PATIENCE = 10


async def fetch(
    port: int, path: str = "/metrics", host: str = "", method: str = "GET", **headers: str
) -> tuple[int, str]:
    """A request to a port of this machine: status and body. `_` in the name of a header stands for `-`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    async with asyncio.timeout(PATIENCE):
        answer = (await reader.read()).decode()
    writer.close()
    head, _, body = answer.partition("\r\n\r\n")
    return int(head.split()[1]), body


class Scrape:
    """What a node tells: `scrape["marchwarden_answers_total", "ok"]` is the sum of all samples with that label value."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.families = list(text_string_to_metric_families(text))
        self.samples = [sample for family in self.families for sample in family.samples]

    def __getitem__(self, asked: str | tuple[str, ...]) -> float:
        name, *values = [asked] if isinstance(asked, str) else asked
        found = [s.value for s in self.samples if s.name == name and set(values) <= set(s.labels.values())]
        assert found or values, f"no metric {name}"
        return sum(found)

    @property
    def names(self) -> set[str]:
        """The names of all series that there are, or will be once there is something to tell."""
        endings = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
        return {family.name + ending for family in self.families for ending in endings.get(family.type, [""])}


async def scrape(port: int) -> Scrape:
    status, text = await fetch(port)
    assert status == 200, text
    return Scrape(text)
