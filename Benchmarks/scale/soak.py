"""The soak: load, a sample every 15 seconds, a report."""

import argparse
import http.server
import json
import os
import pathlib
import shutil
import statistics
import tempfile
import threading
import time

from gateway import BELFRY, Gateway
from service import Service

from . import process
from .flat import ROUND_SECONDS, Bound, fit, percentile
from .load import SMALL_CHANNELS, Load
from .probe import PostgreSQLProbe, SQLiteProbe

TOPIC = "com.example.Soak"
SECRET = "the secret of a soak"
# How long after their end records and the like are made to look a day older; cleaning is every ten minutes.
KEEP_SECONDS = 300
AGEING_SECONDS = 60
# Memory has settled when SQLite's page cache of at most 32 MiB holds what the load touches, and each thread's part of
# the heap is as large as its largest work: after the third round of cleaning.
BOUNDS = [
    ("memory", Bound(0.05, 4, settling=0.5)), ("mapped files", Bound(0.10, 8)), ("threads", Bound(0, 0)),
    ("workers of the Swift runtime", Bound(0, 3)),
    ("open files", Bound(0, 3)), ("database connections", Bound(0, 1)), ("MiB: database file", Bound(0.20, 2)),
    # The log is as large as it ever had to be, and is cut to 64 MiB.
    ("MiB: write-ahead log", Bound(0, 64)),
    # PostgreSQL takes a table up for cleaning when a fifth of it is dead.
    ("rows:", Bound(0.10, 50)), ("MiB:", Bound(0.20, 2)), ("gateway memory", Bound(0.05, 4)),
]
# Shown only: the audit log has a row for each change by an administrator and keeps it, and the gateway is no part
# of the service.
SHOWN_ONLY = {"rows: audit_log", "gateway memory"}
# Rows that hold what was asked for lately are as many as there were requests lately: those are judged by request. The
# figure is how many rows the table has without any.
BY_REQUEST = {
    "rows: installations": "devices", "rows: installation_channels": "channels", "rows: batches": 0, "rows: opens": 0,
    "rows: pushes": 0, "rows: recent_events": 0, "rows: records": 0, "rows: seen_articles": 0, "rows: segments": 0,
    "rows: sent_pushes": 0,
}
# How long a row lives on average (by Little's law there are as many as are made in that time): it is made older once
# a minute when its time has come, and goes with the next cleaning.
LATELY_SECONDS = KEEP_SECONDS + AGEING_SECONDS / 2 + ROUND_SECONDS / 2
# Tables that one kind of request fills: requests come at random, and so few of one kind are not in step with all.
BY_KIND = {"rows: opens": "opens"}


# What libdispatch calls its threads, as far as Linux keeps names.
RUNTIME_NAMES = ("default-qos", "qos.overcommit")


class Hook(http.server.BaseHTTPRequestHandler):
    """Takes webhooks."""

    protocol_version = "HTTP/1.1"
    count = 0

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        Hook.count += 1
        self.send_response(204)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def export(path, tokens):
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    with open(path, "w", encoding="utf-8") as file:
        for index, token in enumerate(tokens):
            file.write(json.dumps({
                "objectId": f"{index:024x}", "deviceType": "ios", "deviceToken": token, "createdAt": now,
                "updatedAt": now, "channels": ["all", f"c{index % SMALL_CHANNELS}"], "age": index % 90,
                "timeZone": "Asia/Shanghai",
            }) + "\n")


def parse():
    parser = argparse.ArgumentParser(prog="Benchmarks/soak", description=__doc__)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--rate", type=float, default=50, help="requests a second")
    parser.add_argument("--devices", type=int, default=5000)
    parser.add_argument("--interval", type=float, default=15, help="seconds between samples")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, help="a file for every sample")
    parser.add_argument("--judge", type=pathlib.Path, help="judge a run again whose samples are in such a file")
    return parser.parse_args()


def main():
    options = parse()
    if options.judge:
        run = json.loads(options.judge.read_text())
        growing = judge(run["samples"], run["options"]["seconds"], run["options"]["devices"])
        print(f"GROWS: {', '.join(growing)}" if growing else "Everything is flat.")
        return 1 if growing else 0
    database = None
    if options.database == "postgres":
        database = os.environ.get("BELFRY_TEST_POSTGRES")
        if not database:
            raise SystemExit("soak: BELFRY_TEST_POSTGRES is not set: scripts/postgres run Benchmarks/soak …")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-soak-"))
    (folder / "gateway").mkdir()
    gateway = Gateway(folder / "gateway", "--open", "--history", str(2 * options.devices))
    service = None
    try:
        service = Service(folder / "service", gateway, topic=TOPIC, database=database, secret=SECRET)
        result = Soak(options, gateway, service, database, folder).run()
    finally:
        if service:
            service.stop()
        gateway.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return result


