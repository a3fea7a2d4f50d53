"""What the tests share. They are run by `make test-python`, which sets `BANDOLIER` to the command that was built."""

import os
import pathlib
import stat

import pytest

from bandolier import Log

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def at_top_of_repository(monkeypatch):
    """Examples name files by their paths from the top."""
    monkeypatch.chdir(ROOT)


@pytest.fixture
def storefront():
    return Log("datasets/storefront.log")


@pytest.fixture
def empty_log(tmp_path):
    return Log(tmp_path / "events.log")


@pytest.fixture
def script(tmp_path):
    """Makes an executable from the lines of a shell script, in place of the command."""

    def make(*lines, name="bandolier"):
        path = tmp_path / name
        path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return os.fspath(path)

    return make


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; run by make test-long")


def pytest_collection_modifyitems(items):
    if not os.environ.get("BANDOLIER_LONG_TESTS"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="make test-long runs it"))
