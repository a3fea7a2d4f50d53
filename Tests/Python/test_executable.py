"""The command is found by argument, by `BANDOLIER`, as installed with the package, then on the `PATH`."""

import os
import pathlib
import subprocess
import sys

import pytest

import bandolier
from bandolier import ExecutableNotFoundError, Log, find_executable, report


@pytest.fixture
def found_by_installed(tmp_path):
    """Returns what a package that was installed into a folder finds as its command."""
    site = tmp_path / "lib" / "python3" / "site-packages"
    (site / "bandolier-0.1.0.dist-info").mkdir(parents=True)
    (site / "bandolier").symlink_to(pathlib.Path(bandolier.__file__).parent)

    def found(recorded, **environment):
        (site / "bandolier-0.1.0.dist-info" / "METADATA").write_text("Name: bandolier\nVersion: 0.1.0\n")
        (site / "bandolier-0.1.0.dist-info" / "RECORD").write_text("".join(f"{path},,\n" for path in recorded))
        code = "import bandolier; print(bandolier.find_executable())"
        environment = {**os.environ, "BANDOLIER": "", "PYTHONPATH": os.fspath(site), **environment}
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    return found


def test_the_argument_comes_before_the_environment_and_that_before_the_path(script, monkeypatch, tmp_path):
    given, named, on_path = script(name="given"), script(name="named"), script()
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    monkeypatch.setenv("BANDOLIER", named)
    assert find_executable(given) == given
    assert find_executable() == named
    monkeypatch.setenv("BANDOLIER", "")
    assert find_executable() == on_path


def test_a_name_without_a_folder_is_looked_up_on_the_path(script, monkeypatch, tmp_path):
    other = script(name="other-build")
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    monkeypatch.setenv("BANDOLIER", "other-build")
    assert find_executable() == other


def test_the_command_and_logs_may_have_any_names(script, monkeypatch, tmp_path):
    (tmp_path / "my tools").mkdir()
    monkeypatch.setenv("BANDOLIER", script(f'exec "{find_executable()}" "$@"', name="my tools/bändolier $x"))
    log = Log(os.fsencode(tmp_path / "die Läufe, 🙂.log"))
    assert log.import_files(pathlib.Path("datasets/storefront.jsonl.gz")).events == 50_000
    assert report("rewards", log)["decisions"].equals(report("rewards", "datasets/storefront.log")["decisions"])


@pytest.mark.parametrize("folder", ["bin", "lib/python3/site-packages/bin"], ids=["prefix", "pip install --target"])
def test_the_command_of_the_wheel_comes_before_the_path_and_after_what_is_set(
        found_by_installed, script, tmp_path, folder):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / folder).mkdir()
    installed, on_path = script(name=f"{folder}/bandolier"), script(name="elsewhere/bandolier")
    recorded, path = ["bandolier/__init__.py", "../../../bin/bandolier"], os.path.dirname(on_path)
    assert found_by_installed(recorded, PATH=path) == installed
    assert found_by_installed(recorded, PATH=path, BANDOLIER=on_path) == on_path
    assert found_by_installed(recorded[:1], PATH=path) == on_path


def test_an_error_says_where_it_was_looked_for_and_how_to_build_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    monkeypatch.delenv("BANDOLIER")
    with pytest.raises(ExecutableNotFoundError, match="not on the PATH.*`make build`"):
        find_executable()
    with pytest.raises(ExecutableNotFoundError, match="'/nowhere', which the argument .* does not exist; build it"):
        Log("datasets/storefront.log", executable="/nowhere").info()
    monkeypatch.setenv("BANDOLIER", os.fspath(tmp_path))
    with pytest.raises(ExecutableNotFoundError, match="environment variable BANDOLIER names, is not an executable"):
        find_executable()


def test_a_file_that_the_system_cannot_run_is_an_error(script):
    path = script()
    with open(path, "wb") as file:
        file.write(b"\x7fELF broken")
    with pytest.raises(ExecutableNotFoundError, match="cannot be run"):
        Log("x", executable=path).verify()
