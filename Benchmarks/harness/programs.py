"""The programs that are compared: how each is started, and how its answer is read."""

import dataclasses
import json
import os
import pathlib
import re
import statistics

from .process import CLIENT_CORE, Server, SilentServer, free_port, run

TOKEN_COUNT_MAX = 100_000


@dataclasses.dataclass
class Run:
    """One client's run against one server."""

    answered: int
    seconds: float
    client_cpu_us: float
    server_cpu_us: float
    connections: int
    client_switches: float
    server_switches: float
    client_mib_start: float
    client_mib: float
    server_mib: float

    @property
    def rate(self):
        return self.answered / self.seconds if self.seconds else 0

    @staticmethod
    def median(runs):
        """The median of each figure. `rate` follows from the run whose rate is the median."""
        runs = sorted(runs, key=lambda run: run.rate)
        middle = runs[(len(runs) - 1) // 2]
        values = {
            field.name: statistics.median(getattr(run, field.name) for run in runs)
            for field in dataclasses.fields(Run)
        }
        values["answered"], values["seconds"] = middle.answered, middle.seconds
        return Run(**values)


class Programs:
    """Everything needed to start servers and clients, kept in one scratch folder."""

    def __init__(self, belfry, folder):
        self.belfry = pathlib.Path(belfry)
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "gateway"
        self.uris = self.folder / "uris"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("BELFRY_")}
        self.start_cpu = {}

    # Servers

    def gateway(self, data=None):
        data = data or self.data
        command = [self.belfry, "gateway", "--open", "--port", 0, "--sandbox-port", 0, "--control-port", 0]
        return Server("belfry gateway --open", [*command, "--data", data, "--json"], environment=self.environment)

    def bare(self, streams):
        command = [self.belfry, "bench", "server", "--streams", streams, "--ca-out", self.folder / "bare.pem"]
        return Server("belfry bench server", [*command, "--json"], environment=self.environment)

    def nghttpd(self, streams):
        port = free_port()
        root = self.folder / "htdocs"
        root.mkdir(exist_ok=True)
        key, certificate = self.data / "server-key.pem", self.data / "server.pem"
        # -W: a connection window as large as Belfry's, so that no client waits for it.
        command = ["nghttpd", "-a", "127.0.0.1", "-d", root, "-m", streams, "-W", 24, port, key, certificate]
        return SilentServer("nghttpd", command, port)

    def relay(self, server, milliseconds):
        command = [self.belfry, "bench", "relay", "--to", f"127.0.0.1:{server.port}"]
        return Server("relay", [*command, "--delay", f"{milliseconds}ms", "--json"], environment=self.environment)

    # Clients

    def prepare(self, count):
        """Makes what clients need: device tokens, a provider token; the gateway's first start makes its keys."""
        with self.gateway() as gateway:
            ready = gateway.ready
        command = [self.belfry, "token", "-k", ready["key"], "--team-id", ready["team_id"]]
        self.bearer = run(command, CLIENT_CORE, self.environment).output.strip()
        self.ca = ready["ca"]
        with open(self.uris, "w") as file:
            for index in range(1, min(count, TOKEN_COUNT_MAX) + 1):
                mixed = index * 0x9E3779B97F4A7C15 % 2**64
                file.write(f"/3/device/{'be' * 8}{mixed:016x}{'be' * 16}\n")

    def h2load(self, server, count, connections, streams, payload_bytes=200, prefix=()):
        payload = self.folder / f"payload-{payload_bytes}"
        frame = '{"aps":{"alert":""}}'
        payload.write_text(frame.replace('""', '"' + "x" * (payload_bytes - len(frame)) + '"'))
        urls = self.folder / f"urls-{server.port}"
        if not urls.exists():
            # h2load takes the server from the first line.
            urls.write_text(f"{server.url}{self.uris.read_text()}")
        command = [
            "h2load", "-i", urls, "-d", payload, "-t", 1, "-m", streams,
            "-H", f"authorization: bearer {self.bearer}", "-H", "apns-topic: com.example.App",
            "-H", "apns-push-type: alert",
        ]

        def load(connections, count):
            return run([*prefix, *command, "-c", connections, "-n", count], CLIENT_CORE)

        # Reading the URIs is not sending: a run of one request tells what it costs.
        if server.port not in self.start_cpu:
            self.start_cpu[server.port] = load(1, 1).cpu_seconds
        before = server.usage()
        finished = load(connections, count)
        after = server.usage()
        found = re.search(r"finished in ([0-9.]+)(us|ms|s),", finished.output)
        statuses = re.search(r"status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", finished.output)
        if not found or not statuses:
            raise RuntimeError(f"h2load said: {finished.output or finished.exit_code}")
        answered = sum(map(int, statuses.groups()))
        seconds = float(found[1]) * {"us": 1e-6, "ms": 1e-3, "s": 1}[found[2]]
        per = 1e6 / max(answered, 1)
        return Run(
            answered, seconds, (finished.cpu_seconds - self.start_cpu[server.port]) * per,
            (after.cpu_seconds - before.cpu_seconds) * per, connections,
            finished.context_switches / max(answered, 1),
            (after.context_switches - before.context_switches) / max(answered, 1),
            0, finished.resident_mib, after.resident_mib,
        )

    def client(self, server, count, connections, warm_up=0, payload_bytes=200, via=None, prefix=()):
        url = (via or server).url
        authority = server.ready.get("ca") or self.ca
        command = [
            self.belfry, "bench", "client", "--url", url, "--ca", authority, "-n", count, "-c", connections,
            "--warm-up", warm_up, "--payload-bytes", payload_bytes, "--any-answer", "--json",
        ]
        before = server.usage()
        finished = run([*prefix, *command], CLIENT_CORE, self.environment)
        after = server.usage()
        if finished.exit_code != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {finished.output or finished.exit_code}")
        report = json.loads(finished.output)
        answered = report["accepted"] + report["refused"]
        total = max(answered + warm_up, 1)
        return Run(
            answered, report["seconds"], report["cpu_us_per_notification"],
            (after.cpu_seconds - before.cpu_seconds) * 1e6 / total, report["connections"],
            report["context_switches_per_1000"] / 1000,
            (after.context_switches - before.context_switches) / total, report["memory_mib_start"],
            report["memory_mib_end"], after.resident_mib,
        )
