"""The wheel of `make wheel`, in a new Python: it needs neither Swift nor a setting."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile

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


def made(kind, target):
    """Returns the file that make has made in `dist`."""
    found = list(ROOT.glob(f"dist/bandolier-{bandolier.__version__}-*.{kind}"))
    if not found:
        pytest.skip(f"dist/ has no {kind} of version {bandolier.__version__}; make {target} makes it")
    [path] = found
    return path


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    wheel = made("whl", "wheel")
    folder = tmp_path_factory.mktemp("a wheel é")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    install = [folder / "venv" / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    if subprocess.run([*install, "pyarrow"]).returncode != 0:
        pytest.skip("PyPI is out of reach, so there is no pyarrow for the wheel")
    # What else the wheel required would not be found.
    subprocess.run([*install, "--no-index", wheel], check=True)
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


INSIDE = [
    "Swift, Foundation and Dispatch", "ICU, in Foundation", "GNU C Library", "GNU Lesser General Public License 2.1",
    "zlib", "SQLite is in the public domain", "GCC Runtime Library Exception", "libyaml", "Kirill Simonov",
    "swift-argument-parser/LICENSE", "hummingbird/LICENSE", "swift-nio/LICENSE",
    "swift-nio/NOTICE", "swift-nio/Sources/CNIOLLHTTP/LICENSE", "swift-log/LICENSE", "swift-log/NOTICE",
    "Runtime Library Exception to the Apache 2.0 License"]


def test_the_wheel_has_the_licences_of_what_its_commands_have_inside():
    with zipfile.ZipFile(made("whl", "wheel")) as archive:
        folder = f"bandolier-{bandolier.__version__}.dist-info"
        license, notices = (archive.read(f"{folder}/licenses/{name}").decode() for name in ("LICENSE", "NOTICES.txt"))
        metadata = archive.read(f"{folder}/METADATA").decode()
    assert license == (ROOT / "LICENSE").read_text()
    assert [text for text in INSIDE if text not in notices] == []
    assert {"License-Expression: Apache-2.0", "License-File: LICENSE", "License-File: NOTICES.txt"} <= set(
        metadata.splitlines())


def test_the_tar_has_them_too():
    with tarfile.open(made("tar.gz", "tar")) as archive:
        paths = [f"{archive.getnames()[0]}/{name}" for name in ("LICENSE", "NOTICES.txt")]
        license, notices = (archive.extractfile(path).read().decode() for path in paths)
    assert license == (ROOT / "LICENSE").read_text()
    assert [text for text in INSIDE if text not in notices] == []


def test_the_licences_of_all_packages_are_taken_each_text_once(tmp_path):
    if not shutil.which("swift"):
        pytest.skip("there is no Swift, whose licence is taken from its toolchain")
    for path, text in {
        "a/LICENSE.txt": "Free\nfor all\n",
        "b/LICENSE": "Free for all\n",
        "b/NOTICE.txt": "Of b\n", "b/Sources/C/LICENSE": "Of C\n", "b/Tests/LICENSE": "Of tests\n",
        "b/Sources/C/own.c": "// More\n/* Redistribution and use, always */\nint x;\n",
        "b/Sources/C/more/usual.h": "/* Apache: redistribution and use */\nint y; /* permission is given */\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    done = subprocess.run(
        [sys.executable, "Sources/Python/notices.py", tmp_path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(done.stderr)
    for text in ("a/LICENSE.txt, b/LICENSE\n\nFree\nfor all", "b/NOTICE.txt\n\nOf b", "C/LICENSE\n\nOf C",
                 "own.c\n\n// More\n/* Redistribution", "GNU C Library\n"):
        assert done.stdout.count(text) == 1
    assert "usual.h" not in done.stdout and "Of tests" not in done.stdout
