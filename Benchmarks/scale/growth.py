"""The same work on databases of 10,000 to 10 million installations."""

import argparse
import asyncio
import json
import pathlib
import random
import shutil
import tempfile
import time
import urllib.parse

from gateway import Gateway
from service import Service

from . import process
from .probe import PostgreSQLProbe
from .server import server

TOPIC = "com.example.Growth"
SECRET = "the secret of all sizes"
# The channel that has as many members at each size, spread over the whole table.
FIXED = 10_000
CITIES = 500
# Statements that take longer than this on average are shown.
SLOW_MILLISECONDS = 5

# Two channels each: one of ten large ones, and one of ten members; in the first 10,000 of each size a third.
ROWS = f"""
SELECT nextval('installation_numbers') AS number, g AS i,
    lpad(to_hex(g), 24, '0') AS object_id, md5(g::text) || md5('token ' || g) AS device_token,
    ARRAY['topic' || (g % 10), 'group' || (g / 10)] ||
        CASE WHEN g % greatest(1, %(count)s / {FIXED}) = 0 AND g < {FIXED} * greatest(1, %(count)s / {FIXED})
        THEN ARRAY['fixed'] ELSE ARRAY[]::text[] END AS channels,
    (ARRAY['Asia/Shanghai', 'Asia/Shanghai', 'Asia/Shanghai', 'Asia/Tokyo', 'Europe/Berlin', 'America/New_York',
        'America/Los_Angeles', 'Australia/Sydney'])[1 + g % 8] AS time_zone,
    jsonb_build_object('age', 14 + (g * 7919) % 70, 'city', 'city' || (g * 104729) % {CITIES},
        'premium', g % 20 = 0, 'level', g % 100) AS attributes
FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS g
"""


# From here on indexes are made when the rows are there: row by row would take an hour. They are denser then.
BULK = 2_000_000
TABLES = "('installations', 'installation_keys', 'installation_channels')"


