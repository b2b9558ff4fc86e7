"""Choices of Triton's own autotuner, replayed across the switch."""

import json

PLUGINS = ["zl_device", "zl_timing", "zl_autotune", "zl_rows"]
NODE = "test_tuned.py::test_autotuned"


def run_side(run_node, tmp_path, switch, plugins=None):
    env = {
        "STUB_SWITCH": switch,
        "TRITON_CACHE_DIR": str(tmp_path / ("triton" + switch)),
        "TRITON_PRINT_AUTOTUNING": "1",
    }
    run = run_node(NODE, plugins=plugins or PLUGINS, env=env, timer="direct")
    assert run.code == 0, run.out
    return run


def tuned(run):
    """With -s the line may stand behind pytest's own text."""
    return "Triton autotuning for function plain_kernel" in run.out


def files_of(tmp_path, switch):
    return sorted((tmp_path / ("triton" + switch)).glob("*/*.autotune.json"))


def record(run_node, tmp_path):
    """The first side's choices, kept as zl-bench keeps them."""
    assert tuned(run_side(run_node, tmp_path, "0"))
    (made,) = files_of(tmp_path, "0")
    kept = tmp_path / "autotune" / "KEY" / made.name
    kept.parent.mkdir(parents=True)
    kept.write_text(made.read_text())
    return kept


def test_the_other_side_finds_the_recorded_choice(run_node, tmp_path):
    record(run_node, tmp_path)
    assert not tuned(run_side(run_node, tmp_path, "1"))
    assert not files_of(tmp_path, "1")


def test_without_the_plugin_it_tunes_anew(run_node, tmp_path):
    record(run_node, tmp_path)
    run = run_side(run_node, tmp_path, "1", plugins=["zl_device", "zl_timing", "zl_rows"])
    assert tuned(run)


def test_other_candidates_or_another_key_are_tuned_anew(run_node, tmp_path):
    kept = record(run_node, tmp_path)
    content = json.loads(kept.read_text())
    for change in ({"key": [65, "float32"]}, {"configs_timings": content["configs_timings"][:1]}):
        kept.write_text(json.dumps({**content, **change}))
        run = run_side(run_node, tmp_path, "1")
        assert tuned(run)
        for made in files_of(tmp_path, "1"):
            made.unlink()
