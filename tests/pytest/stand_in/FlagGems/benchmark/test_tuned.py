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


def plain_kernel():
    """What @triton.autotune would decorate."""


@pytest.mark.autotuned
def test_autotuned():
    from triton.runtime.autotuner import Autotuner, Config

    tuner = Autotuner(plain_kernel, [Config({"BLOCK": 64}, 8), Config({"BLOCK": 128}, 4)])

    def op(*args):
        if flag_gems.active:
            tuner.best(64, "float32")
        torch.device.spend(1.0)

    base.Benchmark("autotuned", op, dtypes=(torch.float32,)).run()
