"""What is measured is what was asked for, or it is said."""


def shapes_plan(tmp_path, text, level="core"):
    (tmp_path / "shapes.yaml").write_text(text)
    return {"shapes": {"mode": "file", "file": str(tmp_path / "shapes.yaml")}, "timer": "direct", "level": level}


def sizes(run):
    return [row["size"][len("[torch.Size(") : -2] for row in run.rows[: len(run.rows) // 2]]


def file_of(tmp_path):
    return ["--shape_file", str(tmp_path / "shapes.yaml")]


def test_a_file_that_is_honoured_is_not_talked_about(run_node, tmp_path):
    plan = shapes_plan(tmp_path, "plain: {shapes: [[3, 3]]}")
    run = run_node("test_plain.py::test_plain", *file_of(tmp_path), **plan)
    assert sizes(run) == ["[3, 3]"]
    assert not run.of("shapes")


def test_shapes_are_applied_where_the_file_is_passed_over(run_node, tmp_path):
    plan = shapes_plan(tmp_path, "fixed: {shapes: [[[16, 1024, 256], 256]]}")
    run = run_node("test_fixed_shapes.py::test_fixed", *file_of(tmp_path), **plan)
    assert sizes(run) == ["[16, 1024, 256]"]
    assert run.of("shapes")[0]["applied"] is True
    assert run.lines("BENCHMARK_SHAPES_DIFFER op=fixed applied=yes asked=[((16, 1024, 256), 256)]")


def test_a_class_entry_is_not_forced(run_node, tmp_path):
    plan = shapes_plan(tmp_path, "Benchmark: {shapes: [[5, 5]]}")
    run = run_node("test_fixed_shapes.py::test_fixed", *file_of(tmp_path), **plan)
    assert sizes(run) == ["[64, 64]", "[4096, 4096]", "[16, 1024, 256]"]
    assert run.of("shapes")[0]["applied"] is False


def test_a_benchmark_that_looks_at_no_shapes_is_named(run_node, tmp_path):
    plan = shapes_plan(tmp_path, "blind: {shapes: [[5, 5]]}")
    run = run_node("test_fixed_shapes.py::test_blind", *file_of(tmp_path), **plan)
    assert run.lines("BENCHMARK_SHAPES_IGNORED op=blind")
    assert run.of("shapes")[-1]["ignored"] is True


def test_further_shapes_of_comprehensive_are_no_difference(run_node, tmp_path):
    plan = shapes_plan(tmp_path, "plain: {shapes: [[3, 3]]}", level="comprehensive")
    run = run_node("test_plain.py::test_plain", "--level", "comprehensive", *file_of(tmp_path), **plan)
    assert sizes(run) == ["[3, 3]", "[1048576]"]
    assert not run.of("shapes")


def test_a_silent_file_asks_nothing(run_node, tmp_path):
    plan = shapes_plan(tmp_path, "other: {shapes: [[5, 5]]}")
    run = run_node("test_fixed_shapes.py::test_fixed", *file_of(tmp_path), **plan)
    assert len(sizes(run)) == 3
    assert not run.of("shapes")


def test_upstream_shapes_are_left_alone(run_node):
    run = run_node("test_fixed_shapes.py::test_fixed", timer="direct")
    assert len(sizes(run)) == 3
    assert not run.of("shapes")
