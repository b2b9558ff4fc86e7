"""The plan of one benchmark process and the report it leaves.

ZL_PLAN names a JSON file that holds every decision: which timer, what an error's wording means,
which device is expected. The plugins beside this file carry it out and know no vendor. What they
learn goes to the plan's `report` as JSON Lines (one object a line, told apart by "kind"), each
line written at once, so that a process that dies keeps what it had.
"""

import functools
import json
import math
import os
import sys

BENCHMARK_MODULES = ("benchmark.base", "benchmark.performance_utils")  # today's, before 2026-04


@functools.lru_cache(maxsize=None)
def plan():
    with open(os.environ["ZL_PLAN"], encoding="utf-8") as file:
        return json.load(file)


def report(kind, **fields):
    line = json.dumps({"kind": kind, **fields}, ensure_ascii=False, default=str)
    with open(plan()["report"], "a", encoding="utf-8") as file:
        file.write(line + "\n")


def finite(value):
    """A figure as JSON can carry it: NaN and infinities are not known."""
    return value if isinstance(value, (int, float)) and math.isfinite(value) else None


def say(line):
    """One line of the run's log, on a line of its own whatever pytest has written before."""
    sys.stdout.write("\n" + line + "\n")
    sys.stdout.flush()


def one_line(text, most=200):
    """The first line that says something, short enough for a marker."""
    lines = [line.strip() for line in str(text).splitlines() if line.strip()]
    return lines[0][:most] if lines else ""


def benchmark_module():
    """FlagGems' module that holds class Benchmark; nothing before collection has imported it."""
    for name in BENCHMARK_MODULES:
        module = sys.modules.get(name)
        if module is not None and hasattr(module, "Benchmark"):
            return module
    return None


def classes_with(base, name):
    """`base` and all classes derived from it so far that define method `name` themselves."""
    found, waiting = [], [base]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.append(one)
            waiting.extend(one.__subclasses__())
    return [one for one in found if name in vars(one)]


def around(base, name, wrapper):
    """Puts `wrapper(original, self, *args, **kwargs)` around method `name` wherever it is defined.

    An override that calls its base class is one call, not two: the wrapper sees the outer one."""
    within = set()  # ids of the objects whose method runs

    for owner in classes_with(base, name):
        original = vars(owner)[name]

        def replacement(self, *args, _original=original, **kwargs):
            if id(self) in within:
                return _original(self, *args, **kwargs)
            within.add(id(self))
            try:
                return wrapper(_original, self, *args, **kwargs)
            finally:
                within.discard(id(self))

        setattr(owner, name, functools.wraps(original)(replacement))
