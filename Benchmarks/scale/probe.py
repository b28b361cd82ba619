"""Looks into a service's database from outside: rows, sizes, connections; and lets what is kept grow old."""

import contextlib
import pathlib
import sqlite3
import subprocess

DAY = 86_400_000
TABLES = [
    "installations", "installation_channels", "records", "pushes", "segments", "batches", "request_ids", "opens",
    "sent_pushes", "installation_interests", "seen_articles", "recent_events", "event_counts", "webhook_outbox",
    "audit_log",
]
# What the token of a device that is registered and never seen again begins with; long enough that no other's does by
# chance.
GUEST = "0d15ea5e0d15ea5e"


def ageing(now, keep):
    """Statements that make what ended longer ago than `keep` milliseconds a day, or a month, older.

    The shortest times for which anything is kept are a day (records, installations) and 30 days (events). A run
    of an hour sees nothing go unless the rows are older than they look; the service's own cleaning then removes them.
    """
    old, lately = now - keep, now - DAY
    return [
        f"UPDATE records SET created_at = created_at - {DAY} WHERE created_at BETWEEN {lately} AND {old} AND number IN "
        f"(SELECT record FROM pushes WHERE ended_at BETWEEN {lately} AND {old})",
        f"UPDATE pushes SET ended_at = ended_at - {DAY} WHERE ended_at BETWEEN {lately} AND {old}",
        f"UPDATE installations SET updated_at = updated_at - {DAY} WHERE updated_at BETWEEN {lately} AND {old} "
        f"AND device_token LIKE '{GUEST}%'",
        *(
            f"UPDATE {table} SET at = at - {days * DAY} WHERE at BETWEEN {lately} AND {old}"
            for table, days in [("sent_pushes", 32), ("seen_articles", 31), ("recent_events", 31)]
        ),
    ]


class SQLiteProbe:
    kind = "sqlite"

    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "belfry.sqlite"

    def version(self):
        return "SQLite"

    @contextlib.contextmanager
    def _open(self):
        database = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        try:
            yield database
        finally:
            database.close()

    def rows(self):
        with self._open() as database:
            return {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES}

    def sizes(self):
        """MiB by file; the log is emptied and used again, and has the size of its longest time."""
        with self._open() as database:
            page = database.execute("PRAGMA page_size").fetchone()[0]
            free = database.execute("PRAGMA freelist_count").fetchone()[0]
        log = self.path.with_name(self.path.name + "-wal")
        return {
            "database file": self.path.stat().st_size / 2**20, "free pages in it": free * page / 2**20,
            "write-ahead log": log.stat().st_size / 2**20 if log.exists() else 0,
        }

    def connections(self):
        return None

    def age(self, now, keep):
        with self._open() as database:
            for statement in ageing(now, keep):
                database.execute(statement)


class PostgreSQLProbe:
    kind = "postgres"

    def __init__(self, address):
        self.address = address

    def psql(self, *commands, timeout=600):
        arguments = [part for command in commands for part in ("-c", command)]
        result = subprocess.run(
            ["psql", self.address, "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", *arguments],
            capture_output=True, text=True, timeout=timeout,
        )
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        return result.stdout.strip()

    def version(self):
        return self.psql("SHOW server_version")

    def rows(self):
        parts = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in TABLES)
        return {name: int(count) for name, count in (line.split("|") for line in self.psql(parts).splitlines())}

    def sizes(self):
        """MiB of the database, and of each table that has more than one, with its indexes and parts."""
        lines = self.psql(
            "SELECT coalesce(p.relname, c.relname), sum(pg_total_relation_size(c.oid)) / 1048576.0 "
            "FROM pg_class c LEFT JOIN pg_inherits h ON h.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = h.inhparent "
            "WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1",
            "SELECT 'whole database', pg_database_size(current_database()) / 1048576.0",
        ).splitlines()
        return {name: float(size) for name, size in (line.split("|") for line in lines)}

    def connections(self):
        return int(self.psql(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND application_name NOT LIKE 'psql%' AND backend_type = 'client backend'"
        ))

    def age(self, now, keep):
        self.psql(*ageing(now, keep))
