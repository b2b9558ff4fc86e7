"""Runs commands and says what they took: wall and processor time, peak memory. Shared by the
measurements of this folder; figures are ratios of one run, nothing is asserted about time."""

import os
import resource
import subprocess
import sys
import time
from typing import NamedTuple


class Cost(NamedTuple):
    wall_s: float
    cpu_s: float  # with all descendants that were waited for
    peak_mib: float  # the largest single process among them


def run(command, stdin=None, statuses=(0, 1)):
    """One run of a command (a list, or a line for bash) that has to end with one of `statuses`."""
    argv = ["bash", "-o", "pipefail", "-c", command] if isinstance(command, str) else command
    with open(stdin or os.devnull, "rb") as source:
        start = time.perf_counter()
        child = subprocess.Popen(argv, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in statuses:
        sys.exit(f"exit status {child.returncode}: {command}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def peak(cost):
    """Peak memory as text. A child counts what its parent held when it forked, so less than that
    cannot be told."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{cost.peak_mib:.1f}" if cost.peak_mib > own * 1.02 else f"<{own:.0f}"


def least(costs):
    """The least times and the largest memory of several runs."""
    walls, cpus, peaks = zip(*costs)
    return Cost(min(walls), min(cpus), max(peaks))


def in_turns(commands, repeats):
    """name → least cost of `repeats` runs; name → (command, runs, stdin); each turn runs all."""
    costs = {name: [] for name in commands}
    for turn in range(repeats):
        for name, (command, most, stdin) in commands.items():
            if turn < most:
                costs[name].append(run(command, stdin))
    return {name: least(runs) for name, runs in costs.items()}


def row(*fields):
    print("\t".join(f"{field:.3f}" if isinstance(field, float) else str(field) for field in fields), flush=True)


def table(costs, per=1, unit="s"):
    """Rows `what wall cpu peak_mib wall_ratio cpu_ratio`, ratios to the first."""
    scale = {"s": 1, "ms": 1e3}[unit] / per
    first = next(iter(costs.values()))
    row("what", f"wall_{unit}", f"cpu_{unit}", "peak_mib", "wall_ratio", "cpu_ratio")
    for name, cost in costs.items():
        row(name, cost.wall_s * scale, cost.cpu_s * scale, peak(cost),
            f"{cost.wall_s / first.wall_s:.2f}", f"{cost.cpu_s / max(first.cpu_s, 1e-4):.2f}")
