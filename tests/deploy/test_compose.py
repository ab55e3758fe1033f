"""The compose files, as far as they can be checked without an engine: what they name is there, and agrees."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
import time
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from server.commands.serve import command as serve
from tests.kill.process import free_port

ROOT = Path(__file__).parents[2]
FILES = ("docker-compose.yml", "docker-compose.single.yml")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
NODES = {name: service for name, service in SERVICES.items() if name.startswith("node-")}
DOCKERFILE = (ROOT / "Dockerfile").read_text()
CADDYFILE = (ROOT / "deploy/caddy/Caddyfile").read_text()
OPTIONS = {option for parameter in serve.params for option in parameter.opts}
ENVIRONMENT = {f"MARCHWARDEN_{parameter.name.upper()}": parameter for parameter in serve.params if parameter.name}


def dockerfile(service: dict[str, Any]) -> str:
    """The Dockerfile that a service is built from; empty if it is a finished image."""
    return (ROOT / service["build"] / "Dockerfile").read_text() if "build" in service else ""


@pytest.mark.parametrize("name", FILES)
def test_every_file_and_volume_that_is_mounted_is_there(name: str) -> None:
    compose = yaml.safe_load((ROOT / name).read_text())
    for service, what in compose["services"].items():
        for mount in what.get("volumes", ()):
            source = mount.split(":")[0]
            if source.startswith("."):
                assert (ROOT / source).exists(), (service, source)
                assert mount.endswith(":ro"), (service, source)
            else:
                assert source in compose["volumes"], (service, source)


def test_every_image_has_its_version() -> None:
    images = [service["image"] for service in SERVICES.values() if "build" not in service]
    images += re.findall(r"^FROM (\S+)", "".join(dockerfile(service) for service in SERVICES.values()), re.MULTILINE)
    assert len(images) > len(SERVICES) - len(NODES)
    for image in images:
        assert re.fullmatch(r"[a-z/]+:v?\d+\.\d+\S*", image), image


@pytest.mark.parametrize("name", SERVICES)
def test_no_service_is_root_and_every_one_is_looked_after(name: str) -> None:
    service = SERVICES[name]
    user = str(service.get("user") or re.findall(r"^USER (\S+)", dockerfile(service), re.MULTILINE)[-1])
    assert user.split(":", maxsplit=1)[0] not in ("", "0", "root")
    assert "healthcheck" in service or "HEALTHCHECK" in dockerfile(service)
    assert service["cap_drop"] == ["ALL"] and service["restart"] == "unless-stopped"
    for other, how in service.get("depends_on", {}).items():
        assert other in SERVICES and how == {"condition": "service_healthy"}


@pytest.mark.parametrize("name", NODES)
def test_a_node_is_started_with_options_that_there_are(name: str) -> None:
    node = NODES[name]
    assert node["command"][:3] == ["serve", "--node", name]
    serve.make_context("serve", list(node["command"][1:]))  # raises for what is no option, or has no such value
    for key, value in node["environment"].items():
        parameter = ENVIRONMENT[key]
        plain = re.sub(r"\$\{\w+:\?[^}]*\}", "secret", value)
        serve.make_context("serve", [parameter.opts[0], plain])
    assert set(re.findall(r"--[a-z-]+", DOCKERFILE.partition('CMD ["serve"')[2])) <= OPTIONS


def test_the_ports_agree() -> None:
    environment = next(iter(NODES.values()))["environment"]
    assert all(node["environment"] == environment for node in NODES.values())
    port = environment["MARCHWARDEN_PORT"]
    upstreams = re.search(r"reverse_proxy ([^{]+)", CADDYFILE)
    assert upstreams and upstreams[1].split() == [f"{node}:{port}" for node in NODES]
    assert f"127.0.0.1:{port}/healthz" in DOCKERFILE and f"EXPOSE {port}" in DOCKERFILE
    metrics = environment["MARCHWARDEN_METRICS"].rpartition(":")[2]
    prometheus = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())
    targets = [t for job in prometheus["scrape_configs"] for each in job["static_configs"] for t in each["targets"]]
    assert {f"{node}:{metrics}" for node in NODES} <= set(targets)
    assert {Path(file).name for file in prometheus["rule_files"]} == {"alerts.yml"}
    for url, service in (("MARCHWARDEN_STORE", "postgres"), ("MARCHWARDEN_NATS", "nats")):
        where = urlsplit(re.sub(r"\$\{[^}]*\}", "secret", environment[url]))
        assert where.hostname == service and where.username == "marchwarden" and where.port
    listen = re.search(r"^listen: \S+:(\d+)$", (ROOT / "deploy/nats/nats.conf").read_text(), re.MULTILINE)
    assert listen and environment["MARCHWARDEN_NATS"].endswith(f":{listen[1]}")
    inside = {line.split()[1] for line in CADDYFILE.splitlines() if "_port " in line}
    assert {each.removesuffix("/udp").split(":")[1] for each in SERVICES["proxy"]["ports"]} == inside


def test_only_the_proxy_can_be_reached_from_outside_and_the_public_sees_no_metrics() -> None:
    public = {
        name for name, service in SERVICES.items() for port in service.get("ports", ()) if "127.0.0.1" not in port
    }
    assert public == {"proxy"}
    hidden = re.search(r"@inside path (.*)\n\s*respond @inside 404", CADDYFILE)
    assert hidden and {"/metrics", "/readyz"} <= set(hidden[1].split())


def test_every_secret_comes_from_the_environment_and_is_named_in_the_example() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    example = dict(
        line.split("=", 1) for line in (ROOT / ".env.example").read_text().splitlines() if line and line[0] != "#"
    )
    assert set(re.findall(r"\$\{(\w+)", text)) == set(example)
    for name, value in example.items():
        assert not ("PASSWORD" in name and value), name
        assert name == "SITE" or f"${{{name}:?" in text  # without it nothing starts
    assert "PASSWORD" not in re.sub(r"\$\{\w+:\?[^}]*\}|[A-Z_]+PASSWORD:", "", text)
    for ignored in (".gitignore", ".dockerignore"):
        assert ".env" in (ROOT / ignored).read_text().split(), ignored


def test_the_database_is_the_one_that_the_client_library_speaks_to() -> None:
    """The image carries what several nodes need: it is built from the lock of the extra `cluster`."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    lock = (ROOT / "requirements.server.lock").read_text()
    for need in extras["cluster"]:
        name = re.split(r"[\[>=<; ]", need)[0]
        assert name == "marchwarden" or re.search(rf"^{name}==", lock, re.MULTILINE), need