# Tables reach their steady state only after rounds of cleaning.
SHORT_SECONDS = 5 * ROUND_SECONDS


def judge(samples, seconds, devices):
    """Prints what each quantity was and whether it grew; gives the names of those that did."""
    growing = []

    def lately(at, only):
        return sum(
            each[0]
            for sample in samples if at - LATELY_SECONDS < sample["at"] <= at
            for kind, each in sample["latency"].items() if only in (None, kind))

    print(f"{'':36}{'start':>10}{'end':>10}{'mean':>10}{'growth':>10}{'allowed':>10}")
    for name in sorted({name for sample in samples for name in sample["values"]}):
        points = [(sample["at"], sample["values"][name]) for sample in samples if name in sample["values"]]
        bound = next(bound for prefix, bound in BOUNDS if name.startswith(prefix))
        fitted, note = points, ""
        if name in BY_REQUEST and seconds >= SHORT_SECONDS:
            base = {"devices": devices, "channels": 2 * devices}.get(BY_REQUEST[name], 0)
            late = [(at, value) for at, value in points if at >= seconds / 3]
            kind = BY_KIND.get(name)
            usual = statistics.fmean(lately(at, kind) for at, _ in late)
            fitted = [(at, base + (value - base) * usual / max(1, lately(at, kind))) for at, value in late]
            note = ", by request"
        found = fit(fitted, bound, seconds)
        verdict = "flat" + note if found.is_flat else "GROWS" + note
        if name in SHOWN_ONLY or (seconds < SHORT_SECONDS and name.startswith(("rows:", "MiB:"))):
            verdict = "shown only"
        elif not found.is_flat:
            growing.append(name)
        print(
            f"{name:36}{points[0][1]:10.1f}{points[-1][1]:10.1f}{found.mean:10.1f}{found.growth:10.1f}"
            f"{found.allowed:10.1f}  {verdict}")
    print("\nGrowth: rise of the least squares line over the last two thirds of the run; of memory, over the last half.")
    first, last = (sample.get("thread names", {}) for sample in (samples[0], samples[-1]))
    for name in sorted(first.keys() | last.keys()):
        if first.get(name, 0) != last.get(name, 0):
            print(f"Threads named {name}: {first.get(name, 0)} at the start, {last.get(name, 0)} at the end.")
    return growing


