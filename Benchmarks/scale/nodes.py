"""A push to everybody by one node and by several: rate, processor time, statements; each device exactly once."""

import argparse
import json
import pathlib
import shutil
import tempfile
import time

from gateway import Gateway
from service import Service

from . import process
from .probe import PostgreSQLProbe
from .server import server

TOPIC = "com.example.Nodes"
SECRET = "the secret of all nodes"
IDLE_SECONDS = 20


def export(path, tokens):
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    with open(path, "w", encoding="utf-8") as file:
        for index, token in enumerate(tokens):
            file.write(json.dumps({
                "objectId": f"{index:024x}", "deviceType": "ios", "deviceToken": token, "createdAt": now,
                "updatedAt": now, "channels": ["all"], "timeZone": "Asia/Shanghai", "age": index % 90,
            }) + "\n")


def parse():
    parser = argparse.ArgumentParser(prog="Benchmarks/nodes", description=__doc__)
    parser.add_argument("--devices", type=int, default=500_000)
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 3])
    parser.add_argument("--rounds", type=int, default=3, help="pushes for each number of nodes")
    parser.add_argument("--folder", help="where the database is kept meanwhile")
    parser.add_argument("--statements", action="store_true", help="list the statements of each round's push")
    return parser.parse_args()


def main():
    options = parse()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-nodes-", dir=options.folder))
    (folder / "gateway").mkdir()
    print(f"{options.devices} installations on one PostgreSQL; {process.machine()}", flush=True)
    gateway = Gateway(folder / "gateway", "--open", "--history", str(options.devices + 50_000))
    try:
        with server(options.folder) as postgres:
            return Bench(options, folder, gateway, postgres).run()
    finally:
        gateway.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Bench:
    def __init__(self, options, folder, gateway, postgres):
        self.options, self.folder, self.gateway, self.postgres = options, folder, gateway, postgres
        self.address = postgres.database("nodes")
        self.probe = PostgreSQLProbe(self.address)
        tokens = []
        while len(tokens) < options.devices:
            added = gateway.call(
                "POST", "/devices", {"topic": TOPIC, "count": min(50_000, options.devices - len(tokens))})
            tokens += [device["token"] for device in added["devices"]]
        self.services = []
        for number in range(max(options.nodes)):
            self.services.append(Service(
                folder / f"node{number}", gateway, topic=TOPIC, database=self.address, secret=SECRET,
                first=self.services[0] if self.services else None))
        first = self.services[0]
        export(folder / "export.jsonl", tokens)
        start, cpu = time.monotonic(), postgres.cpu_seconds()
        first.belfry("import", folder / "export.jsonl", "--app", first.app_id, "--data", first.data)
        took, cpu = time.monotonic() - start, postgres.cpu_seconds() - cpu
        (folder / "export.jsonl").unlink()
        self.probe.psql("VACUUM ANALYZE")
        print(
            f"import: {options.devices / took:.0f} rows/s, {cpu / options.devices * 1e6:.0f} µs of PostgreSQL a row",
            flush=True)
        self.pushes, self.repeated = 0, {}

    def run(self):
        print(
            f"\n{'nodes':>5}{'push':>6}{'devices/s':>11}{'node µs':>9}{'PostgreSQL µs':>15}{'gateway µs':>12}"
            f"{'statements':>12}{'a batch':>9}{'WAL bytes':>11}{'batches by node':>26}   all exactly once")
        print(f"{'':>17}" + f"{'':>5}{'each a device':>35}{'':>25}{'a device':>11}")
        is_good = True
        for count in self.options.nodes:
            nodes = self.services[:count]
            for service in nodes:
                service.start()
            for number in range(self.options.rounds):
                is_good &= self.push(nodes, number)
            self.idle(nodes)
            for service in nodes:
                service.stop()
        print(
            "\nAll of it shares the processor's cores: nodes, PostgreSQL, the gateway and the reader of the record. "
            "Where these are busy\nalready with one node, more nodes cannot be faster; what each device costs is what "
            f"scales. {process.machine()}")
        return 0 if is_good else 1

    def push(self, nodes, number):
        devices = self.options.devices
        pids = [service.process.pid for service in nodes]
        self.probe.psql("SELECT pg_stat_statements_reset()")
        log = self.probe.psql("SELECT pg_current_wal_lsn()")
        cpu = [process.cpu_seconds(pid) for pid in pids]
        gateway, postgres = process.cpu_seconds(self.gateway.process.pid), self.postgres.cpu_seconds()
        push = nodes[-1].master("POST", "/1.1/push", {"data": {"alert": f"To all, {number}"}})["objectId"]
        start = time.monotonic()
        while True:
            # Rarely: reading a record reads all its batches.
            time.sleep(0.25)
            if self.probe.psql(f"SELECT ended_at IS NOT NULL FROM pushes WHERE object_id = '{push}'") == "t":
                break
            if time.monotonic() - start > 600:
                raise RuntimeError(f"not done after 600 s: {nodes[0].record(push)}")
        began, ended = self.probe.psql(
            f"SELECT created_at || '|' || ended_at FROM pushes WHERE object_id = '{push}'").split("|")
        node_cpu = sum(process.cpu_seconds(pid) - before for pid, before in zip(pids, cpu))
        gateway = process.cpu_seconds(self.gateway.process.pid) - gateway
        postgres = self.postgres.cpu_seconds() - postgres
        statements = int(self.probe.psql(
            "SELECT sum(calls) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%' AND query NOT LIKE '%ended_at IS NOT NULL%'"))
        wal = int(self.probe.psql(f"SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '{log}')::bigint"))
        owners = self.probe.psql(
            "SELECT b.owner, count(*) FROM batches b JOIN pushes p ON p.number = b.push "
            f"WHERE p.object_id = '{push}' GROUP BY 1 ORDER BY 2 DESC").splitlines()
        shares = [int(line.split("|")[1]) for line in owners]
        self.pushes += 1
        record = nodes[0].record(push)
        missing, again, twice = self.check()
        is_good = not missing and not twice and record["devices"] == record["successes"] == devices
        seconds = (int(ended) - int(began)) / 1000
        each = 1e6 / devices
        print(
            f"{len(nodes):5}{number + 1:6}{devices / seconds:11.0f}{node_cpu * each:9.1f}{postgres * each:15.1f}"
            f"{gateway * each:12.1f}{statements:12}{statements / sum(shares):9.1f}{wal / devices:11.0f}"
            f"{' + '.join(map(str, shares)):>26}   " + (
                f"NO: {missing} missing, {twice} shown twice" if not is_good
                else f"yes; {again} were sent it again, in its own place" if again else "yes"), flush=True)
        if self.options.statements:
            print(self.probe.psql(
                "SELECT calls, round(total_exec_time), left(regexp_replace(query, '\\s+', ' ', 'g'), 110) "
                "FROM pg_stat_statements ORDER BY calls DESC LIMIT 25"), flush=True)
        return is_good

    def idle(self, nodes):
        """What nodes ask that have nothing to do."""
        time.sleep(2)
        self.probe.psql("SELECT pg_stat_statements_reset()")
        postgres, cpu = self.postgres.cpu_seconds(), sum(process.cpu_seconds(each.process.pid) for each in nodes)
        time.sleep(IDLE_SECONDS)
        postgres = self.postgres.cpu_seconds() - postgres
        cpu = sum(process.cpu_seconds(each.process.pid) for each in nodes) - cpu
        statements = int(self.probe.psql(
            "SELECT sum(calls) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%'"))
        each = 1 / IDLE_SECONDS / len(nodes)
        print(
            f"{len(nodes):5}  idle: {statements * each:.0f} statements a second and node, {cpu * each * 1000:.1f} ms of the node "
            f"and {postgres * each * 1000:.1f} ms of PostgreSQL a second and node", flush=True)

    def check(self):
        """How many devices lack a push, got the latest once more in its own place, and show one twice."""
        missing = again = twice = seen = 0
        after = ""
        while True:
            page = self.gateway.call("GET", f"/devices?limit=10000{after}")
            for device in page["devices"]:
                seen += 1
                expected = self.pushes + self.repeated.get(device["id"], 0)
                missing += device["latest_sequence"] < expected
                if device["latest_sequence"] > expected:
                    self.repeated[device["id"]] = device["latest_sequence"] - self.pushes
                    # A connection that broke may have carried it before: sent again, it takes the first one's place.
                    found = self.gateway.call("GET", f"/devices/{device['id']}/notifications")["notifications"]
                    shown = {each["request_identifier"] for each in found}
                    again, twice = again + 1, twice + (len(shown) > self.pushes or not shown)
            if "next" not in page:
                break
            after = "&after=" + page["next"]
        return missing + self.options.devices - seen, again, twice
