import torch

calls = []  # names of the timers that were asked


def _timed(fn):
    start = torch.device.clock
    fn()
    return torch.device.clock - start


def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean"):
    calls.append("do_bench")
    time = _timed(fn) + 0.5
    if quantiles is not None:
        return [time for _ in quantiles]
    return [time] if return_mode == "all" else time


def do_bench_cudagraph(fn, rep=20, grad_to_none=None, quantiles=None, return_mode="mean"):
    calls.append("do_bench_cudagraph")
    fn()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        fn()
    return _timed(graph.replay)
