"""From where a client comes: what the limits of an address are counted by."""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

IPV6_PREFIX = 64
"""What one household or machine is given of IPv6: who has one address there has them all."""


def networks(cidrs: Iterable[str]) -> tuple[Network, ...]:
    """Networks from their usual notation (an address alone is a network of one). Raises ValueError."""
    return tuple(ip_network(cidr) for cidr in cidrs)


def trusts(trusted: Sequence[Network], peer: str) -> bool:
    """Whether the other end of a socket is a proxy that is believed."""
    address = _parse(peer)
    return address is not None and _within(address, trusted)


def client_address(peer: str, forwarded: Iterable[str], trusted: Sequence[Network]) -> str:
    """The address by which a client is limited; IPv6 by its /64.

    That is the socket's `peer`. Only if that is a trusted proxy, the `X-Forwarded-For` headers are read, from the right:
    every proxy has appended from whom it took the request, so the first one that is not trusted is the client, and what
    stands to the left of it is hearsay. An entry that cannot be read was not written by a good proxy: whoever passed it
    on counts.
    """
    address = _parse(peer)
    if address is None:
        return peer
    hops = [hop for header in forwarded for hop in header.split(",")]
    while hops and _within(address, trusted):
        told = _parse(hops.pop())
        if told is None:
            break
        address = told
    return str(address) if address.version == 4 else str(ip_network((address, IPV6_PREFIX), strict=False))


def _parse(text: str) -> Address | None:
    """An address, maybe with a port or a zone; IPv4 in the clothes of IPv6 is IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _within(address: Address, trusted: Sequence[Network]) -> bool:
    return any(address in network for network in trusted)
