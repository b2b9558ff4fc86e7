import pytest
import torch

import flag_gems
import triton

from . import base


def spend(*args):
    """1 ms by torch, 0.25 ms by gems, which compiles a kernel for it."""
    if flag_gems.active:
        triton.compiler.compile("plain_kernel")
    torch.device.spend(0.25 if flag_gems.active else 1.0)


@pytest.mark.plain
def test_plain():
    base.Benchmark("plain", spend).run()


@pytest.mark.plain_
def test_plain_inplace():
    base.Benchmark("plain_", spend).run()


@pytest.mark.twice
def test_twice_one():
    base.Benchmark("twice", spend).run()


@pytest.mark.twice
def test_twice_two():
    base.Benchmark("twice", spend).run()


@pytest.mark.with_gems_op
def test_perf_with_gems_op():
    def gems_op(*args):
        torch.device.spend(0.125)

    base.Benchmark("with_gems_op", spend, gems_op=gems_op).run()


@pytest.mark.median
def test_median():
    base.Benchmark("median", spend).run()


class OwnLatency(base.Benchmark):
    """An override that calls its base class, as one of FlagGems' does."""

    def get_latency(self, op, *args):
        return super().get_latency(op, *args)

    def run(self):
        super().run()


@pytest.mark.own_latency
def test_own_latency():
    OwnLatency("own_latency", spend).run()
