"""The figures of runs, the bounds they are held to, and the table they end in."""

import dataclasses
import statistics


@dataclasses.dataclass
class Run:
    """One fault, once. What breaks a bound is written into `broken`."""

    devices: int = 0
    without_outcome: int = 0
    missed: int = 0
    twice: int = 0
    again: int = 0
    again_max: int = 0
    seconds: float = 0
    seconds_max: float = 0
    # What the API said meanwhile: how often each status, and the slowest answer.
    statuses: dict = dataclasses.field(default_factory=dict)
    slowest: float = 0
    broken: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)

    def judge(self):
        for name, value in [
            ("devices without outcome", self.without_outcome), ("devices not reached", self.missed),
            ("devices that show a push twice", self.twice),
        ]:
            if value:
                self.broken.append(f"{value} {name}")
        if self.again > self.again_max:
            self.broken.append(f"{self.again} sent again, {self.again_max} allowed")
        if self.seconds > self.seconds_max:
            self.broken.append(f"done after {self.seconds:.1f} s, {self.seconds_max:.0f} s allowed")
        return self

    def expect(self, condition, text):
        if not condition:
            self.broken.append(text)


COLUMNS = [
    "fault", "store", "runs", "devices", "without outcome", "not reached", "twice on screen", "sent again",
    "at most", "s to the end", "at most", "slowest answer",
]


def row(title, store, runs):
    times = [run.seconds for run in runs]
    slowest = max(run.slowest for run in runs)
    statuses = sorted({status for run in runs for status in run.statuses})
    return [
        title, store, str(len(runs)), f"{sum(run.devices for run in runs):,}",
        str(sum(run.without_outcome for run in runs)), str(sum(run.missed for run in runs)),
        str(sum(run.twice for run in runs)),
        f"{statistics.median(run.again for run in runs):.0f} / {max(run.again for run in runs)}",
        str(max(run.again_max for run in runs)), f"{statistics.median(times):.1f} / {max(times):.1f}",
        f"{max(run.seconds_max for run in runs):.0f}",
        f"{slowest:.1f} s ({', '.join(str(status) for status in statuses)})" if statuses else "",
    ]


def table(rows):
    """Markdown, so that it can stand in a document as it is; columns with two figures are median / worst."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "| --- | --- |" + " --: |" * (len(COLUMNS) - 2)]
    return "\n".join(lines + ["| " + " | ".join(cells) + " |" for cells in rows])