def without_indexes(probe):
    """Drops the indexes of the tables that are filled; gives what makes them again."""
    keys = probe.psql(
        "SELECT c.relname, k.conname, pg_get_constraintdef(k.oid) FROM pg_constraint k "
        f"JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'p' AND c.relname IN {TABLES}").splitlines()
    indexes = probe.psql(
        "SELECT x.indexrelid::regclass, replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ') FROM pg_index x "
        f"JOIN pg_class c ON c.oid = x.indrelid WHERE NOT x.indisprimary AND c.relname IN {TABLES}").splitlines()
    again = []
    for line in indexes:
        name, definition = line.split("|", 1)
        probe.psql(f"DROP INDEX {name}")
        again.append(definition)
    for line in keys:
        table, name, definition = line.split("|", 2)
        probe.psql(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        again.insert(0, f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
    return again


def fill(probe, count, say):
    """Writes rows the way the store does, by SQL: as many requests would take days."""
    app = int(probe.psql("SELECT number FROM apps"))
    again = without_indexes(probe) if count > BULK else []
    now = int(time.time() * 1000)
    start, step = time.monotonic(), 250_000
    for first in range(0, count, step):
        last = min(first + step, count) - 1
        rows = ROWS.replace("%(count)s", str(count)).replace("%(first)s", str(first)).replace("%(last)s", str(last))
        probe.psql(
            f"""SET synchronous_commit = off; WITH new AS MATERIALIZED ({rows}),
            installations AS (
                INSERT INTO installations (number, app, updated_at, created_at, badge, token_registered_at, environment,
                    valid, device_type, time_zone, locale, object_id, device_token, channels, attributes)
                SELECT number, {app}, {now} - i % 1000000, {now} - i % 1000000, 0, {now} - i % 1000000, 1, TRUE, 'ios', time_zone,
                    'zh_CN', object_id, device_token, channels, attributes FROM new),
            keys AS (
                INSERT INTO installation_keys (app, kind, key, installation)
                SELECT {app}, 0, object_id, number FROM new UNION ALL SELECT {app}, 1, device_token, number FROM new)
            INSERT INTO installation_channels (app, channel, installation)
            SELECT {app}, unnest(channels), number FROM new""", timeout=3600)
        if (last + 1) % 1_000_000 == 0:
            say(f"  {last + 1} rows after {time.monotonic() - start:.0f} s")
    for statement in again:
        probe.psql(statement, timeout=3600)
        say(f"  {statement[:70]} after {time.monotonic() - start:.0f} s")
    probe.psql("VACUUM ANALYZE", "CHECKPOINT", timeout=3600)
    return time.monotonic() - start


def parse():
    parser = argparse.ArgumentParser(prog="Benchmarks/growth", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000, 10_000_000])
    parser.add_argument("--upserts", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many is shown")
    parser.add_argument("--folder", help="where the database is kept meanwhile")
    parser.add_argument("--json", type=pathlib.Path, help="a file for every figure")
    return parser.parse_args()


def main():
    options = parse()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-growth-", dir=options.folder))
    (folder / "gateway").mkdir()
    gateway = Gateway(folder / "gateway", "--open", "--history", "1000")
    columns = []
    try:
        with server(options.folder) as postgres:
            for count in options.sizes:
                print(f"\n{count} installations; {process.machine()}", flush=True)
                columns.append(Size(options, folder, gateway, postgres, count).run())
                if options.json:
                    options.json.write_text(json.dumps(columns))
    finally:
        gateway.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print("\n" + f"{'':58}" + "".join(f"{column['installations']:>13}" for column in columns))
    for name in columns[0]:
        print(f"{name:58}" + "".join(f"{shown(column.get(name)):>13}" for column in columns))
    return 0


def shown(value):
    if value is None:
        return "-"
    return str(value) if isinstance(value, (int, str)) else f"{value:.1f}" if value < 1000 else f"{value:.0f}"


class Size:
    """All measurements on one size of the database."""

    def __init__(self, options, folder, gateway, postgres, count):
        self.options, self.postgres, self.count, self.gateway = options, postgres, count, gateway
        self.name = f"rows{count}"
        self.address = postgres.database(self.name)
        self.probe = PostgreSQLProbe(self.address)
        self.service = Service(folder / self.name, gateway, topic=TOPIC, database=self.address, secret=SECRET)
        self.figures = {"installations": count}

    def run(self):
        try:
            took = fill(self.probe, self.count, lambda text: print(text, flush=True))
            print(f"  filled in {took:.0f} s", flush=True)
            self.space()
            self.service.start()
            self.probe.psql("SELECT pg_stat_statements_reset()")
            try:
                self.counts()
                self.pushes()
                self.walk()
                self.upserts()
                self.cleaning()
            finally:
                self.service.stop()
            self.slow()
        finally:
            self.postgres.drop(self.name)
        return self.figures

    def note(self, name, value):
        self.figures[name] = value
        print(f"  {name:58}{shown(value):>13}", flush=True)

    def best(self, work):
        """Seconds of the fastest of some runs."""
        found = []
        for _ in range(self.options.rounds):
            start = time.perf_counter()
            work()
            found.append(time.perf_counter() - start)
        return min(found)

    def space(self):
        lines = self.probe.psql(
            "SELECT coalesce(p.relname, c.relname), sum(pg_table_size(c.oid)), sum(pg_indexes_size(c.oid)) FROM pg_class c "
            "LEFT JOIN pg_inherits h ON h.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = h.inhparent "
            "WHERE c.relkind = 'r' AND coalesce(p.relname, c.relname) LIKE 'installation%' GROUP BY 1").splitlines()
        whole = 0
        for line in sorted(lines):
            name, table, indexes = line.split("|")
            whole += int(table) + int(indexes)
            if int(table):
                self.note(f"bytes of {name}, table", int(table) / self.count)
                self.note(f"bytes of {name}, indexes", int(indexes) / self.count)
        self.note("bytes an installation, all", whole / self.count)

    def counts(self):
        def query(where):
            path = "/1.1/installations?" + urllib.parse.urlencode({"where": json.dumps(where), "count": 1, "limit": 0})
            status, answer = self.service.call("GET", path, key=self.service.master_key + ",master")
            return answer["count"] if status == 200 else f"{status}"

        for name, where in [
            ("count of a channel with 10,000 members", {"channels": "fixed"}),
            ("count of a channel with a tenth of all", {"channels": "topic3"}),
            ("count by a field, 1 in 500 match", {"city": "city77"}),
            ("count by a field, a seventh match", {"age": {"$gte": 74}}),
            ("count by type and zone", {"deviceType": "ios", "timeZone": "Asia/Tokyo"}),
        ]:
            found, cpu = [], self.postgres.cpu_seconds()
            took = self.best(lambda: found.append(query(where)))
            cpu = (self.postgres.cpu_seconds() - cpu) / self.options.rounds
            self.note(name + ", ms", took * 1000 if isinstance(found[-1], int) else f"code {found[-1]}")
            self.note(name + ", ms of processor", cpu * 1000)
        number = self.count // 2
        self.note("one installation by its token, ms", 1000 * self.best(lambda: query(
            {"deviceToken": self.probe_token(number)})))

    def probe_token(self, number):
        if not hasattr(self, "_token"):
            self._token = self.probe.psql(f"SELECT md5('{number}') || md5('token ' || {number})")
        return self._token

    def push(self, body):
        """Sends and waits; gives seconds, and microseconds of the service and of PostgreSQL a device."""
        pid = self.service.process.pid
        service, postgres = process.cpu_seconds(pid), self.postgres.cpu_seconds()
        push = self.service.master("POST", "/1.1/push", body)["objectId"]
        end = time.monotonic() + 300
        while self.probe.psql(f"SELECT ended_at IS NOT NULL FROM pushes WHERE object_id = '{push}'") != "t":
            if time.monotonic() > end:
                raise RuntimeError(f"not done: {self.service.record(push)}")
            time.sleep(0.05)
        service, postgres = process.cpu_seconds(pid) - service, self.postgres.cpu_seconds() - postgres
        began, ended = map(int, self.probe.psql(
            f"SELECT created_at || '|' || ended_at FROM pushes WHERE object_id = '{push}'").split("|"))
        count = self.service.record(push)["devices"]
        return (ended - began) / 1000, service * 1e6 / count, postgres * 1e6 / count, count

    def pushes(self):
        body = {"channels": ["fixed"], "data": {"alert": "To 10,000"}}
        rounds = [self.push(body) for _ in range(self.options.rounds + 1)]
        assert rounds[0][3] == min(FIXED, self.count), rounds
        self.note("push to 10,000 in a channel, seconds", min(each[0] for each in rounds))
        self.note("push to 10,000 in a channel, µs of the service each", min(each[1] for each in rounds))
        self.note("push to 10,000 in a channel, µs of PostgreSQL each", min(each[2] for each in rounds))
        rounds = [self.push({"channels": [f"group{self.count // 20}"], "data": {"alert": "To ten"}})
                  for _ in range(3 * self.options.rounds)]
        self.note("push to a channel of ten, ms", 1000 * min(each[0] for each in rounds))
        rounds = [self.push({"where": {"city": "city77", "age": {"$gte": 80}}, "data": {"alert": "To few"}})
                  for _ in range(self.options.rounds)]
        self.note("push by where on two fields, ms", 1000 * min(each[0] for each in rounds))
        self.note("push by where on two fields, devices", rounds[0][3])

    def walk(self):
        """Planning of a push to everybody, which its pace keeps from being sent meanwhile."""
        postgres = self.postgres.cpu_seconds()
        push = self.service.master("POST", "/1.1/push", {
            "data": {"alert": "To all"}, "flow_control": 4000})["objectId"]
        start, end = time.monotonic(), time.monotonic() + 900
        while self.probe.psql(
            "SELECT bool_and(s.is_planned) FROM segments s JOIN pushes p ON p.number = s.push "
            f"WHERE p.object_id = '{push}'") != "t":
            if time.monotonic() > end:
                raise RuntimeError("planning takes more than 900 s")
            time.sleep(0.02)
        took, postgres = time.monotonic() - start, self.postgres.cpu_seconds() - postgres
        self.service.master("POST", f"/1.1/pushes/{push}/cancel", {})
        planned = int(self.probe.psql(
            f"SELECT sum(device_count) FROM batches b JOIN pushes p ON p.number = b.push WHERE p.object_id = '{push}'"))
        assert planned == self.count, f"{planned} of {self.count} planned"
        self.note("audience walk, rows/s", planned / took)
        self.note("audience walk, µs of PostgreSQL a row", postgres * 1e6 / planned)

    def upserts(self):
        pid = self.service.process.pid
        found = []
        for number in range(self.options.rounds):
            service, postgres = process.cpu_seconds(pid), self.postgres.cpu_seconds()
            start = time.monotonic()
            asyncio.run(upsert(self.service, self.count, self.options.upserts, number))
            took = time.monotonic() - start
            each = 1e6 / self.options.upserts
            found.append((
                self.options.upserts / took, (process.cpu_seconds(pid) - service) * each,
                (self.postgres.cpu_seconds() - postgres) * each))
        self.note("upserts of known devices, 64 callers, /s", max(each[0] for each in found))
        self.note("upserts, µs of the service each", min(each[1] for each in found))
        self.note("upserts, µs of PostgreSQL each", min(each[2] for each in found))

    def cleaning(self):
        """What the removal of old rows asks every ten minutes, when there is nothing to remove."""
        app = int(self.probe.psql("SELECT number FROM apps"))
        times = [
            json.loads(self.probe.psql(
                "EXPLAIN (ANALYZE, FORMAT JSON) SELECT number FROM installations "
                f"WHERE app = {app} AND updated_at < 1000 LIMIT 1000"))[0]["Execution Time"]
            for _ in range(self.options.rounds)]
        self.note("looking for expired installations, ms", min(times))

    def slow(self):
        lines = self.probe.psql(
            "SELECT calls, round(mean_exec_time::numeric, 1), left(regexp_replace(query, '\\s+', ' ', 'g'), 200) "
            f"FROM pg_stat_statements WHERE mean_exec_time > {SLOW_MILLISECONDS} AND query !~* 'pg_stat|^VACUUM|^CHECKPOINT' "
            "ORDER BY mean_exec_time DESC LIMIT 12").splitlines()
        print("  statements that took long: calls, mean ms", *lines, sep="\n    ", flush=True)


async def upsert(service, count, total, seed, callers=64):
    """Registers devices again that the table has, spread over all of it."""
    host, port = service.url.split("//")[1].rsplit(":", 1)
    chance = random.Random(seed)
    left = [total]
    head = (
        f"Host: {host}\r\nContent-Type: application/json\r\nX-LC-Id: {service.app_id}\r\n"
        f"X-LC-Key: {service.app_key}\r\n")

    async def caller():
        reader, writer = await asyncio.open_connection(host, int(port))
        while left[0] > 0:
            left[0] -= 1
            number = chance.randrange(count)
            body = json.dumps({"timeZone": "Asia/Shanghai", "level": chance.randrange(100), "badge": 0})
            identifier = f"{number:024x}"
            writer.write((
                f"PUT /1.1/installations/{identifier} HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}"
            ).encode())
            answer = await reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200"), answer
            length = int(answer.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
        writer.close()

    await asyncio.gather(*(caller() for _ in range(callers)))