@pytest.mark.parametrize("password", ["secret", "12e5", "4k"])
def test_nats_takes_the_password_as_it_is_given(password: str) -> None:
    program = shutil.which("nats-server")
    if program is None:
        pytest.skip("no nats-server on this machine: install it, or see .github for how CI does")
    quoted = SERVICES["nats"]["environment"]["NATS_PASSWORD"]
    given = re.sub(r"\$\{[^}]*\}", password, quoted)
    port = free_port()
    config = ["--config", str(ROOT / "deploy/nats/nats.conf"), "--addr", "127.0.0.1", "--port", str(port)]
    config += ["--http_port", str(free_port())]
    process = subprocess.Popen([program, *config], env={"NATS_PASSWORD": given}, stderr=subprocess.DEVNULL)
    try:
        assert greeted(port, password).startswith(b"+OK")
        assert greeted(port, password + "x").startswith(b"-ERR")
    finally:
        process.kill()
        process.wait()


def greeted(port: int, password: str) -> bytes:
    """What NATS says to somebody with a password, as soon as it listens."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with contextlib.suppress(ConnectionError), socket.create_connection(("127.0.0.1", port), timeout=5) as one:
            one.makefile("rb").readline()
            asked = {"user": "marchwarden", "pass": password, "verbose": True}
            one.sendall(b"CONNECT " + json.dumps(asked).encode() + b"\r\n")
            return one.recv(100)
        time.sleep(0.02)
    raise AssertionError("nats-server does not listen")
