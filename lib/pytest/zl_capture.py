"""Times a call by capturing it into a graph, and judges a capture that raises.

Upstream's do_bench_cudagraph runs as it is where it can, that is where Triton's device interface
is the torch.cuda it names, so that its figures do not move. Elsewhere the same capture goes
through the device interface: a side stream, an estimate over five calls, as many calls as fit
`rep` in one graph, ten replays. Neither flushes the L2 cache between calls; the direct timer does.

A capture that raises has one of three verdicts, by the wording the plan lists for the backend:
refused (the call cannot be captured: the direct timer takes over), poisoned (the attempt broke
the context: the process stops, the operator is incompatible with capture, not broken), fatal (the
kernel failed: the error goes on). An error that no wording covers is fatal: it may never become a
latency. A capture that ends well under a warning which the plan words as a refusal (an empty graph:
the call ran elsewhere, replaying it takes no time) is refused as well.
"""

import contextlib
import warnings

import pytest

import zl_plan
import zl_timing

REPLAYS = 10


def pytest_configure(config):
    zl_timing.capture = attempt


def pytest_sessionstart(session):
    global current_session
    current_session = session


current_session = None


def attempt(fn, warmup=None, **kwargs):
    """(latency in ms, None), or (None, why the capture was refused). Raises when fatal."""
    import triton

    interface = triton.runtime.driver.active.get_device_interface()
    # Tuned and compiled before the capture begins: tuning inside it would invalidate it. A kernel
    # that is broken says so here, outside any capture.
    fn()
    interface.synchronize()
    try:
        with generator_kept(interface), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            value = upstream_or_own(triton, interface)(fn, **kwargs)
        verdict, text = judge_texts([str(one.message) for one in warned])
        for one in warned:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
        return (None, text) if verdict == "refused" else (value, None)
    except Exception as error:
        verdict, text = judge(error)
        if verdict == "refused":
            return None, text
        if verdict == "poisoned":
            stop_poisoned(text)
        if text != zl_plan.one_line(error):  # the cause lies deeper than what FlagGems would print
            raise RuntimeError(f"{text} ({zl_plan.one_line(error)})") from error
        raise


def upstream_or_own(triton, interface):
    import torch

    if interface is getattr(torch, "cuda", None):
        return triton.testing.do_bench_cudagraph
    return lambda fn, **kwargs: capture_and_replay(interface, fn, **kwargs)


def judge(error):
    """Verdict and the line that decided it, over the whole chain of exceptions: what ends a
    capture often hides the first cause. Fatal wordings outrank poisoned ones, those refused."""
    chain, texts = error, []
    while chain is not None and len(texts) < 20:
        texts.append(str(chain))
        chain = chain.__cause__ or chain.__context__
    verdict, text = judge_texts(texts)
    return (verdict, text) if verdict else ("fatal", zl_plan.one_line(error))


def judge_texts(texts):
    wordings = zl_plan.plan()["graph"]["wordings"]
    for verdict in ("fatal", "poisoned", "refused"):
        for text in texts:
            if any(w["verdict"] == verdict and w["text"] in text for w in wordings):
                return verdict, zl_plan.one_line(text)
    return None, None


def stop_poisoned(text):
    """Ends the session after this test. By Failed, which FlagGems' `except Exception` lets pass."""
    line = f"BENCHMARK_CAPTURE_POISONED op={zl_plan.plan()['op']} reason={text}"
    zl_plan.say(line)
    zl_plan.report("poisoned", reason=text)
    if current_session is not None:
        current_session.shouldstop = line
    pytest.fail(line, pytrace=False)


@contextlib.contextmanager
def generator_kept(interface):
    """A capture that fails leaves the device's random generator as it was, so that the direct
    timer draws what it would have drawn. Skipped where the interface has no generators."""
    generators = getattr(interface, "default_generators", None)
    if not generators:
        yield
        return
    generator = generators[interface.current_device()]
    state = generator.get_state()
    try:
        yield
    except Exception:
        with contextlib.suppress(Exception):  # the verdict on the capture matters more
            generator.set_state(state)
        raise


def capture_and_replay(interface, fn, rep=20, grad_to_none=None, quantiles=None, return_mode="mean"):
    graph_class = zl_plan.plan()["graph"]["class"]
    with interface.stream(interface.Stream()):
        fn()
        forget_gradients(grad_to_none, detach=True)
        calls = calls_within(interface, fn, rep)
        graph = getattr(interface, graph_class)()
        with interface.graph(graph):
            for _ in range(calls):
                forget_gradients(grad_to_none)
                fn()
        interface.synchronize()
        times = [elapsed_ms(interface, graph.replay) / calls for _ in range(REPLAYS)]
    return summarize(times, quantiles, return_mode)


def forget_gradients(tensors, detach=False):
    for tensor in tensors or []:
        if detach:
            tensor.detach_()
            tensor.requires_grad_(True)
        tensor.grad = None


def elapsed_ms(interface, fn):
    start, end = (interface.Event(enable_timing=True) for _ in range(2))
    start.record()
    fn()
    end.record()
    interface.synchronize()
    return start.elapsed_time(end)


def calls_within(interface, fn, rep_ms):
    def five():
        for _ in range(5):
            fn()

    estimate_ms = elapsed_ms(interface, five) / 5
    return 1000 if estimate_ms == 0 else max(1, int(rep_ms / estimate_ms))


def summarize(times, quantiles, return_mode):
    if quantiles is not None:
        ordered = sorted(times)
        answers = [quantile(ordered, q) for q in quantiles]
        return answers[0] if len(answers) == 1 else answers
    if return_mode == "all":
        return times
    if return_mode == "median":
        return quantile(sorted(times), 0.5)
    return {"min": min, "max": max, "mean": lambda t: sum(t) / len(t)}[return_mode](times)


def quantile(ordered, q):
    place = q * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
