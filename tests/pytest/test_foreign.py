"""Other vendors' modules in the process."""

import zl_foreign

PACKAGES = {"_nvidia", "_nvidia_next", "_mthreads"}
BACKEND = "flag_gems.runtime.backend."


def test_compared_by_path_segment():
    def found(*names):
        return zl_foreign.foreign_vendors(names, PACKAGES, "nvidia")

    assert found(BACKEND + "_nvidia", BACKEND + "_nvidia.ops.mm", "_nvidia.hopper") == []
    assert found(BACKEND + "_nvidia_next.ops") == ["nvidia_next"]
    assert found("_mthreads.ops", BACKEND + "_mthreads") == ["mthreads"]
    assert found("_thread", "_io", "flag_gems.runtime.backend", BACKEND + "backend_utils") == []
    assert found("x._mthreads", "flag_gems._mthreads") == []


def test_told_at_the_end_and_not_refused(run_node):
    run = run_node("test_trouble.py::test_foreign", timer="direct")
    assert run.code == 0, run.out
    assert run.lines("FOREIGN_VENDOR_MODULE") == ["FOREIGN_VENDOR_MODULE vendors=mthreads,nvidia_next"]
    assert run.of("foreign")[0]["vendors"] == ["mthreads", "nvidia_next"]


def test_nothing_to_tell(run_node):
    run = run_node("test_plain.py::test_plain", timer="direct")
    assert not run.of("foreign")
