"""The comparisons: each gives the text of a table, and its rows for `--json`."""

import dataclasses
import re
import shutil
import subprocess
import tempfile

from . import table
from .programs import Run
from .table import number

SHAPES = [(1, 500), (1, 1000), (4, 500), (4, 1000)]


def row(case, client, server, run, **more):
    return {
        "case": case, "client": client, "server": server, "per_second": round(run.rate),
        **{name: round(value, 3) for name, value in dataclasses.asdict(run).items()}, **more,
    }


def clients_and_servers(programs, rounds, count, progress):
    """h2load and `belfry bench client` by turns against the same servers, all in one run."""
    runs = {}
    for connections, streams in SHAPES:
        servers = {"nghttpd": programs.nghttpd(streams), "bare": programs.bare(streams)}
        if streams == 1000:
            # The gateway allows what was observed of APNs: 1000.
            servers["gateway"] = programs.gateway()
        for server in servers.values():
            server.__enter__()
        try:
            for turn in range(rounds):
                for name, server in servers.items():
                    progress(f"{connections} connections, {streams} streams, {name}, round {turn + 1}")
                    pair = {
                        "h2load": lambda: programs.h2load(server, count, connections, streams),
                        "belfry": lambda: programs.client(server, count, connections),
                    }
                    for client in pair if turn % 2 == 0 else reversed(pair):
                        runs.setdefault((name, connections, streams, client), []).append(pair[client]())
        finally:
            for server in servers.values():
                server.__exit__()
    medians = {key: Run.median(list) for key, list in runs.items()}
    return client_table(medians, rounds, count), server_table(medians), [
        row("clients", client, name, run, streams=streams, connections_max=connections, rounds=rounds)
        for (name, connections, streams, client), run in medians.items()
    ]


def client_table(medians, rounds, count):
    rows, ratios, costs = [], [], []
    for (name, connections, streams, client), run in medians.items():
        if client != "belfry":
            continue
        other = medians[name, connections, streams, "h2load"]
        ratio = run.rate / other.rate
        if name != "gateway":
            ratios.append(ratio)
            costs.append(run.client_cpu_us)
        rows.append([
            f"{name}, {connections} x {streams}", number(other.rate), number(run.rate), number(ratio, 2),
            number(other.client_cpu_us, 2), number(run.client_cpu_us, 2), number(run.connections),
        ])
    notes = [
        "",
        "lowest ratio against nghttpd and bare     " + table.verdict(min(ratios), 0.9, True),
        "highest CPU cost there, us a notification " + table.verdict(max(costs), 7, False),
    ]
    title = (
        f"1. Clients: {count:,} POSTs of 200 bytes to distinct tokens, connections x streams, medians of {rounds} rounds"
    )
    columns = [
        "server", "h2load /s", "belfry /s", "ratio", "h2load CPU us", "belfry CPU us", "belfry's connections"
    ]
    return table.text(title, columns, rows, notes)


def server_table(medians):
    rows, ratios, costs = [], [], []
    shapes = [shape for shape in SHAPES if ("gateway", *shape, "h2load") in medians]
    for connections, streams in shapes:
        base = medians["nghttpd", connections, streams, "h2load"]
        for name in ["nghttpd", "bare", "gateway"]:
            run = medians[name, connections, streams, "h2load"]
            ratio = run.rate / base.rate
            if name == "gateway":
                ratios.append(ratio)
                costs.append(run.server_cpu_us)
            rows.append([
                f"{name}, {connections} x {streams}", number(run.rate), number(ratio, 2),
                number(run.server_cpu_us, 2), number(run.server_mib, 1),
            ])
    notes = [
        "",
        "gateway's lowest ratio to nghttpd         " + table.verdict(min(ratios), 0.6, True),
        "its highest CPU cost, us a notification   " + table.verdict(max(costs), 10, False),
        "nghttpd answers 404: it has no file for a device. The gateway checks every request and journals it.",
        "Until it accepts a token it allows one stream, and h2load does not wait: the refused ones do not count.",
    ]
    return table.text(
        "2. Servers under h2load, from the same runs", ["server", "per second", "to nghttpd", "CPU us", "MiB"], rows,
        notes)


