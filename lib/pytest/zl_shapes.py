"""Compares the shapes that are measured with those that were asked for, and applies them.

Many benchmarks override set_shapes and ignore --shape_file, and some vendors put a file of their
own in its place. With a shape file in the plan, what stands under the operator's name is what is
measured: where the benchmark holds other shapes they are replaced. A file that only speaks of the
operator's class is not forced on a benchmark that passed over it, since its own shapes may be the
only ones it takes. Every difference is said, and so is a benchmark that never looked at its
shapes. At level comprehensive FlagGems adds the benchmark's further shapes; they are no difference.
"""

import zl_plan


class Watched(list):
    """A list of shapes that knows whether anybody looked."""

    looked = False

    def __iter__(self):
        self.looked = True
        return super().__iter__()

    def __getitem__(self, place):
        self.looked = True
        return super().__getitem__(place)


def pytest_collection_finish(session):
    base = zl_plan.benchmark_module()
    if base is None or not session.items or zl_plan.plan()["shapes"]["mode"] != "file":
        return
    zl_plan.around(base.Benchmark, "init_user_config", after_config)
    zl_plan.around(base.Benchmark, "run", around_run)


def frozen(shape):
    return tuple(frozen(part) for part in shape) if isinstance(shape, (list, tuple)) else shape


def asked_for(bench):
    """(shapes, whether they stand under the operator's own name); None where the file is silent."""
    import yaml

    with open(zl_plan.plan()["shapes"]["file"], encoding="utf-8") as file:
        content = yaml.safe_load(file) or {}
    for name in [bench.op_name] + [cls.__name__ for cls in type(bench).__mro__]:
        entry = content.get(name)
        if isinstance(entry, dict) and "shapes" in entry:
            return [frozen(shape) for shape in entry["shapes"]], name == bench.op_name
    return None, False


def further(bench):
    """Shapes that FlagGems adds to any list at level comprehensive."""
    if zl_plan.plan()["level"] != "comprehensive":
        return []
    return [frozen(shape) for shape in getattr(bench, "set_more_shapes", list)() or []]


def after_config(original, bench, *args, **kwargs):
    result = original(bench, *args, **kwargs)
    if not isinstance(bench.shapes, (list, tuple)):
        return result
    asked, by_name = asked_for(bench)
    measured = [frozen(shape) for shape in bench.shapes]
    if asked is not None:
        wanted = list(dict.fromkeys(asked + further(bench)))
        if set(wanted) != set(measured):
            if by_name:
                bench.shapes = wanted
            differ(bench, wanted, measured, by_name)
    bench.shapes = Watched(bench.shapes)
    return result


def differ(bench, asked, measured, applied):
    zl_plan.report(
        "shapes", op=bench.op_name, asked=asked, measured=measured, applied=applied, ignored=False
    )
    zl_plan.say(
        f"BENCHMARK_SHAPES_DIFFER op={bench.op_name} applied={'yes' if applied else 'no'} "
        f"asked={asked} found={measured}"
    )


def around_run(original, bench, *args, **kwargs):
    result = original(bench, *args, **kwargs)
    shapes = getattr(bench, "shapes", None)
    if isinstance(shapes, Watched) and not shapes.looked:
        zl_plan.report("shapes", op=bench.op_name, asked=list(shapes), applied=False, ignored=True)
        zl_plan.say(f"BENCHMARK_SHAPES_IGNORED op={bench.op_name}")
    return result
