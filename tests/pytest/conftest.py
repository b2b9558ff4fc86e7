"""Runs a node of the stand-in FlagGems under a plan, as zl-bench does."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
PLUGINS = HERE.parent.parent / "lib" / "pytest"
STAND_IN = HERE / "stand_in"
ALL = ["zl_guards", "zl_device", "zl_timing", "zl_capture", "zl_shapes", "zl_rows", "zl_foreign"]

collect_ignore = ["stand_in"]
sys.path[:0] = [str(PLUGINS), str(STAND_IN / "site")]


def base_plan(report):
    refused = [
        "operation failed due to a previous error during capture",
        "during CUDA graph capture",
        "The CUDA Graph is empty",
    ]
    wordings = [{"text": text, "verdict": "refused"} for text in refused]
    wordings.append({"text": "an illegal memory access was encountered", "verdict": "fatal"})
    wordings.append({"text": "MUSA error: unknown error", "verdict": "poisoned"})
    return {
        "op": "plain",
        "report": str(report),
        "vendor": "nvidia",
        "torch_device": "cuda",
        "device": {"uuid": "GPU-11111111-2222-3333-4444-555555555555"},
        "timer": "graph",
        "own_timer": "direct",
        "direct_repeat": 1,
        "level": "core",
        "graph": {"class": "CUDAGraph", "wordings": wordings, "never": ["unique2"]},
        "lifted_guards": [],
        "replay_autotune": str(report.parent / "autotune"),
        "shapes": {"mode": "upstream", "file": ""},
    }


class Run:
    def __init__(self, code, out, report):
        self.code, self.out = code, out
        lines = report.read_text().splitlines() if report.exists() else []
        self.report = [json.loads(line) for line in lines]

    def of(self, kind):
        return [entry for entry in self.report if entry["kind"] == kind]

    @property
    def rows(self):
        return self.of("row")

    def lines(self, word):
        return [line for line in self.out.splitlines() if line.startswith(word)]


@pytest.fixture
def run_node(tmp_path):
    def run(node, *options, plugins=None, env=None, **changes):
        report = tmp_path / "report.jsonl"
        report.unlink(missing_ok=True)
        plan = base_plan(report)
        plan["op"] = node.split("::")[1][len("test_") :] if "::" in node else ""
        plan.update(changes)
        file = tmp_path / "plan.json"
        file.write_text(json.dumps(plan))
        if plugins is None:
            plugins = [p for p in ALL if p != "zl_capture" or plan["timer"] == "graph"]
        words = [sys.executable, "-m", "pytest", "-s", "-rs", "-p", "no:cacheprovider"]
        for plugin in plugins:
            words += ["-p", plugin]
        words += ["benchmark/" + node, "--level", "core", *options]
        environment = dict(
            os.environ,
            ZL_PLAN=str(file),
            PYTHONPATH=f"{PLUGINS}:{STAND_IN / 'site'}:{tmp_path}",
            PYTHONDONTWRITEBYTECODE="1",
            FLAGGEMS_CACHE_DIR=str(tmp_path / "flaggems"),
            **(env or {}),
        )
        ended = subprocess.run(
            words, cwd=STAND_IN / "FlagGems", env=environment, text=True, timeout=250,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )
        return Run(ended.returncode, ended.stdout, report)

    return run
