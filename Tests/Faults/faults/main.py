"""Options, order and verdict."""

import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

from . import report
from .postgresql import children
from .scenarios import FAULTS

INSIDE = "BELFRY_FAULTS_INSIDE"
# These wait a quarter of an hour, which the others need not do after them.
BESIDE = ("unavailable", "unavailable-nodes")


def parse(arguments):
    names = [fault[0] for fault in FAULTS]
    parser = argparse.ArgumentParser(
        prog="make faults",
        description="Breaks what the push service stands on while it sends, many times, and prints one table. "
        "Exits with 1 when a bound is broken.",
    )
    parser.add_argument("names", nargs="*", metavar="FAULT", help="one of: " + ", ".join(names) + "; all by default")
    parser.add_argument("--runs", type=int, default=5, help="how often each fault (default 5)")
    parser.add_argument("--devices", type=int, default=20_000, help="how many devices a push goes to (default 20000)")
    parser.add_argument(
        "--unavailable-seconds", type=float, default=600,
        help="how long APNs answers 503 (default 600); a push is tried again after 15 minutes in any case")
    parser.add_argument(
        "--at-once", type=int, default=1, metavar="N",
        help="how many faults run at the same time, each in a world of its own (default 1)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="when faults come")
    parser.add_argument("--keep", action="store_true", help="keep the folders of runs that broke a bound")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in names:
            parser.error(f"there is no fault '{name}'")
    return options


def enter_namespaces():
    """Goes on in a network and a mount namespace of its own, so that nothing here touches the machine's."""
    if os.geteuid() != 0 or os.environ.get(INSIDE) or not sys.platform.startswith("linux"):
        return
    if not shutil.which("unshare"):
        return
    os.environ[INSIDE] = "1"
    script = 'ip link set lo up && exec "$@"'
    os.execvp("unshare", ["unshare", "--net", "--mount", "sh", "-c", script, "sh", sys.executable, *sys.argv])


def give_up(number, _):
    """Whoever ends the script ends what it started; networks and mounts go with their namespaces."""
    for child in children(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    os._exit(128 + number)


def main():
    options = parse(sys.argv[1:])
    enter_namespaces()
    for number in [signal.SIGTERM, signal.SIGINT]:
        signal.signal(number, give_up)
    random.seed(options.seed)
    print(f"seed {options.seed}, {options.devices} devices, {options.runs} runs of each", flush=True)
    chosen = [fault for fault in FAULTS if not options.names or fault[0] in options.names]
    results = {}
    beside = [fault for fault in chosen if fault[0] in BESIDE]
    with concurrent.futures.ThreadPoolExecutor(len(beside) + options.at_once) as pool:
        futures = [pool.submit(several, fault, options, results) for fault in beside]
        futures += [pool.submit(several, fault, options, results) for fault in chosen if fault not in beside]
        for future in futures:
            future.result()
    rows, broken, skipped = [], 0, []
    for name, title, store, _, _ in chosen:
        runs = results[name]
        if runs is None:
            skipped.append(name)
        else:
            rows.append(report.row(title, store, runs))
            broken += sum(bool(run.broken) for run in runs)
    print("\n" + report.table(rows) + "\n\nColumns with two figures: median / worst run.")
    if skipped:
        print("Not run, for they need root, nftables and iproute2: " + ", ".join(skipped))
    print(f"{broken} runs broke a bound." if broken else "Every bound held.")
    return 1 if broken or (skipped and os.environ.get("CI")) else 0


def several(fault, options, results):
    """All runs of one fault, in one world or, for those that mostly wait, in one each at the same time."""
    name, _, _, function, needs_root = fault
    runs = results[name] = []
    if needs_root and (not os.environ.get(INSIDE) or not shutil.which("nft")):
        results[name] = None
        return
    if name not in BESIDE:
        return in_one_world(name, function, options, runs)
    one = argparse.Namespace(**{**vars(options), "runs": 1})
    threads = []
    for _ in range(options.runs):
        threads.append(threading.Thread(target=in_one_world, args=[name, function, one, runs]))
        threads[-1].start()
        # Not all of them set their worlds up at once.
        time.sleep(20)
    for thread in threads:
        thread.join()


def in_one_world(name, function, options, runs):
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"belfry-{name}."))
    # The database's owner has to reach its folder.
    folder.chmod(0o755)
    started = time.monotonic()
    is_broken = False
    try:
        for run in function(folder, options):
            now = time.monotonic()
            show(name, run, now - started)
            started = now
            runs.append(run)
            is_broken |= bool(run.broken)
    except Exception as error:  # noqa: BLE001: whatever went wrong belongs into the table, and the next fault is run
        traceback.print_exc()
        runs.append(report.Run(devices=options.devices, without_outcome=options.devices, broken=[f"it failed: {error}"]))
        show(name, runs[-1], time.monotonic() - started)
        is_broken = True
    if is_broken and options.keep:
        print(f"    kept: {folder}", flush=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)


def show(name, run, seconds):
    print(
        f"{name}: {run.again} sent again of {run.again_max}, done after {run.seconds:.1f} s, "
        f"API {run.statuses} slowest {run.slowest:.1f} s; took {seconds:.0f} s"
        + "".join(f"\n    note: {text}" for text in run.notes)
        + "".join(f"\n    BROKEN: {text}" for text in run.broken),
        flush=True,
    )
