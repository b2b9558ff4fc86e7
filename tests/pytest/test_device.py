"""The pinned device is the one in use, or nothing is measured."""

import pytest


def test_facts(run_node):
    run = run_node("test_plain.py::test_plain", timer="direct")
    facts = run.of("facts")[0]
    assert facts["vendor"] == "nvidia"
    assert facts["libraries"]["torch"] == "2.11.0+stub"
    assert facts["libraries"]["triton_path"].endswith("site/triton/__init__.py")
    assert facts["device"]["uuid"] == "11111111-2222-3333-4444-555555555555"


def test_a_rebuilt_compiler_has_another_fingerprint(run_node, tmp_path):
    def fingerprint(cache=str(tmp_path / "triton"), **env):
        env["TRITON_CACHE_DIR"] = cache
        run = run_node("test_plain.py::test_plain", env=env, timer="direct")
        return [entry["fingerprint"] for entry in run.of("compiler")]

    one, other = fingerprint(), fingerprint(STUB_COMPILER="another build")
    assert len(one) == len(other) == 1 and one != other
    assert fingerprint() == one
    assert not fingerprint(cache="")  # compiled nothing: never asked


@pytest.mark.parametrize(
    "env, changes, what",
    [
        ({"STUB_VENDOR": "mthreads"}, {}, "vendor"),
        ({}, {"torch_device": "npu"}, "torch_device"),
        ({"STUB_COUNT": "2"}, {}, "visible_devices"),
        ({"STUB_COUNT": "0"}, {}, "visible_devices"),
        ({"STUB_UUID": "99999999-2222-3333-4444-555555555555"}, {}, "uuid"),
    ],
)
def test_a_mismatch_ends_the_session(run_node, env, changes, what):
    run = run_node("test_plain.py::test_plain", env=env, timer="direct", **changes)
    assert run.code == 72
    assert run.of("mismatch")[0]["what"] == what
    assert run.lines("DEVICE_MISMATCH what=" + what)
    assert not run.rows


def test_a_device_without_uuid_is_taken_by_its_pinning(run_node):
    run = run_node("test_plain.py::test_plain", timer="direct", device={"uuid": ""})
    assert run.code == 0
