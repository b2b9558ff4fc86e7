"""Lists the benchmark's test functions as JSON Lines: op, file, function.

    zl_nodes.py sources DIR       reads DIR/benchmark/**/test_*.py without importing anything
    zl_nodes.py marks FILE DIR    rewrites what FlagGems' --collect-marks wrote

FlagGems leaves marks out that its pytest.ini registers (`median`), and a file that could not be
imported altogether; what the sources say stands in for both.

The operator is the first mark that is not pytest's own. pytest hands marks out from the innermost
decorator outwards, then the class's, then the module's pytestmark; so does the reading of sources.
Those of a pytest.param come before them all; of several parameters the first counts.
"""

import ast
import json
import os
import sys

BUILTIN_MARKS = frozenset(
    "parametrize skip skipif xfail usefixtures filterwarnings timeout tryfirst trylast".split()
)


def first_operator(marks):
    return next((mark for mark in marks if mark not in BUILTIN_MARKS), "")


def mark_name(expression):
    """NAME of pytest.mark.NAME or pytest.mark.NAME(…)."""
    if isinstance(expression, ast.Call):
        expression = expression.func
    if not isinstance(expression, ast.Attribute) or not isinstance(expression.value, ast.Attribute):
        return None
    holder = expression.value
    is_mark = isinstance(holder.value, ast.Name) and (holder.value.id, holder.attr) == ("pytest", "mark")
    return expression.attr if is_mark else None


def parameter_marks(decorator):
    """Marks of the first pytest.param(…, marks=…) that a parametrize writes out."""
    if mark_name(decorator) != "parametrize" or not isinstance(decorator, ast.Call):
        return []
    values = decorator.args[1] if len(decorator.args) > 1 else next(
        (word.value for word in decorator.keywords if word.arg == "argvalues"), None
    )
    first = values.elts[0] if isinstance(values, (ast.List, ast.Tuple)) and values.elts else None
    if not isinstance(first, ast.Call) or ast.unparse(first.func) != "pytest.param":
        return []
    marks = next((word.value for word in first.keywords if word.arg == "marks"), None)
    listed = marks.elts if isinstance(marks, (ast.List, ast.Tuple)) else [marks]
    return [name for name in map(mark_name, listed) if name]


def decorator_marks(node):
    names = [mark_name(one) for one in node.decorator_list]
    within = [name for one in reversed(node.decorator_list) for name in parameter_marks(one)]
    return within + [name for name in reversed(names) if name]


def pytestmarks(body):
    for node in body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
        ):
            values = node.value.elts if isinstance(node.value, (ast.List, ast.Tuple)) else [node.value]
            return [name for name in map(mark_name, values) if name]
    return []


def functions_of(tree):
    """(function name, marks) of every test that pytest would collect, in the order of the file."""
    outer = pytestmarks(tree.body)
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
            yield node.name, decorator_marks(node) + outer
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            if any(isinstance(n, ast.FunctionDef) and n.name == "__init__" for n in node.body):
                continue  # pytest passes over such classes
            within = decorator_marks(node) + pytestmarks(node.body) + outer
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name.startswith("test"):
                    yield f"{node.name}::{method.name}", decorator_marks(method) + within


def from_sources(folder):
    for path, folders, files in os.walk(os.path.join(folder, "benchmark")):
        folders.sort()
        for name in sorted(files):
            if not name.endswith(".py") or not (name.startswith("test_") or name.endswith("_test.py")):
                continue
            full = os.path.join(path, name)
            with open(full, "rb") as file:
                try:
                    tree = ast.parse(file.read(), full)
                except (SyntaxError, ValueError) as error:
                    print(f"zl_nodes: {full}: {error}", file=sys.stderr)
                    continue
            relative = os.path.relpath(full, folder).replace(os.sep, "/")
            for function, marks in functions_of(tree):
                yield {"op": first_operator(marks), "file": relative, "function": function}


def from_marks(path, folder):
    import yaml

    by_source = {(node["file"], node["function"]): node for node in from_sources(folder)}

    with open(path, encoding="utf-8") as file:
        items = yaml.safe_load(file) or []
    seen = set()
    for item in items:
        function = item.get("function") or item["test_case"].split("[")[0]
        if item.get("class"):
            function = f"{item['class']}::{function}"
        key = (item["file"].replace(os.sep, "/"), function)
        if key not in seen:  # one line a function, however many parameters it has
            seen.add(key)
            op = first_operator(item.get("marks") or [])
            yield {
                "op": op or by_source.get(key, {}).get("op", ""),
                "file": key[0],
                "function": function,
            }
    imported = {file for file, _ in seen}
    yield from (node for key, node in by_source.items() if key[0] not in imported)


def main(arguments):
    readers = {("sources", 2): from_sources, ("marks", 3): from_marks}
    reader = readers.get((arguments[0] if arguments else "", len(arguments)))
    if reader is None:
        print(__doc__, file=sys.stderr)
        return 2
    nodes = reader(*arguments[1:])
    for node in sorted(nodes, key=lambda node: node["file"]):
        print(json.dumps(node))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
