"""Stand-in for torch: a device whose time is a counter."""

import os
import sys
import types

__version__ = "2.11.0+stub"


class dtype:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "torch." + self.name


float16, float32, bfloat16, int32 = map(dtype, ("float16", "float32", "bfloat16", "int32"))


class Size(tuple):
    def __repr__(self):
        return f"torch.Size({list(self)})"


class Tensor:
    def __init__(self, shape):
        self.shape = Size(shape)

    def size(self):
        return self.shape


class Generator:
    """Counts what was drawn."""

    def __init__(self):
        self.state = 0

    def get_state(self):
        return self.state

    def set_state(self, state):
        self.state = state


class _Graph:
    cost = 0.0

    def replay(self):
        device.clock += self.cost


class _Capture:
    def __init__(self, graph):
        self.graph = graph

    def __enter__(self):
        device.capturing, device.failed = True, None
        self.start = device.clock

    def __exit__(self, kind, error, trace):
        device.capturing = False
        self.graph.cost, device.clock = device.clock - self.start, self.start
        if device.failed:
            raise RuntimeError(device.failed)
        if not self.graph.cost and kind is None:
            import warnings

            warnings.warn("The CUDA Graph is empty. This usually means something.")


class _Event:
    def __init__(self, enable_timing=False):
        self.at = None

    def record(self):
        self.at = device.clock

    def elapsed_time(self, other):
        return other.at - self.at


class _Stream:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


class _Properties:
    name = "Stub card"
    uuid = os.environ.get("STUB_UUID", "11111111-2222-3333-4444-555555555555")


def _device_module(name, graph_name):
    module = types.ModuleType("torch." + name)
    module.clock, module.capturing, module.failed = 0.0, False, None
    module.is_available = lambda: name == "cuda"
    module.device_count = lambda: int(os.environ.get("STUB_COUNT", "1"))
    module.current_device = lambda: 0
    module.get_device_properties = lambda index: _Properties
    module.synchronize = lambda: None
    module.empty_cache = lambda: None
    module.Stream, module.Event, module.graph = _Stream, _Event, _Capture
    module.stream = lambda stream: stream
    setattr(module, graph_name, _Graph)
    if name == "cuda":
        module.default_generators = [Generator()]

    def spend(ms):
        module.clock += ms

    def forbidden_in_capture(message, at_end=None):
        """What a call does that a capture cannot hold."""
        if module.capturing:
            module.failed = at_end
            raise RuntimeError(message)

    module.spend, module.forbidden_in_capture = spend, forbidden_in_capture
    sys.modules["torch." + name] = module
    return module


cuda = _device_module("cuda", "CUDAGraph")
musa = _device_module("musa", "MUSAGraph")
device = musa if os.environ.get("STUB_DEVICE") == "musa" else cuda
