"""Times the calls that FlagGems' benchmark measures, by the plan's timer.

Only what benchmark.base looks up as `triton.testing.do_bench` changes, and only after collection:
FlagGems' tuner binds its timers when kernels are imported, and Triton's autotuner asks
triton.testing again when it first tunes, so a timer put into triton.testing itself would change
which configurations win. triton.testing stays as it is.

Each call is told apart twice, by its order within the row and by what is active while it runs;
zl_rows keeps the outcome.
"""

import functools
import statistics
import sys

import zl_plan

capture = None  # zl_capture.attempt, where the backend can capture and that plugin is loaded


class View:
    """A module as seen through a few replaced names."""

    def __init__(self, module, **names):
        self.__dict__.update(names, _module=module)

    def __getattr__(self, name):
        return getattr(self._module, name)


class Row:
    """The calls timed for the row that is being measured."""

    def __init__(self):
        self.calls = []
        self.unclear = False


row = Row()
gems_active = 0


def start_row():
    global row
    row = Row()
    return row


def pytest_collection_finish(session):
    base = zl_plan.benchmark_module()
    if base is None or not session.items:
        return
    testing = base.triton.testing
    timers = {name: functools.partial(measure, testing.do_bench) for name in replaced_timers()}
    seen = View(testing, **timers)
    base.triton = View(base.triton, testing=seen)
    zl_plan.around(base.Benchmark, "get_latency", get_latency)
    watch_use_gems()


def replaced_timers():
    """do_bench, and in FlagGems' own capturing mode that one, so that refusals are met there too."""
    graph = zl_plan.plan()["timer"] == "graph"
    return ["do_bench", "do_bench_cudagraph"] if graph else ["do_bench"]


def watch_use_gems():
    use_gems = getattr(sys.modules.get("flag_gems"), "use_gems", None)
    if not isinstance(use_gems, type):
        return
    for name, step in (("__enter__", 1), ("__exit__", -1)):

        def replacement(self, *args, _original=getattr(use_gems, name), _step=step):
            global gems_active
            gems_active += _step
            return _original(self, *args)

        setattr(use_gems, name, replacement)


def get_latency(original, bench, op, /, *args, **kwargs):
    """Around Benchmark.get_latency: notes which side of the row the call is."""
    by_order = "gems" if row.calls or not wants_base(bench) else "base"
    is_gems = op is getattr(bench, "gems_op", None) or gems_active > 0
    row.unclear |= is_gems != (by_order == "gems")
    call = {"side": "gems" if is_gems else "base"}
    row.calls.append(call)
    value = original(bench, op, *args, **kwargs)
    if "timer" in call:  # it came by `measure`
        return value
    # The benchmark's own clock (a mode that times the host, a vendor's own do_bench).
    more = range(zl_plan.plan()["direct_repeat"] - 1)
    values = [value] + [original(bench, op, *args, **kwargs) for _ in more]
    call.update(timer=zl_plan.plan()["own_timer"], repeat=len(values), values=values)
    return statistics.median(values)


def wants_base(bench):
    return "latency_base" in getattr(bench, "to_bench_metrics", ["latency_base"])


def measure(direct, fn, **kwargs):
    """Stands where triton.testing.do_bench stood: do_bench's keywords, milliseconds."""
    call = row.calls[-1] if row.calls else {}
    reason = None
    if zl_plan.plan()["timer"] == "graph":
        reason = why_not_captured()
        if reason is None:
            value, reason = capture(fn, **kwargs)
            if reason is None:
                call["timer"] = "graph"
                return value
    values = repeated(direct, fn, kwargs)
    call.update(timer="direct", repeat=len(values))
    if isinstance(values[0], (int, float)):
        call["values"] = values
    if reason is not None:
        call["reason"] = reason
        op = zl_plan.plan()["op"]
        zl_plan.say(f"BENCHMARK_DIRECT_NO_CUDAGRAPH op={op} repeat={len(values)} reason={reason}")
    return statistics.median(values) if len(values) > 1 else values[0]


def why_not_captured():
    plan = zl_plan.plan()
    if plan["op"] in plan["graph"]["never"]:
        return "never captured on this backend"
    return None if capture is not None else "no capture here"


def repeated(direct, fn, kwargs):
    """The direct timer, `direct_repeat` times; once where it answers with several figures."""
    several = kwargs.get("quantiles") is not None or kwargs.get("return_mode") == "all"
    times = 1 if several else zl_plan.plan()["direct_repeat"]
    return [direct(fn, **kwargs) for _ in range(times)]
