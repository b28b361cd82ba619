"""The faults. Each function sets a world up in a folder of its own, runs one fault in it as often as is asked for, and
yields the figures of each run."""

import collections
import contextlib
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.request

from postgres import psql

from .network import APNS, DATABASE, Network
from .postgresql import PASSWORD, Server
from .world import Client, World

# What a batch holds at most, and how many one node has under way at most (Sources: batchCountMax, laneCount).
BATCH = 1_000
BATCHES = 16
# A node that is gone is replaced when the lease of its batches has run out (Sources: leaseSeconds).
LEASE_SECONDS = 60
# From then on until the rest is sent; generous, for machines with other work.
WORK_SECONDS = 30
# How long the API may keep a client waiting (Sources: handlerTimeout), and what it may say.
ANSWER_SECONDS = 32
# How often a device is tried again after the service was away for it, and 5xx (Apple: wait 15 minutes).
UNAVAILABLE_SECONDS = 15 * 60


def under_way(world):
    """Devices of batches in senders' hands that have no stored outcome: what a fault may have sent again."""
    query = "SELECT coalesce(sum(pending_count), 0) FROM batches WHERE state = 1"
    if world.database:
        return int(psql(world.database, query))
    with contextlib.closing(sqlite3.connect(world.nodes[0].data / "belfry.sqlite")) as database:
        return database.execute(query).fetchone()[0]


def finish(world, run, fault_ended, client=None, node=None, seconds=300):
    """Waits for the end of every push, and fills in the figures."""
    records = world.wait_until_done(node=node, seconds=seconds)
    run.seconds = max(0.0, time.monotonic() - fault_ended)
    run.devices = world.device_count
    for record in records:
        ended = record["successes"] + sum(record["reasons"].values())
        run.without_outcome += max(0, world.device_count - ended)
        run.expect(record["devices"] == world.device_count, f"the record counts {record['devices']} devices")
        run.expect(record.get("status") == "done", f"a push is not done: {record}")
        if record["reasons"]:
            run.notes.append(f"outcomes {record['reasons']}")
    run.missed, run.twice, run.again = world.screens()
    if client:
        account(world, run, client.stop(), node or world.nodes[-1])
    return run.judge()


def account(world, run, answers, node):
    """What clients were told while the fault lasted, and whether all that was acknowledged is there."""
    counts = collections.Counter(answer.status for answer in answers)
    run.statuses = dict(counts)
    run.slowest = max(answer.seconds for answer in answers)
    run.expect(run.slowest <= ANSWER_SECONDS, f"a request was answered after {run.slowest:.1f} s")
    allowed = {200, 201, 503, 507}
    run.expect(set(counts) <= allowed, f"the API answered {dict(counts)}; {sorted(allowed)} are allowed")
    lost = 0
    for answer in answers:
        if answer.status in (200, 201):
            status, _ = node.call("GET", f"/1.1/installations/{answer.name}", key=node.master_key + ",master")
            lost += status != 200
    run.expect(lost == 0, f"{lost} acknowledged registrations are lost")


def ready(node, seconds=60):
    """What /readyz says: the status (0 for none) and after how many seconds."""
    started = time.monotonic()
    try:
        with urllib.request.urlopen(node.url + "/readyz", timeout=seconds) as response:
            status = response.status
    except urllib.error.HTTPError as error:
        status = error.code
    except OSError:
        status = 0
    return status, time.monotonic() - started


def expect_ready(run, node, wanted, within=5):
    status, seconds = ready(node)
    run.expect(status == wanted, f"/readyz said {status}, not {wanted}")
    run.expect(seconds <= within, f"/readyz took {seconds:.1f} s")


def some_share():
    """When the fault comes: anywhere in the first half of the push, which has an end to reach afterwards."""
    return random.uniform(0.02, 0.5)


