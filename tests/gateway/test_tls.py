"""TLS with files. The key in tests/gateway/tls is for these tests alone and known to everybody."""

import ssl
from pathlib import Path

import pytest
from click.testing import CliRunner
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage

from protocol.client import connect as connect_client
from server.cli import main
from server.gateway.tls import CertificateError, tls_context
from tests.gateway.net import gateway

FILES = Path(__file__).parent / "tls"
CERT, KEY = FILES / "cert.pem", FILES / "key.pem"


async def test_sessions_over_TLS() -> None:
    trust = ssl.create_default_context(cafile=str(CERT))
    async with gateway(tls_cert=CERT, tls_key=KEY) as server:
        assert server.url == f"https://127.0.0.1:{server.port}"
        url = server.url.replace("http", "ws", 1) + "/ws"
        async with connect_client(url, ssl=trust) as client:
            made = await client.create_room(3)
            assert (await client.enter(made.room)).view["room"] == made.room


async def test_a_certificate_is_renewed_while_sockets_stay_open(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    cert.write_bytes(CERT.read_bytes()), key.write_bytes(KEY.read_bytes())
    old, new = (ssl.create_default_context(cafile=str(path)) for path in (CERT, FILES / "next.pem"))
    async with gateway(tls_cert=cert, tls_key=key) as server:
        url = f"wss://127.0.0.1:{server.port}/ws"
        async with connect_client(url, ssl=old) as client:
            cert.write_bytes((FILES / "next.pem").read_bytes())
            server.renew_certificate()  # it does not go with the key
            await (await connect(url, ssl=old)).close()
            key.write_bytes((FILES / "next-key.pem").read_bytes())
            server.renew_certificate()
            await (await connect(url, ssl=new)).close()
            with pytest.raises(ssl.SSLCertVerificationError):
                await connect(url, ssl=old)
            assert (await client.list_rooms()).rooms == []


async def test_without_a_certificate_there_is_nothing_to_renew() -> None:
    async with gateway() as server:
        server.renew_certificate()
        async with connect_client(server.url.replace("http", "ws", 1) + "/ws"):
            pass


async def test_plain_sockets_are_not_served_then() -> None:
    async with gateway(tls_cert=CERT, tls_key=KEY) as server:
        with pytest.raises(InvalidMessage):
            await connect(f"ws://127.0.0.1:{server.port}/ws")


def test_without_files_there_is_no_TLS() -> None:
    assert tls_context(None, None) is None


@pytest.mark.parametrize(
    ("cert", "key", "said"),
    [
        (CERT, None, "both"),
        (None, KEY, "both"),
        (FILES / "nothing.pem", KEY, "cannot read"),
        (CERT, FILES / "nothing.pem", "No such file"),
        (FILES, KEY, "Is a directory"),
        (KEY, KEY, "cannot use"),
        (Path(__file__), KEY, "cannot use"),
        (CERT, FILES / "other.pem", "its own key"),
        (CERT, FILES / "locked.pem", "without a passphrase"),
    ],
)
def test_what_is_wrong_with_the_files_is_said(cert: Path | None, key: Path | None, said: str) -> None:
    with pytest.raises(CertificateError, match=said):
        tls_context(cert, key)


def test_it_is_said_in_one_line(tmp_path: Path) -> None:
    options = ["--port=0", f"--data={tmp_path}", f"--tls-cert={CERT}"]
    result = CliRunner().invoke(main, ["serve", *options, "--tls-key=nothing.pem"])
    assert result.exit_code == 1
    assert result.stderr == "Error: cannot read nothing.pem: No such file or directory; see --tls-cert and --tls-key\n"
    result = CliRunner().invoke(main, ["serve", *options])
    assert "--tls-key" in result.stderr
    assert "Traceback" not in result.output
    result = CliRunner().invoke(main, ["serve", *options, f"--tls-key={KEY}", "--demo"])
    assert "--demo does not go with --tls-cert" in result.stderr
