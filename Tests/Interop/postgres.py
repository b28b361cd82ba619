"""Databases of the PostgreSQL server that `scripts/postgres run` starts, one for each test."""

import contextlib
import os
import subprocess
import uuid

import pytest

VARIABLE = "BELFRY_TEST_POSTGRES"


def psql(address, *commands):
    """Runs commands with the server's own client and gives what they print."""
    arguments = [part for command in commands for part in ("-c", command)]
    result = subprocess.run(
        ["psql", address, "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", *arguments],
        capture_output=True, text=True, timeout=60,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@contextlib.contextmanager
def database():
    """The address of an empty database that goes afterwards."""
    server = os.environ.get(VARIABLE)
    if not server:
        message = f"{VARIABLE} is not set: scripts/postgres run .venv/bin/python -m pytest Tests/Interop"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    name = "belfry_" + uuid.uuid4().hex
    psql(server, f"CREATE DATABASE {name}")
    try:
        yield server.rsplit("/", 1)[0] + "/" + name
    finally:
        psql(server, f"DROP DATABASE {name} WITH (FORCE)")


def children_of_server(address):
    """Process ids of the server's sessions with this database."""
    return [int(line) for line in psql(
        address, "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    ).split()]
