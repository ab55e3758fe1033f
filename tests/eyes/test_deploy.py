"""The files for Prometheus and Grafana, and the manual: they speak of metrics that there are."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.eyes.scrape import Scrape, scrape
from tests.gateway.net import gateway

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
MANUAL = (ROOT / "server" / "OPERATIONS.md").read_text()
BOARD = json.loads((DEPLOY / "grafana/dashboards/marchwarden.json").read_text())
ALERTS = [
    rule
    for group in yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
METRIC = re.compile(r"\b(?:marchwarden|process|python)_[a-z_]+\b")
SEVERITIES = {"page", "ticket"}


@pytest.fixture
async def told() -> Scrape:
    async with gateway() as server:
        return await scrape(server.port)


def shown() -> list[tuple[str, str]]:
    """Titles and expressions of the dashboard."""
    return [(panel["title"], target["expr"]) for panel in BOARD["panels"] for target in panel.get("targets", ())]


async def test_every_metric_of_the_dashboard_is_exported(told: Scrape) -> None:
    assert len(shown()) > 30
    for title, expression in shown():
        asked = set(METRIC.findall(expression))
        assert asked and asked <= told.names, title


async def test_every_metric_of_the_alerts_is_exported(told: Scrape) -> None:
    for alert in ALERTS:
        asked = set(METRIC.findall(alert["expr"]))
        assert asked <= told.names, alert["alert"]
        assert asked or "up{" in alert["expr"]


async def test_labels_that_are_asked_for_are_there(told: Scrape) -> None:
    by_name: dict[str, set[str]] = {}
    for sample in told.samples:
        by_name.setdefault(sample.name, set()).update(sample.labels)
    for asked in [expression for _, expression in shown()] + [alert["expr"] for alert in ALERTS]:
        for name, labels in re.findall(r"(marchwarden_\w+)\{([^}]*)\}", asked):
            if name in by_name:
                assert set(re.findall(r"(\w+)=", labels)) - {"instance", "job"} <= by_name[name], asked


def test_every_alert_has_a_section_that_tells_what_to_do() -> None:
    described = re.findall(r"^### (\w+)$", MANUAL.partition("\n## Alerts\n")[2].partition("\n## ")[0], re.MULTILINE)
    assert described == [alert["alert"] for alert in ALERTS]
    for alert in ALERTS:
        assert alert["labels"]["severity"] in SEVERITIES
        assert alert["annotations"]["summary"]


async def test_the_manual_lists_the_metrics_that_there_are(told: Scrape) -> None:
    rows = dict(re.findall(r"^\| `(marchwarden_\w+)` \| (\w+) \|", MANUAL, re.MULTILINE))
    families = {
        f"{family.name}_total" if family.type == "counter" else family.name: family.type
        for family in told.families
        if family.name.startswith("marchwarden_")
    }
    assert rows == families


def test_prometheus_reads_the_nodes_and_the_alerts() -> None:
    config = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text())
    assert config["rule_files"] == ["alerts.yml"]
    (job,) = config["scrape_configs"]
    (group,) = job["static_configs"]
    assert group["targets"] == ["node-1:9100", "node-2:9100", "node-3:9100"]
    assert f'job="{job["job_name"]}"' in "".join(alert["expr"] for alert in ALERTS)


def test_grafana_finds_its_source_and_the_dashboard() -> None:
    def provisioned(name: str) -> Any:
        return yaml.safe_load((DEPLOY / "grafana/provisioning" / name).read_text())

    (source,) = provisioned("datasources/prometheus.yml")["datasources"]
    (provider,) = provisioned("dashboards/marchwarden.yml")["providers"]
    assert provider["type"] == "file"
    uids = {panel["datasource"]["uid"] for panel in BOARD["panels"] if "datasource" in panel}
    assert uids == {source["uid"]}
    ids = [panel["id"] for panel in BOARD["panels"]]
    assert len(ids) == len(set(ids))
