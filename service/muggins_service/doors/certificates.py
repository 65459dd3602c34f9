"""The server's certificate, which may be changed while it serves."""

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import cast

import grpc

__all__ = ["BadCertificate", "Certificates", "read_certificate"]


class BadCertificate(ValueError):  # noqa: N818 - says what it is, as IllegalAction does
    """Files that are no certificate, no key, or do not belong together; the text says which."""


class Certificates:
    """What a server shows for itself: new connections get what `use` was given last."""

    def __init__(self, first: grpc.ServerCertificateConfiguration, *, asks_clients: bool) -> None:
        """`asks_clients`: a client must show a certificate of the authorities in it."""
        self._newest = first
        self._asks_clients = asks_clients

    def use(self, newer: grpc.ServerCertificateConfiguration) -> None:
        """Show something else from the next connection on; those that are open keep theirs."""
        self._newest = newer

    def credentials(self) -> grpc.ServerCredentials:
        """Credentials for one port: each asks for what is new since it last asked itself."""
        told = self._newest

        def changed() -> grpc.ServerCertificateConfiguration | None:
            nonlocal told
            if told is self._newest:
                return None
            told = self._newest
            return told

        return grpc.dynamic_ssl_server_credentials(
            told,
            # The published type forgets that nothing new is told by None.
            cast("Callable[[], grpc.ServerCertificateConfiguration]", changed),
            require_client_authentication=self._asks_clients,
        )


def read_certificate(
    certificate: str, key: str, client_ca: str = ""
) -> grpc.ServerCertificateConfiguration:
    """What the files hold, whose paths are given. Blocks.

    Raises:
        BadCertificate: they cannot be used.
    """
    pair = (_bytes(key), _bytes(certificate))
    try:
        # gRPC would take a pair that does not fit, and then fail at every handshake.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as error:
        reason = error.reason or "not in PEM"
        raise BadCertificate(f"{certificate}, {key}: {reason}") from None
    except ValueError:
        raise BadCertificate(f"{key}: a key with a password cannot be used") from None
    if pair != (_bytes(key), _bytes(certificate)):
        raise BadCertificate(f"{certificate}, {key}: just being changed")
    return grpc.ssl_server_certificate_configuration([pair], _authorities(client_ca))


def _authorities(client_ca: str) -> bytes | None:
    if not client_ca:
        return None
    data = _bytes(client_ca)
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_verify_locations(client_ca)
    except ssl.SSLError:
        raise BadCertificate(f"{client_ca}: no certificates in PEM") from None
    return data


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise BadCertificate(f"{path}: {error.strerror}") from None


def _no_password() -> str:
    """Never ask at the terminal."""
    raise ValueError
