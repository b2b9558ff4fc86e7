import time

import pytest
import torch
import triton
import yaml

import flag_gems

from . import consts
from .conftest import Config
from .consts import BenchmarkMetrics, BenchmarkResult


class Benchmark:
    DEFAULT_SHAPES = [(64, 64)]

    def __init__(self, op_name, torch_op, dtypes=(torch.float16, torch.float32), gems_op=None):
        self.op_name, self.torch_op, self.gems_op, self.dtypes = op_name, torch_op, gems_op, dtypes
        self.shapes = self.DEFAULT_SHAPES
        self.to_bench_metrics = ["latency_base", "latency", "speedup"]

    def set_shapes(self, shape_file):
        with open(shape_file) as file:
            content = yaml.safe_load(file)
        for name in [self.op_name] + [cls.__name__ for cls in type(self).__mro__]:
            if name in content:
                self.shapes = [tuple(shape) for shape in content[name]["shapes"]]
                break
        if Config.level == "comprehensive":
            self.shapes = self.shapes + self.set_more_shapes()

    def set_more_shapes(self):
        return [(1 << 20,)]

    def init_user_config(self):
        self.to_bench_dtypes = Config.dtypes or self.dtypes
        self.to_bench_metrics = Config.metrics or self.to_bench_metrics
        self.set_shapes(Config.shape_file)

    def get_latency(self, op, *args):
        def fn():
            return op(*args)

        if Config.mode == consts.BenchMode.OPERATOR:
            start = torch.device.clock
            fn()
            return torch.device.clock - start + 2 + 0 * time.time()
        if Config.mode == consts.BenchMode.CUDAGRAPH:
            return triton.testing.do_bench_cudagraph(fn, rep=Config.repetition, return_mode="median")
        return triton.testing.do_bench(fn, warmup=Config.warm_up, rep=Config.repetition,
                                       return_mode="median", grad_to_none=None)

    def get_input_iter(self, dtype):
        for shape in self.shapes:
            yield (torch.Tensor(shape),)

    def run(self):
        self.init_user_config()
        for dtype in self.to_bench_dtypes:
            metrics = []
            for args in self.get_input_iter(dtype):
                metric = BenchmarkMetrics()
                try:
                    metric.shape_detail = [arg.size() for arg in args]
                    if "latency_base" in self.to_bench_metrics:
                        metric.latency_base = self.get_latency(self.torch_op, *args)
                    if "latency" in self.to_bench_metrics:
                        if self.gems_op:
                            metric.latency = self.get_latency(self.gems_op, *args)
                        else:
                            with flag_gems.use_gems(exclude=["zero_"]):
                                metric.latency = self.get_latency(self.torch_op, *args)
                    if "speedup" in self.to_bench_metrics:
                        metric.speedup = metric.latency_base / metric.latency
                except Exception as error:
                    metric.error_msg = str(error)
                    pytest.fail(str(error))
                finally:
                    metrics.append(metric)
            print(BenchmarkResult(self.op_name, str(dtype), metrics))
