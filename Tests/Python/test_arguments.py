"""Keyword arguments become options of the command."""

import datetime
import os
import pathlib

import pytest

from bandolier import Log, MissingInputError, UsageError, report, run


def echo(script):
    """Returns a command that prints its arguments, a line each."""
    return script('printf "%s\\n" "$@"')


def arguments(script, *operands, **options):
    return run("verb", *operands, executable=echo(script), **options).splitlines()


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"without_reason": "forced"}, ["--without-reason=forced"]),
        ({"once": True, "unpaired": False, "since": None}, ["--once"]),
        ({"lambda_": 0.1, "runs": 3}, ["--lambda=0.1", "--runs=3"]),
        ({"experiment": ["a", "b"]}, ["--experiment=a", "--experiment=b"]),
        ({"experiment": []}, []),
        ({"map": {"time": "ts", "unit": "user"}}, ["--map=time=ts", "--map=unit=user"]),
        ({"window": datetime.timedelta(days=7)}, ["--window=604800s"]),
        ({"output": pathlib.Path("-o")}, ["--output=-o"]),
        ({"since": datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)}, ["--since=2026-01-02T00:00:00+00:00"]),
        ({"experiment": "two words; $HOME `x` 'y'"}, ["--experiment=two words; $HOME `x` 'y'"]),
    ],
)
def test_a_keyword_argument_is_an_option(script, options, expected):
    assert arguments(script, **options) == ["verb", *expected]


def test_operands_come_last_behind_two_dashes(script):
    assert arguments(script, "-x", Log("-y"), once=True) == ["verb", "--once", "--", "-x", "-y"]


def test_a_verb_may_have_several_words(script):
    assert run("log info", "a b", executable=echo(script)) == "log\ninfo\n--\na b\n"


@pytest.mark.parametrize("value", [datetime.datetime(2026, 1, 2), datetime.timedelta(milliseconds=1)])
def test_times_without_zone_and_parts_of_seconds_are_refused(script, value):
    with pytest.raises(ValueError, match="time zone|whole number of seconds"):
        arguments(script, since=value)


@pytest.mark.parametrize("name", [b"\xff.log", os.fsdecode(b"\xff.log"), "a\0b"])
def test_names_that_the_command_would_change_are_refused(name):
    with pytest.raises(ValueError, match="is not UTF-8"):
        Log(name).info()


def test_a_list_for_an_option_that_is_given_once_is_joined_by_commas(storefront):
    funnel = report("funnel", storefront, steps=["click", "purchase"], experiment="homepage")
    assert set(funnel.column("step_name").to_pylist()) == {None, "click", "purchase"}
    chosen = report("rewards", storefront, columns=["variant", "units"])
    assert chosen.table.column_names == ["variant", "units"]


def test_an_unknown_option_gives_the_commands_own_error(storefront):
    with pytest.raises(UsageError, match="Unknown option '--experimant'. Did you mean '--experiment'") as caught:
        storefront.report("rewards", experimant="pricing")
    assert caught.value.exit_code == 64
    assert caught.value.arguments[1:3] == ("report", "rewards")
    with pytest.raises(UsageError, match='unknown report "reward"; did you mean "rewards"'):
        storefront.report("reward")


def test_the_form_of_the_output_is_not_an_option(storefront):
    with pytest.raises(TypeError, match="'format' is not an option here"):
        storefront.report("rewards", format="csv")


@pytest.mark.parametrize("name", ["-x.log", "--help", "-", "a b.log", "é.log", "*.log", "--"])
def test_a_log_may_have_any_name(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    log = Log(name)
    with pytest.raises(MissingInputError):
        log.info()
    event = {"type": "goal", "time": 1767323161, "unit": "u", "experiment": "e", "goal": "g"}
    assert log.append([event]).events == 1
    assert os.listdir(os.fsencode(tmp_path)) == [os.fsencode(name)]
    assert log.goals().num_rows == 1
    assert log.report("rewards").notes is not None
    assert log.verify().startswith("whole: 1 event")
    (tmp_path / "-more.jsonl").write_text('{"type":"goal","time":1767323162,"unit":"u","experiment":"e","goal":"g"}\n')
    assert log.import_files("-more.jsonl").events == 1
