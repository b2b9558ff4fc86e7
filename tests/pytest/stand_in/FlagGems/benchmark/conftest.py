import os

import pytest
import torch
import yaml

from . import consts

BUILTIN = ("parametrize", "skip", "skipif", "xfail", "usefixtures", "filterwarnings")
Config = None


class BenchConfig:
    pass


def pytest_addoption(parser):
    parser.addoption("--mode", default="kernel", choices=[mode.value for mode in consts.BenchMode])
    parser.addoption("--level", default="comprehensive", choices=["comprehensive", "core"])
    parser.addoption("--warmup", default=1000)
    parser.addoption("--iter", default=100)
    parser.addoption("--dtypes", action="append", default=None)
    parser.addoption("--metrics", action="append", default=None)
    parser.addoption("--shape_file", default=os.path.join(os.path.dirname(__file__), "core_shapes.yaml"))
    parser.addoption("--collect-marks", default=None)


def pytest_configure(config):
    global Config
    Config = BenchConfig()
    Config.mode = consts.BenchMode(config.getoption("--mode"))
    Config.level = config.getoption("--level")
    Config.warm_up, Config.repetition = int(config.getoption("--warmup")), int(config.getoption("--iter"))
    Config.dtypes = [getattr(torch, name) for name in config.getoption("--dtypes") or []]
    Config.metrics = config.getoption("--metrics")
    Config.shape_file = config.getoption("--shape_file")


@pytest.fixture(autouse=True)
def clear_function_cache():
    yield
    torch.device.empty_cache()


def pytest_collection_modifyitems(session, config, items):
    if not config.getoption("--collect-marks"):
        return
    registered = {line.split(":")[0] for line in config.getini("markers")}
    report = []
    for item in items:
        marks = [m.name for m in item.iter_markers() if m.name not in BUILTIN + tuple(registered)]
        report.append({"test_case": item.name, "function": item.originalname,
                       "file": item.location[0], "marks": marks})
    with open(config.getoption("--collect-marks"), "w") as file:
        yaml.dump(report, file)
    items.clear()
