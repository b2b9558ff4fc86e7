"""The three verdicts on a capture that raises."""

import pytest

MUSA = {"STUB_DEVICE": "musa", "STUB_VENDOR": "mthreads"}


def musa_plan(**changes):
    graph = {
        "class": "MUSAGraph",
        "wordings": [
            {"text": "MUSA error: unknown error", "verdict": "poisoned"},
            {"text": "during CUDA graph capture", "verdict": "refused"},
        ],
        "never": ["unique2"],
    }
    return {"vendor": "mthreads", "torch_device": "musa", "graph": graph, "env": MUSA, **changes}


@pytest.mark.parametrize(
    "op, reason",
    [
        ("refused", "Cannot copy between CPU and CUDA tensors during CUDA graph capture unless pinned."),
        ("invalidated", "CUDA error: operation failed due to a previous error during capture"),
    ],
)
def test_refused_falls_back_for_its_side_alone(run_node, op, reason):
    run = run_node(f"test_trouble.py::test_{op}")
    assert run.code == 0, run.out
    assert len(run.rows) == 4
    for row in run.rows:
        assert (row["base_ms"], row["base_timer"], row["base_reason"]) == (1.0, "graph", None)
        assert (row["latency_ms"], row["timer"], row["reason"]) == (1.5, "direct", reason)
    line = f"BENCHMARK_DIRECT_NO_CUDAGRAPH op={op} repeat=1 reason={reason}"
    assert run.lines("BENCHMARK_DIRECT") == [line] * 4


def test_fallback_rows_are_repeated_too(run_node):
    run = run_node("test_trouble.py::test_refused", direct_repeat=3)
    assert {row["repeat"] for row in run.rows} == {3}
    assert run.lines("BENCHMARK_DIRECT")[0].startswith("BENCHMARK_DIRECT_NO_CUDAGRAPH op=refused repeat=3 ")


def test_an_empty_capture_is_no_latency(run_node):
    run = run_node("test_trouble.py::test_empty")
    assert {(row["latency_ms"], row["timer"]) for row in run.rows} == {(3.5, "direct")}
    assert "CUDA Graph is empty" in run.rows[0]["reason"]


@pytest.mark.parametrize("op, word", [("unworded", "nobody knows this"), ("fatal", None)])
def test_what_no_wording_excuses_is_fatal(run_node, op, word):
    run = run_node(f"test_trouble.py::test_{op}")
    assert run.code == 1
    assert [row["status"] for row in run.rows] == ["FAILED"]
    assert run.rows[0]["latency_ms"] is None
    assert word is None or run.rows[0]["error"] == word
    assert not run.lines("BENCHMARK_DIRECT")


def test_a_broken_kernel_is_never_a_latency(run_node):
    run = run_node("test_trouble.py::test_broken")
    assert run.code == 1
    assert [(row["status"], row["latency_ms"], row["error"]) for row in run.rows] == [
        ("FAILED", None, "kernel is broken")
    ]


def test_poisoned_stops_the_process(run_node):
    run = run_node("test_trouble.py::test_poisoned", "benchmark/test_trouble.py::test_after_poisoned", **musa_plan())
    assert run.code != 0
    line = "BENCHMARK_CAPTURE_POISONED op=poisoned reason=MUSA error: unknown error"
    assert set(run.lines("BENCHMARK_CAPTURE_POISONED")) == {line}  # pytest's report repeats it
    assert run.of("poisoned")[0]["reason"] == "MUSA error: unknown error"
    assert [row["op"] for row in run.rows] == ["poisoned"]
    assert run.rows[0]["status"] == "FAILED"


def test_cuda_guesses_no_poison(run_node):
    graph_wordings = [{"text": "during CUDA graph capture", "verdict": "refused"}]
    graph = {"class": "CUDAGraph", "wordings": graph_wordings, "never": []}
    run = run_node("test_trouble.py::test_poisoned", graph=graph)
    assert run.code == 1
    assert not run.of("poisoned")


def test_a_denied_operator_never_tries(run_node):
    run = run_node("test_trouble.py::test_unique2")
    assert run.code == 0, run.out
    assert {(row["timer"], row["latency_ms"]) for row in run.rows} == {("direct", 1.5)}
    line = "BENCHMARK_DIRECT_NO_CUDAGRAPH op=unique2 repeat=1 reason=never captured on this backend"
    assert set(run.lines("BENCHMARK_DIRECT")) == {line}
    # The list is keyed by the function less test_, not by what the benchmark prints.
    run = run_node("test_trouble.py::test_unique2", op="perf_unique2")
    assert run.code == 1


def test_the_device_interface_captures_where_upstream_cannot(run_node):
    run = run_node("test_plain.py::test_plain", **musa_plan())
    assert run.code == 0, run.out
    assert {(row["timer"], row["base_ms"], row["latency_ms"]) for row in run.rows} == {("graph", 1.0, 0.25)}


def test_upstream_is_called_as_it_is_on_cuda(run_node, tmp_path):
    (tmp_path / "probe.py").write_text(
        "import triton\n"
        "def pytest_sessionfinish(session):\n"
        "    print('\\nPROBE ' + ' '.join(triton.testing.calls))\n"
    )
    plugins = ["zl_timing", "zl_capture", "zl_rows", "probe"]
    run = run_node("test_plain.py::test_plain", plugins=plugins)
    assert run.lines("PROBE") == ["PROBE" + " do_bench_cudagraph" * 8]


def test_a_failed_capture_leaves_the_random_generator_as_it_was(run_node, tmp_path):
    (tmp_path / "probe.py").write_text(
        "import torch\n"
        "def pytest_sessionfinish(session):\n"
        "    print('\\nPROBE', torch.cuda.default_generators[0].state)\n"
    )
    plugins = ["zl_timing", "zl_capture", "zl_rows", "probe"]
    run = run_node("test_trouble.py::test_draws", plugins=plugins)
    assert run.lines("PROBE") == ["PROBE 0"], run.out


def test_the_own_capture_summarizes_as_upstream_does():
    import zl_capture

    times = [4.0, 1.0, 3.0, 2.0]
    assert zl_capture.summarize(times, None, "median") == 2.5
    assert zl_capture.summarize(times, None, "mean") == 2.5
    assert zl_capture.summarize(times, None, "min") == 1.0
    assert zl_capture.summarize(times, None, "all") == times
    assert zl_capture.summarize(times, [0.0, 1.0], "mean") == [1.0, 4.0]
    assert zl_capture.summarize(times, [0.5], "mean") == 2.5


def test_verdicts_look_through_the_chain_of_exceptions():
    import zl_capture
    import zl_plan

    wordings = [
        {"text": "previous error", "verdict": "refused"},
        {"text": "illegal memory", "verdict": "fatal"},
        {"text": "unknown error", "verdict": "poisoned"},
    ]
    zl_plan.plan = lambda: {"graph": {"wordings": wordings}}

    def chained(inner, outer):
        try:
            try:
                raise RuntimeError(inner)
            except RuntimeError:
                raise ValueError(outer)
        except ValueError as error:
            return zl_capture.judge(error)

    assert chained("x", "previous error")[0] == "refused"
    assert chained("an illegal memory access", "previous error") == ("fatal", "an illegal memory access")
    assert chained("unknown error", "previous error")[0] == "poisoned"
    assert chained("x", "y")[0] == "fatal"
