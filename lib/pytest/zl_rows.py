"""Reports every measured row at once.

FlagGems prints a table only when a dtype is complete and loses all of it when one shape fails.
Here a row is reported as soon as FlagGems has put its figures into it, by watching the object
that FlagGems itself fills, so that row and table cannot disagree.
"""

import functools
import sys

import zl_plan
import zl_timing

bench = None     # the Benchmark that runs
dtype = ""
pending = None   # the metrics object whose row has not been reported


def pytest_collection_finish(session):
    base = zl_plan.benchmark_module()
    if base is None or not session.items:
        return
    original = base.BenchmarkMetrics
    watched = watched_class(original)
    for name, module in list(sys.modules.items()):
        if name.startswith("benchmark.") and getattr(module, "BenchmarkMetrics", None) is original:
            module.BenchmarkMetrics = watched
    zl_plan.around(base.Benchmark, "run", run)


def watched_class(original):
    class Watched(original):
        def __init__(self, *args, **kwargs):
            begin(self)
            super().__init__(*args, **kwargs)

        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            if self is pending and value is not None:
                filled(self, name)

    Watched.__name__ = original.__name__
    return Watched


def run(original, self, *args, **kwargs):
    """Around Benchmark.run: which benchmark and dtype the rows belong to."""
    global bench, dtype
    bench, dtype = self, ""
    inputs = self.get_input_iter

    @functools.wraps(inputs)
    def inputs_of(of_dtype, *rest):
        global dtype
        dtype = str(of_dtype)
        return inputs(of_dtype, *rest)

    self.get_input_iter = inputs_of
    try:
        return original(self, *args, **kwargs)
    except BaseException as error:
        flush(error)
        raise
    finally:
        flush()
        del self.get_input_iter


def begin(metrics):
    global pending
    flush()
    pending = metrics
    zl_timing.start_row()


def filled(metrics, name):
    wanted = getattr(bench, "to_bench_metrics", ["speedup"])
    last = "speedup" if "speedup" in wanted else "latency" if "latency" in wanted else "latency_base"
    if name in (last, "error_msg"):
        flush()


def flush(stopped=None):
    """Reports the pending row. One that was never filled is a row that failed."""
    global pending
    metrics, pending = pending, None
    if metrics is None or bench is None:
        return
    calls = {call["side"]: call for call in zl_timing.row.calls}
    gems, base = calls.get("gems", {}), calls.get("base", {})
    error = getattr(metrics, "error_msg", None) or stopped
    latency = zl_plan.finite(getattr(metrics, "latency", None))
    base_latency = zl_plan.finite(getattr(metrics, "latency_base", None))
    failed = bool(error) or (latency is None and base_latency is None)
    zl_plan.report(
        "row",
        op=bench.op_name,
        dtype=dtype,
        size=str(getattr(metrics, "shape_detail", None)),
        latency_ms=latency,
        base_ms=base_latency,
        status="FAILED" if failed else "SUCCESS",
        error=zl_plan.one_line(error) if failed and error else None,
        timer=gems.get("timer") or base.get("timer"),
        base_timer=base.get("timer"),
        repeat=gems.get("repeat"),
        values=gems.get("values"),
        reason=gems.get("reason"),
        base_reason=base.get("reason"),
        unclear=zl_timing.row.unclear or None,
    )
