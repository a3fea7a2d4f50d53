"""Each exit code has a class, whose message is what the command wrote to standard error."""

import pickle
import signal

import pytest

import bandolier
from bandolier import Log, run

CLASSES = {
    3: bandolier.CheckFailed,
    64: bandolier.UsageError,
    65: bandolier.BadDataError,
    66: bandolier.MissingInputError,
    73: bandolier.OutputError,
    74: bandolier.OutputError,
    75: bandolier.LockedError,
    130: bandolier.InterruptedCommandError,
    1: bandolier.CommandError,
    139: bandolier.CommandError,
}


@pytest.mark.parametrize("code, kind", CLASSES.items())
def test_an_exit_code_has_its_class(script, code, kind):
    fails = script("echo part", "echo 'bandolier: error: no, because' >&2", "echo second line >&2", f"exit {code}")
    with pytest.raises(bandolier.CommandError) as caught:
        run("verb", executable=fails)
    error = caught.value
    assert type(error) is kind
    assert str(error) == "error: no, because\nsecond line"
    assert (error.exit_code, error.output, error.arguments) == (code, b"part\n", (fails, "verb"))
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.__dict__) == (kind, str(error), error.__dict__)


def test_a_failure_without_words_says_its_exit_code(script):
    with pytest.raises(bandolier.BadDataError, match="failed with exit code 65"):
        run("verb", executable=script("exit 65"))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_killed_command_is_an_error_that_names_the_signal(script, number):
    with pytest.raises(bandolier.KilledCommandError, match=f"last words\n.* was ended by {number.name}") as caught:
        run("verb", executable=script("echo last words >&2", f"kill -{number.value} $$"))
    assert caught.value.exit_code == -number


def test_missing_logs_and_files_are_errors_of_python_too(empty_log):
    with pytest.raises(FileNotFoundError, match="there is no log here; check the path"):
        empty_log.decisions()
    with pytest.raises(bandolier.MissingInputError, match="nowhere.csv"):
        empty_log.import_files("/nowhere.csv")


def test_damage_is_an_error_or_a_warning(tmp_path, storefront):
    path = tmp_path / "damaged.log"
    path.mkdir()
    for source in __import__("pathlib").Path(storefront.path).iterdir():
        content = bytearray(source.read_bytes())
        if source.suffix == ".bdl":
            content[len(content) // 2] ^= 1
        (path / source.name).write_bytes(content)
    damaged = Log(path)
    with pytest.raises(bandolier.BadDataError, match=r"\.bdl"):
        damaged.verify()
    with pytest.raises(bandolier.BadDataError):
        damaged.decisions()
    with pytest.warns(bandolier.BandolierWarning, match="lost: ") as caught:
        damaged.events(damaged="skip")
    assert {warning.filename for warning in caught} == {__file__}
    with pytest.warns(bandolier.BandolierWarning, match="lost: "):
        assert any("lost" in message for message in damaged.report("rewards", damaged="skip").messages)


def test_an_event_that_is_not_valid_is_named_by_its_line_and_those_before_are_stored(empty_log):
    good = {"type": "goal", "time": 1767323161, "unit": "u", "experiment": "e", "goal": "g"}
    with pytest.raises(bandolier.BadDataError, match="line 3"):
        empty_log.append([good, good, {"type": "goal"}, good])
    assert empty_log.goals().num_rows == 2


def test_a_failed_check_has_the_report(storefront):
    with pytest.raises(bandolier.CheckFailed) as caught:
        storefront.report("health", fail_on="crossed")
    assert caught.value.report.table.equals(storefront.report("health").table)


def test_an_output_that_is_there_is_an_error(storefront, tmp_path):
    (tmp_path / "policy.json").write_text("{}")
    with pytest.raises(bandolier.OutputError, match="policy.json"):
        bandolier.learn(storefront, "tabular", experiment="homepage", output=tmp_path / "policy.json")


def test_a_locked_log_is_an_error_that_says_by_whom(empty_log):
    event = {"type": "goal", "time": 1767323161, "unit": "u", "experiment": "e", "goal": "g"}

    def events():
        yield event
        with pytest.raises(bandolier.LockedError, match=r"\d+"):
            for _ in range(100):
                empty_log.append([event])
        yield event

    # The first writer has the log from its start on, and waits for its second event.
    def slowly():
        yield from [event] * 10_000
        yield from events()

    assert empty_log.append(slowly()).events == 10_002


def test_another_program_than_the_command_is_an_error(script, tmp_path):
    other = script("cat > /dev/null", "echo hello")
    log = Log(tmp_path / "shop.log", executable=other)
    for use in (lambda: log.append([]), lambda: log.import_table([{"a": 1}]), lambda: log.import_files("a"), log.info,
                log.decisions, lambda: log.report("rewards")):
        with pytest.raises(bandolier.UnexpectedOutputError, match=f"{other} wrote no .*; is it the command") as caught:
            use()
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
