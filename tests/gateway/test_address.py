"""Whose limits a client is counted by."""

import pytest

from server.gateway.address import client_address, networks, trusts

PROXIES = networks(["10.0.0.0/8", "fd00::/8", "203.0.113.7"])


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.9"], "192.0.2.1"),
        ("127.0.0.1", ["198.51.100.9"], "127.0.0.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.9"], "198.51.100.9"),
        ("10.0.0.1", ["6.6.6.6, 198.51.100.9"], "198.51.100.9"),
        ("10.0.0.1", ["198.51.100.9, 10.2.3.4"], "198.51.100.9"),
        ("10.0.0.1", ["6.6.6.6", "198.51.100.9", "203.0.113.7"], "198.51.100.9"),
        ("203.0.113.7", ["198.51.100.9"], "198.51.100.9"),
        ("203.0.113.8", ["198.51.100.9"], "203.0.113.8"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.9:4711"], "198.51.100.9"),
        ("10.0.0.1", ["[2001:db8:1:2:3::4]:4711"], "2001:db8:1:2::/64"),
        ("10.0.0.1", ["198.51.100.9, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.9, "], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.9, <script>, 10.9.9.9"], "10.9.9.9"),
        ("::ffff:192.0.2.1", [], "192.0.2.1"),
        ("::ffff:10.0.0.1", ["198.51.100.9"], "198.51.100.9"),
        ("fd00::1", ["::ffff:198.51.100.9"], "198.51.100.9"),
        ("2001:db8:1:2:3:4:5:6", [], "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", [], "2001:db8:1:2::/64"),
        ("2001:db8:1:3::ffff", [], "2001:db8:1:3::/64"),
        ("fe80::1%eth0", [], "fe80::/64"),
        ("", [], ""),
    ],
)
def test_S95_only_trusted_proxies_tell_an_address(peer: str, forwarded: list[str], address: str) -> None:
    assert client_address(peer, forwarded, PROXIES) == address


def test_nobody_is_trusted_by_default() -> None:
    assert client_address("127.0.0.1", ["198.51.100.9"], ()) == "127.0.0.1"
    assert not trusts((), "127.0.0.1")
    assert trusts(PROXIES, "10.1.1.1")
    assert not trusts(PROXIES, "")


@pytest.mark.parametrize("cidr", ["10.0.0.5/8", "10.0.0.0/33", "proxy.example", "", "*"])
def test_what_is_no_network_is_said(cidr: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        networks([cidr])