@contextlib.contextmanager
def on_postgres(folder, options, node_count, **more):
    server = Server(folder / "postgres", **more.pop("server", {})).make().start()
    try:
        world = World(folder, options.devices, database=server.url, node_count=node_count, **more)
        try:
            yield world, server
        finally:
            world.end()
    finally:
        server.end()


@contextlib.contextmanager
def on_sqlite(folder, options, **more):
    world = World(folder, options.devices, **more)
    try:
        yield world
    finally:
        world.end()


# MARK: nodes


def node_killed_and_started(folder, options):
    """One of three nodes is killed with SIGKILL and started again at once."""
    with on_postgres(folder, options, 3) as (world, _):
        for number in range(options.runs):
            run = world.begin(seconds_max=WORK_SECONDS)
            world.push()
            world.wait_for_successes(some_share())
            victim = world.nodes[number % 3]
            victim.kill()
            run.again_max = under_way(world)
            victim.start()
            yield finish(world, run, time.monotonic())


def node_killed_for_good(folder, options):
    """One of three nodes is killed and stays away: the others wait for its lease to run out."""
    with on_postgres(folder, options, 3) as (world, _):
        for _ in range(options.runs):
            run = world.begin(seconds_max=LEASE_SECONDS + WORK_SECONDS)
            world.push()
            world.wait_for_successes(some_share())
            world.nodes[0].kill()
            run.again_max = under_way(world)
            yield finish(world, run, time.monotonic())
            world.nodes[0].start()


def all_nodes_killed(folder, options):
    """All three nodes are killed at the same time and started again."""
    with on_postgres(folder, options, 3) as (world, _):
        for _ in range(options.runs):
            run = world.begin(seconds_max=WORK_SECONDS)
            world.push()
            world.wait_for_successes(some_share())
            for node in world.nodes:
                node.process.kill()
            for node in world.nodes:
                node.kill()
            run.again_max = under_way(world)
            for node in world.nodes:
                node.start()
            yield finish(world, run, time.monotonic())


def only_node_killed(folder, options):
    """The only node is killed five times in one push."""
    with on_sqlite(folder, options) as world:
        for _ in range(options.runs):
            run = world.begin(seconds_max=WORK_SECONDS)
            world.push()
            for share in sorted(random.uniform(0, 0.9) for _ in range(5)):
                world.wait_for_successes(share)
                world.nodes[0].kill()
                run.again_max += under_way(world)
                world.nodes[0].start()
            yield finish(world, run, time.monotonic())


def held_by(world, node):
    """How many devices of a node's batches have no stored outcome."""
    name = (node.data / "node").read_text().strip()
    return int(psql(
        world.database,
        f"SELECT coalesce(sum(pending_count), 0) FROM batches WHERE state = 1 AND owner = '{name}'"))


def node_stalled(folder, options):
    """A node is stopped for longer than its lease while notifications wait in it, and goes on afterwards."""
    with on_postgres(folder, options, 2) as (world, _):
        for _ in range(options.runs):
            run = world.begin(seconds_max=WORK_SECONDS)
            world.push()
            world.wait_for_successes(some_share())
            stalled, other = sorted(world.nodes, key=lambda node: held_by(world, node), reverse=True)
            stalled.process.send_signal(signal.SIGSTOP)
            try:
                run.again_max = under_way(world)
                world.wait_until_done(node=other, seconds=LEASE_SECONDS + WORK_SECONDS)
                # Others have sent what it held by now; what it sends from here on is sent in vain.
                before = world.received()
            finally:
                stalled.process.send_signal(signal.SIGCONT)
            time.sleep(5)
            more = world.received() - before
            run.expect(more == 0, f"{more} notifications came from the node that had slept")
            # It is of use again: it takes its part of the next push.
            woken = time.monotonic()
            world.push(stalled)
            yield finish(world, run, woken)


# MARK: database