class Soak:
    def __init__(self, options, gateway, service, database, folder):
        self.options, self.gateway, self.service = options, gateway, service
        devices = gateway.call("POST", "/devices", {"topic": TOPIC, "count": options.devices})["devices"]
        tokens = [device["token"] for device in devices]
        export(folder / "export.jsonl", tokens)
        service.belfry("import", folder / "export.jsonl", "--app", service.app_id, "--data", service.data)
        service.belfry(
            "app", "update", service.app_id, "--record-days", 1, "--installation-days", 1,
            "--frequency-cap", "10000/1h", "--data", service.data)
        self.hook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
        threading.Thread(target=self.hook.serve_forever, daemon=True).start()
        service.belfry(
            "webhook", "add", f"http://127.0.0.1:{self.hook.server_address[1]}/", "--app", service.app_id,
            "--data", service.data)
        service.start()
        self.probe = PostgreSQLProbe(database) if database else SQLiteProbe(service.data)
        self.load = Load(service, tokens, options.rate, options.seed)
        self.samples = []

    def run(self):
        options = self.options
        begin_machine = process.machine()
        service, gateway = self.service.process.pid, self.gateway.process.pid
        start, cpu = time.monotonic(), process.cpu_seconds(service)
        self.load.start()
        next_age, number = start + KEEP_SECONDS, 0
        while True:
            number += 1
            due = min(start + number * options.interval, start + options.seconds)
            time.sleep(max(0, due - time.monotonic()))
            if self.service.process.poll() is not None:
                print("the service ended:", (self.service.data / "serve.log").read_text(errors="replace")[-4000:])
                return 1
            now = time.monotonic()
            if now >= next_age:
                next_age = now + AGEING_SECONDS
                self.probe.age(int(time.time() * 1000), KEEP_SECONDS * 1000)
            self.samples.append(self.sample(now - start))
            self.show(self.samples[-1])
            if now - start >= options.seconds:
                break
        cpu = process.cpu_seconds(service) - cpu
        self.load.stop()
        unfinished, gone = self.unfinished(), self.gone()
        if options.json:
            options.json.write_text(json.dumps({
                "options": {name: str(value) if isinstance(value, pathlib.Path) else value for name, value in vars(options).items()}, "samples": self.samples,
            }))
        return self.report(begin_machine, cpu, unfinished, gone)

    def sample(self, at):
        service, gateway = self.service.process.pid, self.gateway.process.pid
        anonymous, mapped = process.memory(service)
        names = process.thread_names(service)
        # The runtime adds one when a busy machine holds the others up, and takes long to let it go.
        workers = sum(count for name, count in names.items() if name.endswith(RUNTIME_NAMES))
        values = {
            "memory": anonymous, "mapped files": mapped, "threads": sum(names.values()) - workers, "workers of the Swift runtime": workers,
            "open files": process.open_files(service), "gateway memory": process.memory(gateway)[0],
        }
        connections = self.probe.connections()
        if connections is not None:
            values["database connections"] = connections
        values.update({f"rows: {name}": count for name, count in self.probe.rows().items()})
        values.update({f"MiB: {name}": size for name, size in self.probe.sizes().items()})
        recent = self.load.latencies.take_recent()
        return {
            "at": at, "values": values, "thread names": names,
            "latency": {
                kind: [len(each), percentile(each, 0.5), percentile(each, 0.99)] for kind, each in recent.items()
            },
            "errors": len(self.load.latencies.errors),
        }

    def show(self, sample):
        values = sample["values"]
        count = sum(each[0] for each in sample["latency"].values())
        worst = max((each[2] for each in sample["latency"].values()), default=0)
        print(
            f"{sample['at']:6.0f} s  {count:5d} requests, worst p99 {worst:7.1f} ms, memory {values['memory']:6.1f} MiB, "
            f"{values['threads'] + values['workers of the Swift runtime']} threads, {values['open files']} files, {values['rows: records']} records, "
            f"{values['rows: installations']} installations, {sample['errors']} errors", flush=True)

    def unfinished(self):
        """Pushes of the last minutes that have not ended within a minute after the load."""
        client = self.service
        waiting = [push for at, push in self.load.pushes if at > time.time() - KEEP_SECONDS / 2]
        end = time.monotonic() + 60
        while waiting and time.monotonic() < end:
            waiting = [push for push in waiting if client.record(push).get("status") not in ("done", "canceled")]
            if waiting:
                time.sleep(1)
        return waiting

    def gone(self):
        """Devices that were there at the start and are not any more: nobody removed them."""
        return [each for each in self.load.ids if self.service.call("GET", f"/1.1/installations/{each}")[0] != 200]

    def report(self, begin_machine, cpu, unfinished, gone):
        options, load = self.options, self.load
        database = "SQLite" if self.probe.kind == "sqlite" else f"PostgreSQL {self.probe.version()}"
        print(f"\nSoak of {options.seconds} s on {database}, {options.devices} devices, {options.rate:g} requests a second")
        print(f"{BELFRY.name}, {begin_machine}; at the end {process.machine()}\n")
        growing = judge(self.samples, options.seconds, options.devices)
        print()
        print(f"{'milliseconds':24}{'requests':>10}{'p50':>10}{'p90':>10}{'p99':>10}{'max':>10}")
        everything = []
        for kind, values in sorted(load.latencies.all.items()):
            everything += values
            self._latency_row(kind, values)
        self._latency_row("all", everything)
        errors = load.latencies.errors
        print(f"\nservice: {cpu / options.seconds * 100:.1f} % of a core, {cpu / len(everything) * 1e6:.0f} µs a request")
        print(f"webhooks taken: {Hook.count}; the load's own worst delay: {load.late_max * 1000:.0f} ms")
        print(f"failed requests: {len(errors)}", *errors[:10], sep="\n  ")
        print(f"pushes that did not end: {len(unfinished)}", *unfinished[:10], sep="\n  ")
        print(f"devices that are gone: {len(gone)}", *gone[:10], sep="\n  ")
        failures = [line for line in (self.service.data / "serve.log").read_text(errors="replace").splitlines()
                    if "level=error" in line or "level=warning" in line]
        print(f"warnings and errors in the service's log: {len(failures)}", *failures[:10], sep="\n  ")
        if options.seconds < SHORT_SECONDS:
            print("A run this short says nothing of tables: their verdicts need 3000 s.")
        print("\n" + (f"GROWS: {', '.join(growing)}" if growing else "Everything is flat."))
        return 1 if growing or errors or unfinished or gone else 0

    @staticmethod
    def _latency_row(kind, values):
        print(
            f"{kind:24}{len(values):10d}{percentile(values, 0.5):10.2f}{percentile(values, 0.9):10.2f}"
            f"{percentile(values, 0.99):10.2f}{max(values):10.1f}")
