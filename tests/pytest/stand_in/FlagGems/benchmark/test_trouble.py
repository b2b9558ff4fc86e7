import pytest
import torch

import flag_gems

from . import base

REFUSED = "Cannot copy between CPU and CUDA tensors during CUDA graph capture unless pinned."
INVALID = "CUDA error: operation failed due to a previous error during capture"


def trouble(message, at_end=None):
    """A call whose gems side cannot be captured."""

    def op(*args):
        torch.device.spend(1.0)
        if flag_gems.active and message:
            torch.device.forbidden_in_capture(message, at_end)

    return op


@pytest.mark.refused
def test_refused():
    base.Benchmark("refused", trouble(REFUSED)).run()


@pytest.mark.invalidated
def test_invalidated():
    base.Benchmark("invalidated", trouble("something inner", INVALID)).run()


@pytest.mark.unworded
def test_unworded():
    base.Benchmark("unworded", trouble("nobody knows this")).run()


@pytest.mark.fatal
def test_fatal():
    base.Benchmark("fatal", trouble("CUDA error: an illegal memory access was encountered", INVALID)).run()


@pytest.mark.poisoned
def test_poisoned():
    base.Benchmark("poisoned", trouble("MUSA error: unknown error")).run()


@pytest.mark.poisoned
def test_after_poisoned():
    base.Benchmark("after", trouble("")).run()


@pytest.mark.unique2
def test_unique2():
    base.Benchmark("unique2", trouble("must never be tried")).run()


@pytest.mark.empty
def test_empty():
    base.Benchmark("empty", lambda *args: None if torch.device.capturing else torch.device.spend(3)).run()


@pytest.mark.draws
def test_draws():
    def op(*args):
        torch.device.spend(1.0)
        if flag_gems.active and torch.device.capturing:
            torch.cuda.default_generators[0].state += 1
            torch.device.forbidden_in_capture(REFUSED)

    base.Benchmark("draws", op).run()


@pytest.mark.broken
def test_broken():
    def op(shape):
        torch.device.spend(1.0)
        if flag_gems.active:
            raise RuntimeError("kernel is broken\nand says so in two lines")

    base.Benchmark("broken", op).run()


@pytest.mark.later_dtype
def test_later_dtype():
    class Late(base.Benchmark):
        def get_input_iter(self, dtype):
            for place, shape in enumerate(self.shapes):
                yield (torch.Tensor(shape), torch.Tensor((place, dtype is torch.float32)))

    def op(shape, where):
        torch.device.spend(1.0)
        if flag_gems.active and where.shape == (1, True):
            raise RuntimeError("only this shape")

    Late("later_dtype", op).run()


@pytest.mark.guarded
@pytest.mark.skipif(not torch.cuda.is_available() or flag_gems.device != "cuda", reason="CUDA is not available")
def test_guarded():
    base.Benchmark("guarded", trouble("")).run()


@pytest.mark.known_defect
@pytest.mark.skipif(True, reason="Issue #1: not working")
def test_known_defect():
    base.Benchmark("known_defect", trouble("")).run()


@pytest.mark.foreign
def test_foreign():
    import _mthreads  # noqa: F401
    import flag_gems.runtime.backend._nvidia_next  # noqa: F401

    base.Benchmark("foreign", trouble("")).run()


@pytest.mark.dies
def test_dies():
    import os

    def op(where):
        torch.device.spend(1.0)
        if flag_gems.active and where.shape == (4096, 4096):
            os._exit(9)

    base.Benchmark("dies", op).run()
