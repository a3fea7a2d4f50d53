"""The command is found by argument, by `BANDOLIER`, then on the `PATH`."""

import os

import pytest

from bandolier import ExecutableNotFoundError, Log, find_executable


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
