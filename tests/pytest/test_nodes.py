"""Operators and nodes, from sources and from FlagGems' own collection."""

import json
import os
import subprocess
import sys

import zl_nodes
from conftest import PLUGINS, STAND_IN

FLAGGEMS = STAND_IN / "FlagGems"


def listed(*arguments):
    words = [sys.executable, str(PLUGINS / "zl_nodes.py"), *map(str, arguments)]
    ended = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in ended.stdout.splitlines()]


def collected(tmp_path, folder=FLAGGEMS):
    marks = tmp_path / "marks.yaml"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "benchmark"]
    words += ["--collect-marks", str(marks), "--continue-on-collection-errors"]
    env = dict(os.environ, PYTHONPATH=str(STAND_IN / "site"), PYTHONDONTWRITEBYTECODE="1")
    subprocess.run(words, cwd=folder, env=env, stdout=subprocess.DEVNULL, check=False)
    return listed("marks", marks, folder)


def test_sources_and_collection_agree(tmp_path):
    assert listed("sources", FLAGGEMS) == collected(tmp_path)


def test_what_the_collection_leaves_out(tmp_path):
    ops = {node["function"]: node["op"] for node in collected(tmp_path)}
    assert ops["test_median"] == "median"  # registered in pytest.ini
    assert ops["test_plain_inplace"] == "plain_"
    assert ops["test_perf_with_gems_op"] == "with_gems_op"


def write(tmp_path, text):
    (tmp_path / "benchmark").mkdir(exist_ok=True)
    (tmp_path / "benchmark" / "test_x.py").write_text(text)


def test_first_mark_that_is_not_pytests_own(tmp_path):
    write(
        tmp_path,
        "import pytest\npytestmark = [pytest.mark.module]\n"
        "@pytest.mark.outer\n@pytest.mark.skipif(True, reason='x')\n@pytest.mark.inner\n"
        "def test_a(): pass\n"
        "@pytest.mark.parametrize('x', [1])\ndef test_b(x): pass\n"
        "def helper(): pass\n"
        "class TestC:\n    @pytest.mark.method\n    def test_d(self): pass\n"
        "class TestE:\n    def __init__(self): pass\n    def test_f(self): pass\n",
    )
    told = {node["function"]: node["op"] for node in zl_nodes.from_sources(tmp_path)}
    assert told == {"test_a": "inner", "test_b": "module", "TestC::test_d": "method"}


def test_marks_of_the_first_parameter(tmp_path):
    write(
        tmp_path,
        "import pytest\n"
        "@pytest.mark.parametrize('op', [\n"
        "    pytest.param('mv', marks=pytest.mark.mv), pytest.param('outer', marks=pytest.mark.outer)])\n"
        "def test_two(op): pass\n"
        "@pytest.mark.parametrize('op', argvalues=[pytest.param(1, marks=[pytest.mark.skip, pytest.mark.addmv])])\n"
        "@pytest.mark.function\n"
        "def test_list(op): pass\n"
        "@pytest.mark.parametrize('op', [pytest.param(1), 2])\n@pytest.mark.function\n"
        "def test_none(op): pass\n"
        "@pytest.mark.parametrize('op', NAMES)\ndef test_name(op): pass\n",
    )
    told = {node["function"]: node["op"] for node in zl_nodes.from_sources(tmp_path)}
    assert told == {"test_two": "mv", "test_list": "addmv", "test_none": "function", "test_name": ""}


def test_files_that_do_not_parse_are_passed_over(tmp_path, capsys):
    write(tmp_path, "def test_a(:\n")
    assert list(zl_nodes.from_sources(tmp_path)) == []
    assert "test_x.py" in capsys.readouterr().err


def test_a_file_that_cannot_be_imported_is_read(tmp_path):
    import shutil

    copy = tmp_path / "FlagGems"
    shutil.copytree(FLAGGEMS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "benchmark" / "test_z.py").write_text(
        "import pytest\nimport not_installed\n@pytest.mark.zed\ndef test_zed(): pass\n"
    )
    assert {"op": "zed", "file": "benchmark/test_z.py", "function": "test_zed"} in collected(tmp_path, copy)


def test_bad_calls():
    assert zl_nodes.main([]) == 2
    assert zl_nodes.main(["marks", "x"]) == 2
