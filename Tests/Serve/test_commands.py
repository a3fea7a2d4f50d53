"""What `bandolier serve` and `bandolier keys` hand over, and what the help of the service shows."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from server import BANDOLIER, SERVE, bandolier_serve

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Sources/Service/Service.docc/RunningTheService.md"
VERBS = ["serve", "keys", "keys create", "keys list", "keys revoke"]


@pytest.fixture
def beside(tmp_path):
    """A folder with both commands."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for path, name in [(BANDOLIER, "bandolier"), (SERVE, "bandolier-serve")]:
        shutil.copy(path, folder / name)
    return folder


def run(folder, *words, path="/usr/bin:/bin"):
    return subprocess.run(
        [folder / "bandolier", *words], capture_output=True, text=True, timeout=60, env={"PATH": path})


def shell(command, folder, place):
    ran = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, timeout=60, cwd=place,
        env={"PATH": f"{folder}:/usr/bin:/bin"})
    assert ran.returncode == 0, (command, ran.stderr)
    return ran.stdout


def examples(text):
    """The commands at the end of a discussion, each in one line."""
    lines = re.search(r"Examples:\n\n(.*?)\n\nUSAGE:", text, re.S)[1]
    return re.sub(r" \\\n *", " ", lines).split("\n")


def test_without_the_program_the_verbs_say_how_to_get_it(beside):
    (beside / "bandolier-serve").unlink()
    for words in (["serve", "--log", "a"], ["keys", "list", "--keys", "a"]):
        alone = run(beside, *words, path="/nonexistent")
        assert alone.returncode == 66 and "make serve" in alone.stderr and alone.stdout == ""
    for words in (["serve", "--help"], ["keys", "list", "-h"]):
        alone = run(beside, *words, path="/nonexistent")
        assert alone.returncode == 0 and "make serve" in alone.stdout


def test_the_program_is_found_beside_the_command_and_on_the_path(beside, tmp_path):
    refused = run(beside, "serve", "--log", tmp_path / "log", "--port", "65536", path="/nonexistent")
    assert refused.returncode == 64 and "not a port" in refused.stderr
    other = tmp_path / "other"
    other.mkdir()
    os.rename(beside / "bandolier-serve", other / "bandolier-serve")
    refused = run(beside, "keys", "list", "--keys", tmp_path / "none", path=str(other))
    assert refused.returncode == 66 and "none" in refused.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_help_comes_from_the_program(beside, verb):
    help = run(beside, *verb.split(), "--help")
    assert (help.returncode, help.stderr) == (0, "")
    assert f"USAGE: bandolier {verb} " in help.stdout
    assert help.stdout == bandolier_serve(*verb.split(), "--help")
    assert all(len(line) <= 80 for line in help.stdout.splitlines())


def test_the_program_serves_without_a_verb():
    assert "serve (default)" in bandolier_serve("--help")
    assert "keys" in bandolier_serve("--help")


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "keys"])
def test_the_help_ends_with_two_or_three_examples_that_run(beside, tmp_path, verb):
    commands = examples(bandolier_serve(*verb.split(), "--help"))
    assert 2 <= len(commands) <= 3 and any(f"bandolier {verb} " in command for command in commands)
    for command in commands:
        # A service runs until a signal ends it.
        if verb != "serve":
            shell(command, beside, tmp_path)


def test_the_keys_of_the_documentation_are_made(beside, tmp_path):
    commands = re.findall(r"^bandolier keys .*", PAGE.read_text(), re.M)
    assert [command.split()[2] for command in commands] == ["create", "list", "revoke"]
    printed = [shell(command, beside, tmp_path) for command in commands]
    assert re.fullmatch(r"[0-9a-f]{32}\n", printed[0])
    assert '"name":"shop","scopes":["client"]' in printed[1]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["create"], 64, "Missing expected argument"),
        (["create", "a", "--keys", "k", "--scope", "all"], 64, "is not a scope"),
        (["create", "a b", "--keys", "k", "--scope", "read"], 64, "must have 1 to 64 letters"),
        (["revoke", "a", "--keys", "none"], 66, "none"),
        (["nonsense"], 64, "nonsense"),
    ],
)
def test_what_keys_cannot_do_is_an_error(tmp_path, words, status, message):
    ended = subprocess.run([SERVE, "keys", *words], capture_output=True, text=True, cwd=tmp_path)
    assert (ended.returncode, message in ended.stderr) == (status, True), ended.stderr


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_shells_complete_the_verbs_and_their_values(shell_name):
    script = bandolier_serve("--generate-completion-script", shell_name)
    assert all(word in script for word in ("keys", "cors-origin", "ingest"))