def memory(programs, count, progress):
    """Resident memory after 100,000 notifications and after many more, in the same two processes."""
    progress(f"memory at {count:,} notifications")
    first = 100_000
    with tempfile.TemporaryDirectory(dir=programs.folder) as data, programs.gateway(data) as gateway:
        early = programs.client(gateway, first, 1)
        late = programs.client(gateway, count - first, 1, warm_up=first)
    rows = [
        ["client", number(late.client_mib_start, 1), number(late.client_mib, 1),
         number(late.client_mib - late.client_mib_start, 1)],
        ["gateway", number(early.server_mib, 1), number(late.server_mib, 1),
         number(late.server_mib - early.server_mib, 1)],
    ]
    notes = ["", "target: at most 10 MiB either way"]
    columns = ["process", f"MiB at {first:,}", f"MiB at {count:,}", "growth"]
    return table.text("3. Memory", columns, rows, notes), [
        row("memory", "belfry", "gateway", early, at=first), row("memory", "belfry", "gateway", late, at=count)
    ]


def distance(programs, count, progress):
    """The client through a delaying relay: it opens the connections that a far server needs."""
    rows, values = [], []
    for milliseconds in [0, 50, 150]:
        for payload in [200, 1536, 4096]:
            progress(f"{milliseconds} ms, {payload} bytes")
            with programs.gateway() as gateway, programs.relay(gateway, milliseconds // 2) as relay:
                run = programs.client(
                    gateway, count, 16, warm_up=count // 2, payload_bytes=payload, via=relay)
            rows.append([
                f"{milliseconds} ms", f"{payload:,} B", number(run.rate), number(run.connections),
                number(run.client_cpu_us, 2), number(run.client_mib, 1)
            ])
            values.append(row("distance", "belfry", "gateway", run, round_trip_ms=milliseconds, payload=payload))
            if (milliseconds, payload) == (150, 1536):
                target = run.rate
    columns = ["round trip", "payload", "per second", "connections", "client CPU us", "client MiB"]
    notes = ["", "150 ms and 1.5 KB, a second               " + table.verdict(target, 10_000, True)]
    title = "4. Distance and payload: belfry against the gateway through a relay, at most 16 connections"
    return table.text(title, columns, rows, notes), values


def calls(programs, count, progress):
    """System calls and context switches for each notification."""
    progress("system calls and context switches")
    rows, values = [], []
    with programs.nghttpd(1000) as nghttpd, programs.gateway() as gateway:
        for server in [nghttpd, gateway]:
            for client, start in [("h2load", programs.h2load), ("belfry", programs.client)]:
                sizes = (1, 1000) if client == "h2load" else (1,)
                with SystemCalls(programs.folder / "server-calls", server.pid) as of_server:
                    of_client = SystemCalls(programs.folder / "client-calls")
                    run = start(server, count, *sizes, prefix=of_client.prefix)
                figures = [
                    of_client.per(run.answered), run.client_switches, of_server.per(run.answered), run.server_switches
                ]
                rows.append([f"{client} to {server.name}", *(number(figure, 3) for figure in figures)])
                values.append(row(
                    "calls", client, server.name, run, client_calls=figures[0], server_calls=figures[2]))
    columns = ["programs", "client calls", "client switches", "server calls", "server switches"]
    return table.text(
        "5. System calls and context switches for each notification, 1 connection, 1000 streams", columns, rows), values


class SystemCalls:
    """Counts system calls with perf, where it is installed and allowed; otherwise counts nothing."""

    def __init__(self, path, pid=None):
        self.path = path
        self.pid = pid
        command = ["perf", "stat", "-x", ",", "-o", str(path), "-e", "raw_syscalls:sys_enter"]
        works = shutil.which("perf") and subprocess.run(
            [*command, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        self.prefix = command if works else []

    def __enter__(self):
        self.process = subprocess.Popen([*self.prefix, "-p", str(self.pid)]) if self.prefix else None
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.send_signal(2)
            self.process.wait()

    def per(self, count):
        if not self.prefix or not self.path.exists():
            return None
        found = re.search(r"^(\d+),,raw_syscalls", self.path.read_text(), re.MULTILINE)
        return int(found[1]) / max(count, 1) if found else None
