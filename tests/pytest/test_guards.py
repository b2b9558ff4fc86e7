"""Guards lifted for one vendor, pinned to file and reason."""

GUARD = {"file": "benchmark/test_trouble.py", "reason": "CUDA is not available"}
MUSA = {
    "vendor": "mthreads",
    "torch_device": "musa",
    "timer": "direct",
    "env": {"STUB_DEVICE": "musa", "STUB_VENDOR": "mthreads"},
}


def test_the_guard_skips_as_it_stands(run_node):
    run = run_node("test_trouble.py::test_guarded", **MUSA)
    assert run.code == 0
    assert not run.rows
    assert "SKIPPED [1] benchmark/test_trouble.py" in run.out


def test_a_pinned_guard_is_lifted(run_node):
    run = run_node("test_trouble.py::test_guarded", **MUSA, lifted_guards=[GUARD])
    assert run.code == 0, run.out
    assert len(run.rows) == 4
    assert run.lines("GUARD_LIFTED") == [
        "GUARD_LIFTED node=benchmark/test_trouble.py::test_guarded reason=CUDA is not available"
    ]


def test_another_file_or_reason_is_not(run_node):
    for change in ({"file": "benchmark/test_plain.py"}, {"reason": "CUDA is not available."}):
        run = run_node("test_trouble.py::test_guarded", **MUSA, lifted_guards=[{**GUARD, **change}])
        assert not run.rows
        assert not run.of("guard")


def test_a_known_defect_keeps_its_guard(run_node):
    run = run_node("test_trouble.py::test_known_defect", **MUSA, lifted_guards=[GUARD])
    assert not run.rows


def test_nothing_is_lifted_when_flaggems_went_elsewhere(run_node):
    plan = {**MUSA, "env": {"STUB_DEVICE": "musa", "STUB_VENDOR": "nvidia"}}
    run = run_node("test_trouble.py::test_guarded", **plan, lifted_guards=[GUARD])
    assert not run.rows
    assert not run.of("guard")
