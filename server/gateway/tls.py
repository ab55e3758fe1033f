"""TLS with a certificate from files."""

import ssl
from pathlib import Path


class CertificateError(Exception):
    """The files are of no use; the text says why, for the operator."""


def tls_context(cert: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """What sockets are wrapped with, or None without a certificate. Raises `CertificateError`."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise CertificateError("a certificate and its key go together: give both, --tls-cert and --tls-key, or none")
    for path in (cert, key):
        try:
            path.read_bytes()
        except OSError as error:
            raise CertificateError(f"cannot read {path}: {error.strerror}") from None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(cert, key, password="")  # empty: a locked key is refused, nobody is asked on a terminal
    except (ssl.SSLError, ValueError):
        why = "there must be a PEM certificate (with its chain), and its own key without a passphrase"
        raise CertificateError(f"cannot use {cert} with {key}: {why}") from None
    return context
