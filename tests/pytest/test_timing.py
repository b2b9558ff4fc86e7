"""The direct timer, the two sides of a row, and that no tuner sees a patched timer."""


def test_direct_is_upstreams_figure(run_node):
    run = run_node("test_plain.py::test_plain", timer="direct")
    assert run.code == 0, run.out
    assert [(r["base_ms"], r["latency_ms"]) for r in run.rows] == [(1.5, 0.75)] * 4
    assert {(r["timer"], r["base_timer"], r["repeat"]) for r in run.rows} == {("direct", "direct", 1)}
    assert [r["dtype"] for r in run.rows] == ["torch.float16"] * 2 + ["torch.float32"] * 2
    assert run.rows[0]["size"] == "[torch.Size([64, 64])]"
    assert not run.lines("BENCHMARK_DIRECT_NO_CUDAGRAPH")


def test_graph_has_no_flush(run_node):
    run = run_node("test_plain.py::test_plain")
    assert [(r["base_ms"], r["latency_ms"]) for r in run.rows] == [(1.0, 0.25)] * 4
    assert {r["timer"] for r in run.rows} == {"graph"}


def test_repeat_gives_the_median_and_keeps_the_values(run_node):
    run = run_node("test_plain.py::test_plain", timer="direct", direct_repeat=3)
    assert {r["repeat"] for r in run.rows} == {3}
    assert run.rows[0]["values"] == [0.75] * 3


def test_repeat_is_skipped_where_several_figures_come_back():
    import triton
    import zl_plan
    import zl_timing

    plan = {"timer": "direct", "direct_repeat": 5}
    zl_plan.plan = lambda: plan
    calls = []

    def direct(fn, **kwargs):
        calls.append(kwargs)
        return [1.0, 2.0]

    assert zl_timing.measure(direct, None, quantiles=(0.5, 0.2)) == [1.0, 2.0]
    assert zl_timing.measure(direct, None, return_mode="all") == [1.0, 2.0]
    assert len(calls) == 2
    figures = iter([5.0, 1.0, 3.0, 9.0, 4.0])
    assert zl_timing.measure(lambda fn, **_: next(figures), None, return_mode="median") == 4.0
    assert triton.testing.do_bench(lambda: None) == 0.5


def test_a_gems_op_is_told_apart_by_identity(run_node):
    run = run_node("test_plain.py::test_perf_with_gems_op", timer="direct")
    assert [(r["base_ms"], r["latency_ms"], r["unclear"]) for r in run.rows] == [(1.5, 0.625, None)] * 4


def test_only_the_latency_asked_for(run_node):
    run = run_node("test_plain.py::test_plain", "--metrics", "latency", timer="direct")
    assert [(r["base_ms"], r["latency_ms"], r["unclear"]) for r in run.rows] == [(None, 0.75, None)] * 4


def test_an_override_that_calls_its_base_is_one_call(run_node):
    run = run_node("test_plain.py::test_own_latency", timer="direct")
    assert run.code == 0, run.out
    assert [(r["base_ms"], r["latency_ms"]) for r in run.rows] == [(1.5, 0.75)] * 4


def test_the_hosts_clock_keeps_its_own_timer(run_node):
    run = run_node(
        "test_plain.py::test_plain", "--mode", "operator", timer="own", own_timer="operator", direct_repeat=2
    )
    assert {(r["timer"], r["repeat"], r["latency_ms"]) for r in run.rows} == {("operator", 2, 2.25)}


def test_flaggems_own_capturing_mode_is_captured_by_us(run_node):
    run = run_node("test_plain.py::test_plain", "--mode", "cudagraph")
    assert {(r["timer"], r["latency_ms"]) for r in run.rows} == {("graph", 0.25)}


PROBE = """
import triton, pytest
seen = {}
def pytest_collection_finish(session):
    seen["collected"] = True
@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    import flag_gems, benchmark.base as base
    own = triton.testing.do_bench.__module__
    bound = {f.__module__ for f in flag_gems.tuner.bound.values()}
    replaced = base.triton.testing.do_bench is not triton.testing.do_bench
    print(f"\\nPROBE testing={own} bound={','.join(sorted(bound))} replaced={replaced}")
"""


def test_no_tuner_sees_a_patched_timer(run_node, tmp_path):
    (tmp_path / "probe.py").write_text(PROBE)
    plugins = ["zl_device", "zl_timing", "zl_capture", "zl_rows", "probe"]
    run = run_node("test_plain.py::test_plain", plugins=plugins)
    assert run.lines("PROBE") == ["PROBE testing=triton.testing bound=triton.testing replaced=True"], run.out
