"""The examples of the docstrings and of the page on Python are run."""

import doctest
import inspect
import pathlib
import pkgutil
import re
from importlib import import_module

import pytest

import bandolier

PAGE = pathlib.Path("Sources/Reports/Reports.docc/Python.md")


class Finder(doctest.DocTestFinder):
    """Finds the examples of whatever the package exports, wherever it is defined."""

    def _from_module(self, module, object):
        return True if module is bandolier else super()._from_module(module, object)


def examples():
    modules = [bandolier] + [
        import_module(f"bandolier.{found.name}")
        for found in pkgutil.iter_modules(bandolier.__path__) if not found.ispkg]
    tests = [test for module in modules for test in Finder(exclude_empty=True).find(module) if test.examples]
    return list({test.docstring: test for test in reversed(tests)}.values())


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_an_example_gives_what_the_docstring_says(example):
    assert doctest.DocTestRunner().run(example).failed == 0


def test_every_public_function_has_an_example_or_is_an_error():
    shown = {test.name.split(".")[-1] for test in examples()}
    for name in bandolier.__all__:
        value = getattr(bandolier, name)
        if inspect.isfunction(value) and name not in ("find_executable", "report_all"):
            assert name in shown
        assert value.__doc__, name


def test_the_examples_of_the_page_give_what_it_says(tmp_path, monkeypatch):
    text = PAGE.read_text()
    source = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    example = doctest.DocTestParser().get_doctest(
        source.replace("shop.log", f"{tmp_path}/shop.log"), {}, PAGE.name, PAGE.name, 0)
    assert len(example.examples) > 5
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed == 0
