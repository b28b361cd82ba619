"""A PostgreSQL server of our own, whose processor time and statements are counted."""

import contextlib
import os
import pathlib
import subprocess
import tempfile

from gateway import ROOT

from . import process
from .probe import PostgreSQLProbe

# Waits for the disk as in production; room for a large database; counts what it is asked.
SETTINGS = """
shared_buffers = 1GB
max_wal_size = 8GB
maintenance_work_mem = 512MB
checkpoint_timeout = 30min
shared_preload_libraries = 'pg_stat_statements'
pg_stat_statements.track_utility = on
"""


class Server:
    """Addresses of databases on a running server, and what it has used."""

    def __init__(self, folder, address):
        self.address = address
        self.postmaster = int((pathlib.Path(folder) / "data/postmaster.pid").read_text().splitlines()[0])
        self.admin = PostgreSQLProbe(address)

    def database(self, name):
        self.admin.psql(f"CREATE DATABASE {name}")
        address = self.address.rsplit("/", 1)[0] + "/" + name
        PostgreSQLProbe(address).psql("CREATE EXTENSION pg_stat_statements")
        return address

    def drop(self, name):
        self.admin.psql(f"DROP DATABASE {name} WITH (FORCE)")

    def cpu_seconds(self):
        return process.tree_cpu_seconds(self.postmaster)


@contextlib.contextmanager
def server(folder=None):
    """Starts a server in a folder that goes afterwards."""
    place = tempfile.mkdtemp(prefix="belfry-postgres-", dir=folder)
    # The server runs as another user where we are root.
    os.chmod(place, 0o755)
    script = str(ROOT / "scripts/postgres")
    environment = {**os.environ, "BELFRY_POSTGRES_DURABLE": "1", "BELFRY_POSTGRES_SETTINGS": SETTINGS}
    address = subprocess.run(
        [script, "start", place], check=True, stdout=subprocess.PIPE, text=True, env=environment,
        start_new_session=True).stdout.strip()
    try:
        yield Server(place, address)
    finally:
        subprocess.run([script, "stop", place], check=False)
