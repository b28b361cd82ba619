"""The faults that take seconds, once each and small; `make faults` runs all of them, many times."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Faults"))

from faults import scenarios  # noqa: E402

OPTIONS = types.SimpleNamespace(devices=4_000, runs=1)


def can_mount():
    """Root may mount, unless a container forbids it."""
    if os.geteuid() != 0 or not sys.platform.startswith("linux") or not shutil.which("unshare"):
        return False
    mount = ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(mount, capture_output=True).returncode == 0


NEEDS_ROOT = pytest.mark.skipif(not can_mount(), reason="mounts a small disk")


@pytest.mark.parametrize("fault", [
    pytest.param(scenarios.database_restarted, id="the database is restarted"),
    pytest.param(scenarios.failover, id="the primary is killed and its standby promoted"),
    pytest.param(scenarios.clock_of_only_node(-3600), id="the clock goes an hour back and forward again"),
    pytest.param(scenarios.disk_full, id="the disk is full for a while", marks=NEEDS_ROOT),
])
def test_nothing_is_lost_or_shown_twice_when(fault):
    # Not pytest's own folder: the database's owner has to reach it.
    with tempfile.TemporaryDirectory(prefix="belfry-fault.") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        for run in fault(folder, OPTIONS):
            assert not run.broken
