"""Keys, tokens and certificates for tests of the doors, each made for the test that uses it."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from muggins_service.doors.key_file import key_line, written_key
from muggins_service.doors.scopes import Scope
from tests.service.server import Field, Metadata

__all__ = [
    "AUDIENCE",
    "ISSUER",
    "Authority",
    "Pair",
    "Signer",
    "bearer",
    "claims",
    "key_set",
    "make_key",
    "until",
    "write_pair",
]

ISSUER = "https://issuer.test"
AUDIENCE = "muggins"


def bearer(text: str, *, acting_for: str = "") -> Metadata:
    """The metadata that show credentials."""
    shown = (("authorization", f"Bearer {text}"),)
    return (*shown, ("muggins-principal", acting_for)) if acting_for else shown


def make_key(
    principal: str, *scopes: Scope, key_id: str = "k1", expiry: str = ""
) -> tuple[str, str]:
    """A key and its line in a file."""
    text = written_key(key_id, f"secret-of-{key_id}-{principal}")
    return text, key_line(key_id, principal, frozenset(scopes), text, expiry) + "\n"


class Signer:
    """An identity provider: a private key by its name."""

    def __init__(self, kid: str = "one", kind: str = "EC") -> None:
        self.kid = kid
        self.private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
        if kind == "EC":
            self.private, self.algorithm = ec.generate_private_key(ec.SECP256R1()), "ES256"
        else:
            self.private, self.algorithm = rsa.generate_private_key(65537, 2048), "RS256"

    @property
    def member(self) -> dict[str, Any]:
        """Its public key as a key set has it."""
        public = self.private.public_key()
        written = (
            ECAlgorithm.to_jwk(public, as_dict=True)
            if isinstance(public, ec.EllipticCurvePublicKey)
            else RSAAlgorithm.to_jwk(public, as_dict=True)
        )
        return {**written, "kid": self.kid, "use": "sig", "alg": self.algorithm}

    def token(self, *, kid: str | None = None, **changed: object) -> str:
        """A token with such claims; a claim of None is left out."""
        return jwt.encode(
            claims(**changed),
            self.private,
            algorithm=self.algorithm,
            headers={"kid": kid or self.kid},
        )


def claims(**changed: object) -> dict[str, object]:
    """The claims of a good token, but for what is changed; None leaves a claim out."""
    good = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ana",
        "exp": datetime.now(UTC) + timedelta(minutes=5),
        "scope": "openid player",
    }
    return {name: value for name, value in (good | changed).items() if value is not None}


def key_set(*signers: Signer) -> str:
    """The key set of some providers."""
    return json.dumps({"keys": [signer.member for signer in signers]})


class Pair(NamedTuple):
    """A certificate and its key, in PEM."""

    certificate: bytes
    key: bytes


class Authority:
    """Who signs certificates."""

    def __init__(self, name: str = "authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named(name)
        constraint = x509.BasicConstraints(ca=True, path_length=None)
        signed = _certificate(self._name, self._name, self._key).add_extension(
            constraint, critical=True
        )
        self.certificate = signed.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM)

    def pair(self, name: str = "server") -> Pair:
        """A certificate for this machine."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
        signed = _certificate(_named(name), self._name, key).add_extension(names, critical=False)
        written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return Pair(signed.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM), written)

    def trusted(self, shown: Pair | None = None) -> grpc.ChannelCredentials:
        """The credentials of a client that trusts it, and shows a certificate of its own."""
        if shown is None:
            return grpc.ssl_channel_credentials(self.certificate)
        return grpc.ssl_channel_credentials(self.certificate, shown.key, shown.certificate)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )


def write_pair(folder: Path, pair: Pair) -> dict[str, Field]:
    """The settings of a server that shows a certificate."""
    certificate, key = folder / "server.pem", folder / "server.key"
    key.write_bytes(pair.key)
    certificate.write_bytes(pair.certificate)
    return {"tls_cert": str(certificate), "tls_key": str(key)}


async def until(found: Callable[[], Awaitable[bool]]) -> None:
    """Ask until it is so."""
    deadline = time.monotonic() + 20
    while not await found():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