def database_fault(seconds):
    """PostgreSQL goes away and comes back: stopped in order at once, or killed for so many seconds."""

    def fault(folder, options):
        with on_postgres(folder, options, 2) as (world, server):
            for _ in range(options.runs):
                run = world.begin(seconds_max=WORK_SECONDS, again_max=0)
                world.push()
                world.wait_for_successes(some_share())
                client = Client(world.nodes[0])
                if seconds == 0:
                    server.restart()
                else:
                    server.kill()
                    killed = time.monotonic()
                    if seconds >= 10:
                        time.sleep(2)
                        expect_ready(run, world.nodes[0], 503)
                    time.sleep(max(0, killed + seconds - time.monotonic()))
                    server.start()
                ended = time.monotonic()
                world.push(world.nodes[1])
                finish(world, run, ended, client)
                expect_ready(run, world.nodes[0], 200)
                yield run

    return fault


database_restarted = database_fault(0)


def failover(folder, options):
    """The primary is lost with all its processes, and its synchronous standby is promoted."""
    primary = Server(folder / "one").make().start()
    standby = Server(folder / "two")
    try:
        standby.copy_of(primary).start()
        primary.follow_synchronously(standby)
        address = f"postgres://belfry:{PASSWORD}@{primary.host},{standby.host}/postgres"
        world = World(folder, options.devices, database=address, node_count=2)
        try:
            for _ in range(options.runs):
                run = world.begin(seconds_max=WORK_SECONDS, again_max=0)
                world.push()
                world.wait_for_successes(some_share())
                client = Client(world.nodes[0])
                time.sleep(0.5)
                primary.kill()
                time.sleep(2)
                standby.configure(synchronous_standby_names="")
                standby.promote()
                ended = time.monotonic()
                world.push(world.nodes[1])
                yield finish(world, run, ended, client)
                # The lost one comes back as the standby of the other.
                primary, standby = standby, primary
                standby.copy_of(primary).start()
                primary.follow_synchronously(standby)
        finally:
            world.end()
    finally:
        standby.end()
        primary.end()


# MARK: network

ONE_NETWORK = threading.Lock()


def network_cut(server, is_refused, is_everybody, seconds):
    """A fault that cuts one node, or all, from a server for so many seconds."""

    def fault(folder, options):
        # There is one network: its addresses are taken.
        with ONE_NETWORK:
            network = Network(2)
            try:
                postgres = {"server": {"address": DATABASE}}
                with on_postgres(folder, options, 2, network=network, address=APNS, **postgres) as (world, _):
                    for _ in range(options.runs):
                        yield cut(world, network)
            finally:
                network.end()

    def cut(world, network):
        run = world.begin(seconds_max=WORK_SECONDS)
        world.push()
        world.wait_for_successes(some_share())
        client = Client(world.nodes[0])
        if server == DATABASE:
            # A node that stores nothing for longer than its lease is taken for dead, as a killed one.
            run.again_max = under_way(world) if seconds > LEASE_SECONDS - 20 else 0
        else:
            # What was on the wire may come again, since its answer was cut off.
            run.again_max = BATCH * BATCHES * (2 if is_everybody else 1)
        network.cut([1, 2] if is_everybody else [1], server, is_refused)
        cut_at = time.monotonic()
        time.sleep(2)
        expect_ready(run, world.nodes[0], 503 if server == DATABASE else 200)
        if not is_everybody:
            world.push(world.nodes[1])
        time.sleep(max(0, cut_at + seconds - time.monotonic()))
        network.heal()
        ended = time.monotonic()
        world.push(world.nodes[0])
        return finish(world, run, ended, client)

    return fault


# MARK: disk


def mount_tmpfs(folder, size):
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", folder], check=True)


def disk_full(folder, options):
    """The disk of a service on SQLite fills up in the middle of a push; later there is room again."""
    small = folder / "disk"
    mount_tmpfs(small, "96m")
    try:
        with on_sqlite(folder, options, data=small) as world:
            for _ in range(options.runs):
                yield fill(world, small)
    finally:
        subprocess.run(["umount", "--lazy", small], check=True)


