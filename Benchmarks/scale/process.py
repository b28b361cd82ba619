"""What Linux knows of a process."""

import collections
import os
import pathlib

TICKS = os.sysconf("SC_CLK_TCK")


def memory(pid):
    """Resident MiB of a process: its own pages, and those of mapped files (which the system takes back)."""
    fields = {}
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        fields[name] = value.split()
    return int(fields["RssAnon"][0]) / 1024, int(fields["RssFile"][0]) / 1024


def thread_names(pid):
    """How many threads there are of each name."""
    names = collections.Counter()
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            names[(task / "comm").read_text().strip()] += 1
        except OSError:
            continue
    return names


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def cpu_seconds(pid):
    """Processor time of a process, its ended children left out; 0 when it has gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    fields = text.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def tree(pid):
    """A process and all below it."""
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, rest = [], [pid]
    while rest:
        found.append(rest.pop())
        rest.extend(children.get(found[-1], []))
    return found


def ended_children_cpu_seconds(pid):
    """Processor time of children that have ended and were waited for."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[13]) + int(fields[14])) / TICKS


def tree_cpu_seconds(pid):
    """Processor time of a process and all below it, also of those that have ended."""
    return sum(cpu_seconds(each) for each in tree(pid)) + ended_children_cpu_seconds(pid)


def machine():
    """One line on the machine and what else it does."""
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
    load = "/".join(pathlib.Path("/proc/loadavg").read_text().split()[:3])
    return f"{len(os.sched_getaffinity(0))} cores of {model}; load average {load}"
