"""Options, set-up, and the order of the comparisons."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

from . import cases
from .programs import Programs

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = {"h2load": "nghttp2-client", "nghttpd": "nghttp2-server"}


def arguments():
    parser = argparse.ArgumentParser(
        prog="Benchmarks/run", description="Measures Belfry's client and gateway next to h2load and nghttpd."
    )
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write every figure to a file as well")
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds of each comparison (default 5)")
    parser.add_argument("--count", type=int, default=300_000, help="notifications in a run (default 300000)")
    parser.add_argument("--long", action="store_true", help="measure memory at 5,000,000 notifications, not 1,000,000")
    parser.add_argument("--quick", action="store_true", help="a look in half a minute: one round of 50,000")
    parser.add_argument("--only", choices=["clients", "memory", "distance", "calls"], action="append",
                        help="these comparisons alone; repeatable")
    parser.add_argument("--belfry", type=pathlib.Path, help="this program instead of a fresh release build")
    return parser.parse_args()


def machine():
    model = next(
        (line.partition(":")[2].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
         if line.startswith("model name")), platform.machine())
    return f"{os.cpu_count()} cores of {model}, Linux {platform.release()}, {datetime.date.today().isoformat()}"


def build():
    swift = os.environ.get("SWIFT", "swift")
    command = [swift, "build", "-c", "release", "--product", "belfry"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
    path = subprocess.run([*command, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    return pathlib.Path(path.stdout.strip()) / "belfry"


def progress(text):
    print(f"... {text}", file=sys.stderr, flush=True)


def main():
    options = arguments()
    if not sys.platform.startswith("linux"):
        print("Benchmarks/run needs Linux; `belfry bench gateway` runs anywhere", file=sys.stderr)
        return 69
    missing = {package for program, package in NEEDED.items() if not shutil.which(program)}
    if missing:
        print(f"to be installed first: {' '.join(sorted(missing))}", file=sys.stderr)
        return 69
    rounds, count = (1, 50_000) if options.quick else (options.rounds, options.count)
    memory_count = 5_000_000 if options.long else 200_000 if options.quick else 1_000_000
    wanted = options.only or ["clients", "memory", "distance", "calls"]
    belfry = options.belfry or build()

    values = []
    print(machine())
    print("server on core 0, client on core 1; CPU in microseconds for each answered notification\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="belfry-bench-") as folder:
        programs = Programs(belfry, folder)
        programs.prepare(count)
        if "clients" in wanted:
            clients, servers, rows = cases.clients_and_servers(programs, rounds, count, progress)
            values += rows
            print(clients + "\n" + servers, flush=True)
        for name, case, size in [
            ("memory", cases.memory, memory_count), ("distance", cases.distance, 20_000 if options.quick else 60_000),
            ("calls", cases.calls, count),
        ]:
            if name in wanted:
                text, rows = case(programs, size, progress)
                values += rows
                print(text, flush=True)
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "rows": values}, indent=1) + "\n")
    return 0