def fill(world, small):
    run = world.begin(seconds_max=WORK_SECONDS, again_max=0)
    node = world.nodes[0]
    world.push()
    world.wait_for_successes(some_share())
    client = Client(node)
    with open(small / "ballast", "wb", buffering=0) as ballast:
        for size in [65_536, 512]:
            with contextlib.suppress(OSError):
                while True:
                    ballast.write(b"\0" * size)
    end = time.monotonic() + 20
    status, said = None, None
    while status != 507 and time.monotonic() < end:
        # As long as the log has room left in the file it has, changes go on.
        status, said = node.call(
            "POST", "/1.1/push", {"data": {"alert": "No room"}, "where": {"deviceType": "none"}},
            key=node.master_key + ",master")
        time.sleep(0.02)
    run.expect(status == 507, f"with a full disk a push was answered {status} {said}")
    run.expect("disk is full" in str(said), f"the error does not say why: {said}")
    status, _ = node.call("GET", "/1.1/notifications", key=node.master_key + ",master")
    run.expect(status == 200, f"with a full disk reading was answered {status}")
    time.sleep(10)
    (small / "ballast").unlink()
    ended = time.monotonic()
    world.push()
    return finish(world, run, ended, client)


# MARK: clock


def offset_library(folder):
    """The library that gives a process another time of day."""
    library = folder / "clock_offset.so"
    source = pathlib.Path(__file__).with_name("clock_offset.c")
    compiler = shutil.which("cc") or shutil.which("clang") or "cc"
    subprocess.run([compiler, "-O2", "-fPIC", "-shared", "-o", library, source, "-ldl"], check=True)
    return library


class Clock:
    """The time of day of the processes that are given its environment."""

    def __init__(self, folder, name):
        self.path = folder / f"{name}.offset"
        self.set(0)
        self.environment = {
            "LD_PRELOAD": str(offset_library(folder)), "BELFRY_CLOCK_OFFSET": str(self.path),
        }

    def set(self, seconds):
        # In place: the process has the file mapped.
        descriptor = os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o644)
        try:
            os.pwrite(descriptor, struct.pack("=q", int(seconds * 1e9)), 0)
        finally:
            os.close(descriptor)


def clock_of_only_node(seconds):
    def fault(folder, options):
        clock = Clock(folder, "node")
        with on_sqlite(folder, options, environment=clock.environment) as world:
            for _ in range(options.runs):
                # Put forward, the leases of what is under way are over by the only clock there is: a service knows
                # what its own senders have in hand.
                yield step(world, clock, seconds, 0)

    return fault


def clock_of_one_node(seconds):
    def fault(folder, options):
        clock = Clock(folder, "node")
        with on_postgres(folder, options, 2) as (world, _):
            # The first of two; the other one keeps the right time.
            world.nodes[0].stop()
            world.nodes[0].environment.update(clock.environment)
            world.nodes[0].start()
            for _ in range(options.runs):
                yield step(world, clock, seconds, 0)

    return fault


def clock_of_database(seconds):
    def fault(folder, options):
        clock = Clock(folder, "database")
        with on_postgres(folder, options, 2, server={"environment": clock.environment}) as (world, _):
            for _ in range(options.runs):
                # A node that has heard of the new time takes the leases of one that has not for old ones.
                yield step(world, clock, seconds, 2 * BATCH * BATCHES)

    return fault


def step(world, clock, seconds, again_max):
    run = world.begin(seconds_max=WORK_SECONDS, again_max=again_max)
    world.push()
    world.wait_for_successes(some_share())
    client = Client(world.nodes[0])
    clock.set(seconds)
    time.sleep(1)
    # What is accepted after the step goes out at once too, and so does what comes once the clock is right again.
    world.push(world.nodes[0])
    time.sleep(12)
    clock.set(0)
    ended = time.monotonic()
    world.push(world.nodes[0])
    return finish(world, run, ended, client)


