"""The wheel of `make wheel`, in a new Python: it needs neither Swift nor a setting."""

import os
import subprocess
import sys

import pytest

import bandolier
from conftest import ROOT

LOG = ROOT / "datasets" / "storefront.log"


class Installed:
    """A Python with the wheel, and nothing else on the PATH than its own programs."""

    def __init__(self, venv, directory):
        self.programs = venv / "bin"
        self.directory = directory

    def run(self, program, *arguments, **environment):
        """Returns what a program of this Python printed."""
        environment = {"PATH": os.fspath(self.programs), "LANG": "C.UTF-8", **environment}
        done = subprocess.run(
            [self.programs / program, *arguments], env=environment, cwd=self.directory, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def python(self, code, **environment):
        return self.run("python", "-c", code, **environment).strip()


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    wheels = list(ROOT.glob(f"dist/bandolier-{bandolier.__version__}-*.whl"))
    if not wheels:
        pytest.skip(f"dist/ has no wheel of version {bandolier.__version__}; make wheel makes it")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    install = [folder / "venv" / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    if subprocess.run([*install, "pyarrow"]).returncode != 0:
        pytest.skip("PyPI is out of reach, so there is no pyarrow for the wheel")
    # What else the wheel required would not be found.
    subprocess.run([*install, "--no-index", *wheels], check=True)
    return Installed(folder / "venv", folder)


def test_the_commands_are_on_the_path(installed):
    assert installed.run("bandolier", "--version").strip() == bandolier.__version__
    assert "USAGE: bandolier-serve" in installed.run("bandolier-serve", "--help")
    assert installed.run("bandolier", "serve", "--help") == installed.run("bandolier-serve", "serve", "--help")


@pytest.mark.parametrize("name", ["bandolier", "bandolier-serve"])
def test_a_command_loads_no_library(installed, name):
    listed = subprocess.run(
        ["ldd", installed.programs / name], env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True)
    assert "not a dynamic executable" in listed.stdout + listed.stderr


def test_the_package_finds_the_command_and_makes_a_report(installed):
    command = installed.programs / "bandolier"
    assert installed.python("import bandolier; print(bandolier.find_executable())", PATH="") == os.fspath(command)
    report = f"import bandolier; print(bandolier.report('rewards', {os.fspath(LOG)!r}).table.to_pylist())"
    rewards = bandolier.report("rewards", LOG, executable=command)
    assert len(rewards) > 1
    assert installed.python(report, PATH="") == str(rewards.table.to_pylist())


def test_another_command_may_be_named(installed, script):
    other = script("echo other")
    code = "import bandolier; print(bandolier.run('--version'), end='')"
    assert installed.python(code, BANDOLIER=other) == "other"
    assert installed.python(code, PATH=os.path.dirname(other)) == bandolier.__version__


def test_what_is_uninstalled_is_gone(installed):
    installed.run("python", "-m", "pip", "uninstall", "-q", "-y", "bandolier")
    assert not list(installed.programs.glob("bandolier*"))
