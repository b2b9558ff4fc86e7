"""Rows that stand although what follows them fails."""


def test_rows_before_a_failure_are_kept(run_node):
    run = run_node("test_trouble.py::test_later_dtype", timer="direct")
    assert run.code == 1
    told = [(r["dtype"][6:], r["status"], r["latency_ms"], r["error"]) for r in run.rows]
    assert told == [
        ("float16", "SUCCESS", 1.5, None),
        ("float16", "SUCCESS", 1.5, None),
        ("float32", "SUCCESS", 1.5, None),
        ("float32", "FAILED", None, "only this shape"),
    ]
    assert run.rows[3]["base_ms"] == 1.5


def test_rows_before_a_death_are_kept(run_node):
    run = run_node("test_trouble.py::test_dies", timer="direct")
    assert run.code == 9
    assert [(r["status"], r["latency_ms"]) for r in run.rows] == [("SUCCESS", 1.5)]


def test_rows_and_table_agree(run_node):
    run = run_node("test_plain.py::test_plain", timer="direct")
    table = [line for line in run.out.splitlines() if line.endswith("[torch.Size([64, 64])]")]
    assert table == ["1.5 0.75 [torch.Size([64, 64])]"] * 2


def test_figures_that_are_none_are_not_known():
    import zl_plan

    assert zl_plan.finite(float("nan")) is None
    assert zl_plan.finite(float("inf")) is None
    assert zl_plan.finite(0.5) == 0.5
    assert zl_plan.finite("x") is None


def test_reasons_fit_a_line():
    import zl_plan

    assert zl_plan.one_line("\n  a b \n c") == "a b"
    assert zl_plan.one_line("") == ""
    assert len(zl_plan.one_line("x" * 5000)) == 200