# MARK: APNs


def apns_unavailable(store):
    """APNs answers 503 to everything for some minutes."""

    def fault(folder, options):
        if store == "SQLite":
            with on_sqlite(folder, options) as world:
                for _ in range(options.runs):
                    yield refuse(world, options)
        else:
            with on_postgres(folder, options, 2) as (world, _):
                for _ in range(options.runs):
                    yield refuse(world, options)

    return fault


def refuse(world, options):
    run = world.begin(seconds_max=UNAVAILABLE_SECONDS + WORK_SECONDS, again_max=0)
    world.push()
    world.wait_for_successes(some_share())
    client = Client(world.nodes[0], pause=1)
    world.gateway.call("POST", "/faults", {"reason": "ServiceUnavailable"})
    began = time.monotonic()
    time.sleep(min(10, options.unavailable_seconds / 2))
    world.push()
    time.sleep(max(0, began + options.unavailable_seconds - time.monotonic()))
    world.gateway.call("DELETE", "/faults")
    ended = time.monotonic()
    world.push()
    return finish(world, run, ended, client, seconds=UNAVAILABLE_SECONDS + 60)


# Name, title, store, function, whether it needs root.
FAULTS = [
    ("kill-node", "node killed (-9), started again", "PostgreSQL", node_killed_and_started, False),
    ("lose-node", "node killed (-9) for good", "PostgreSQL", node_killed_for_good, False),
    ("kill-all", "all nodes killed (-9), started again", "PostgreSQL", all_nodes_killed, False),
    ("kill-only", "the only node killed (-9) five times", "SQLite", only_node_killed, False),
    ("stall", "node stopped longer than its lease (SIGSTOP)", "PostgreSQL", node_stalled, False),
    ("restart", "database restarted", "PostgreSQL", database_restarted, False),
    ("crash", "database killed (-9), back after 3 s", "PostgreSQL", database_fault(3), False),
    ("away", "database killed (-9), back after 30 s", "PostgreSQL", database_fault(30), False),
    ("failover", "primary killed (-9), standby promoted", "PostgreSQL", failover, False),
    ("database-drop", "one node cut from the database, 20 s, dropped", "PostgreSQL",
     network_cut(DATABASE, False, False, 20), True),
    ("database-drop-long", "one node cut from the database, 75 s, dropped", "PostgreSQL",
     network_cut(DATABASE, False, False, 75), True),
    ("database-reset", "all nodes cut from the database, 20 s, reset", "PostgreSQL",
     network_cut(DATABASE, True, True, 20), True),
    ("apns-drop", "all nodes cut from APNs, 45 s, dropped", "PostgreSQL",
     network_cut(APNS, False, True, 45), True),
    ("apns-reset", "one node cut from APNs, 20 s, reset", "PostgreSQL",
     network_cut(APNS, True, False, 20), True),
    ("disk-full", "disk full for 10 s", "SQLite", disk_full, True),
    ("clock-forward", "clock an hour forward, then back", "SQLite", clock_of_only_node(3600), False),
    ("clock-back", "clock an hour back, then forward", "SQLite", clock_of_only_node(-3600), False),
    ("clock-node-forward", "one node's clock an hour forward", "PostgreSQL", clock_of_one_node(3600), False),
    ("clock-node-back", "one node's clock an hour back", "PostgreSQL", clock_of_one_node(-3600), False),
    ("clock-database-forward", "database's clock an hour forward", "PostgreSQL", clock_of_database(3600), False),
    ("clock-database-back", "database's clock an hour back", "PostgreSQL", clock_of_database(-3600), False),
    ("unavailable", "APNs answers 503", "SQLite", apns_unavailable("SQLite"), False),
    ("unavailable-nodes", "APNs answers 503", "PostgreSQL", apns_unavailable("PostgreSQL"), False),
]
