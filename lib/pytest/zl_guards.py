"""Lifts skip guards that are narrower than the code behind them.

A guard written as `torch.cuda.is_available()` skips an operator that dispatches through
`flag_gems.device` and would run. The plan pins each lifted guard to one file and one exact skip
reason, and nothing is lifted unless flag_gems has dispatched to the plan's vendor.

Left in place on purpose, though they read alike: the guards of test_flash_attention_forward.py,
test_flash_attention_backward.py, test_scaled_dot_product_attention_math.py and
test_cudnn_attention_forward.py (operators of one vendor's library), "CUDA required" of
test_apply_repetition_penalties.py (its other side is a package built for CUDA), "benchmark
requires CUDA device" of test_FLA/ (never seen to run elsewhere), test_router_gemm.py and
test_fp8_einsum.py (they name the devices their kernels were written for), and every guard that
cites an issue number (a known defect, not a narrow guard).

This plugin comes first in the list: it rewrites markers while tests are collected.
"""

import pytest

import zl_plan


def dispatched_to_plan():
    import flag_gems

    plan = zl_plan.plan()
    return flag_gems.vendor_name == plan["vendor"] and flag_gems.device == plan["torch_device"]


def is_lifted(mark, file):
    reason = mark.kwargs.get("reason")
    return mark.name == "skipif" and any(
        guard["file"] == file and guard["reason"] == reason
        for guard in zl_plan.plan()["lifted_guards"]
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    if not items or not dispatched_to_plan():
        return
    for item in items:
        file = item.location[0].replace("\\", "/")
        lifted = [mark for mark in item.own_markers if is_lifted(mark, file)]
        for mark in lifted:
            item.own_markers.remove(mark)
            zl_plan.say(f"GUARD_LIFTED node={item.nodeid} reason={mark.kwargs['reason']}")
            zl_plan.report("guard", node=item.nodeid, reason=mark.kwargs["reason"])
