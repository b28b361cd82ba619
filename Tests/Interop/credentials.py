"""Provider tokens and client certificates, made by libraries that know nothing of Belfry."""

import datetime
import pathlib
import time

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

DEVELOPMENT = "1.2.840.113635.100.6.3.1"
PRODUCTION = "1.2.840.113635.100.6.3.2"
TOPICS = "1.2.840.113635.100.6.3.6"


def provider_token(gateway, *, key=None, key_id=None, team_id=None, issued_at=None, **claims):
    key = key or pathlib.Path(gateway.key).read_text()
    issued_at = int(time.time()) if issued_at is None else issued_at
    return jwt.encode(
        {"iss": team_id or gateway.team_id, "iat": issued_at, **claims},
        key,
        algorithm="ES256",
        headers={"kid": key_id or gateway.key_id},
    )


def new_signing_key():
    """A .p8 text that no gateway knows."""
    return (
        ec.generate_private_key(ec.SECP256R1())
        .private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        .decode()
    )


def _der(tag, body):
    assert len(body) < 128
    return bytes([tag, len(body)]) + body


def _topic_list(topics):
    """Apple's extension 6.3.6: a sequence of topic, sequence of kinds, topic, …"""
    parts = b""
    for topic, kind in topics:
        parts += _der(0x0C, topic.encode()) + _der(0x30, _der(0x0C, kind.encode()))
    return _der(0x30, parts)


def client_certificate(gateway, folder, bundle_id, *, environments=(DEVELOPMENT, PRODUCTION), topics=()):
    """A certificate like Apple's for an app, signed by the gateway's authority; gives the PEM file's path."""
    authority = x509.load_pem_x509_certificate((gateway.data / "ca.pem").read_bytes())
    authority_key = serialization.load_pem_private_key((gateway.data / "ca-key.pem").read_bytes(), None)
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(
            x509.Name(
                [
                    x509.NameAttribute(NameOID.USER_ID, bundle_id),
                    x509.NameAttribute(NameOID.COMMON_NAME, f"Apple Push Services: {bundle_id}"),
                ]
            )
        )
        .issuer_name(authority.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
    )
    null = b"\x05\x00"
    for identifier in environments:
        builder = builder.add_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier(identifier), null), critical=False
        )
    if topics:
        value = _topic_list(topics)
        builder = builder.add_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier(TOPICS), value), critical=False
        )
    certificate = builder.sign(authority_key, hashes.SHA256())
    path = pathlib.Path(folder) / f"{bundle_id}.pem"
    path.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return path
