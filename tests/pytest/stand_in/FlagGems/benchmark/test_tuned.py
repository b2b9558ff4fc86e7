import pytest
import torch

import flag_gems

from . import base


def tuned(kernel, key):
    def op(*args):
        if flag_gems.active:
            flag_gems.tuner.tuned(kernel, key())
        torch.device.spend(1.0)

    return op


@pytest.mark.mm
def test_mm():
    base.Benchmark("mm", tuned("mm_kernel", lambda: "64"), dtypes=(torch.float32,)).run()


@pytest.mark.restless
def test_restless():
    """Asks for another key on the side where the switch is set."""
    import os

    key = lambda: "key" + os.environ.get("STUB_SWITCH", "")  # noqa: E731
    base.Benchmark("restless", tuned("mm_restless", key), dtypes=(torch.float32,)).run()
