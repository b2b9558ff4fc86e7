import pytest
import torch

from . import base


class Fixed(base.Benchmark):
    """Passes over the shape file, as a quarter of FlagGems' benchmarks do."""

    def set_shapes(self, shape_file):
        self.shapes = [(64, 64), (4096, 4096), ((16, 1024, 256), 256)]

    def get_input_iter(self, dtype):
        for shape in self.shapes:
            yield (torch.Tensor(shape if isinstance(shape[0], int) else shape[0]),)


class Blind(base.Benchmark):
    """Does not even look at its shapes."""

    def get_input_iter(self, dtype):
        yield (torch.Tensor((7,)),)


@pytest.mark.fixed
def test_fixed():
    Fixed("fixed", lambda *args: torch.device.spend(1.0)).run()


@pytest.mark.blind
def test_blind():
    Blind("blind", lambda *args: torch.device.spend(1.0)).run()
