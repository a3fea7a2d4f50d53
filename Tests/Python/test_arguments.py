"""Keyword arguments become options of the command."""

import datetime
import enum
import os
import pathlib

import pyarrow as pa
import pytest

from bandolier import BadDataError, Log, MissingInputError, UsageError, report, run, simulate


class Words(str, enum.Enum):
    A = "a"


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
        ({"experiment": (name for name in "ab")}, ["--experiment=a", "--experiment=b"]),
        ({"experiment": {"a": 1}.keys()}, ["--experiment=a"]),
        ({"experiment": pa.array(["a", "b"])}, ["--experiment=a", "--experiment=b"]),
        ({"experiment": Words.A}, ["--experiment=a"]),
        ({"map": {"time": "ts", "unit": "user"}}, ["--map=time=ts", "--map=unit=user"]),
        ({"window": datetime.timedelta(days=7)}, ["--window=604800s"]),
        ({"output": pathlib.Path("-o")}, ["--output=-o"]),
        ({"since": datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)}, ["--since=2026-01-02T00:00:00+00:00"]),
        ({"experiment": "two words; $HOME `x` 'y'"}, ["--experiment=two words; $HOME `x` 'y'"]),
    ],
)
def test_a_keyword_argument_is_an_option(script, options, expected):
    assert arguments(script, **options) == ["verb", *expected]


def test_values_of_numpy_pandas_and_polars_are_taken(script):
    numpy, pandas, polars = map(pytest.importorskip, ("numpy", "pandas", "polars"))
    for kind in (numpy.array, pandas.Series, pandas.Index, polars.Series):
        assert arguments(script, experiment=kind(["a", "b"])) == ["verb", "--experiment=a", "--experiment=b"]
    assert arguments(script, once=numpy.True_, wide=numpy.False_, runs=numpy.int8(3)) == ["verb", "--once", "--runs=3"]
    assert arguments(script, since=pandas.Timestamp("2026-01-02", tz="UTC"), window=pandas.Timedelta(days=1)) == [
        "verb", "--since=2026-01-02T00:00:00+00:00", "--window=86400s"]


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


ROWS = [{"ts": 1767607200, "user": "u-1", "group": "A", "where": "NZ"}]
MAPPING = {
    "time": "ts", "unit": "user", "variant": "group", "experiment": "=checkout", "point": None,
    "context": {"country": "where", "channel": "==web"}, "events": [{"goal": "=visit", "value": "=2"}]}


def test_a_mapping_of_fields_is_the_mapping_of_a_yaml_file(tmp_path):
    import json

    (tmp_path / "map.yaml").write_text(json.dumps({key: value for key, value in MAPPING.items() if value}))
    logs = [Log(tmp_path / name) for name in ("dictionary.log", "file.log")]
    for log, mapping in zip(logs, (MAPPING, tmp_path / "map.yaml")):
        assert log.import_table(ROWS, map=mapping).events == 2
    events = [run("export", log) for log in logs]
    assert events[0] == events[1]
    assert [(event["experiment"], event["context.channel"]) for event in logs[0].decisions().to_pylist()] == [
        ("checkout", "=web")]
    assert logs[0].goals()["goal"].to_pylist() == ["visit"]
    assert logs[0].import_table(ROWS, map=MAPPING).events == 0


def test_a_value_that_is_no_text_is_refused_where_one_is_needed(empty_log):
    for mapping in ({"unit": ["a", 2]}, {"events": ["goal"]}):
        with pytest.raises(TypeError, match="takes one value, not a list"):
            empty_log.import_table(ROWS, map=mapping)
    for mapping in ({"unit": ["a|b", "c"]}, {"events": [{"when": ["kind == order", "kind == refund"]}]}):
        with pytest.raises(ValueError, match="each element of a list must be the name of one column"):
            empty_log.import_table(ROWS, map=mapping)
    with pytest.raises(TypeError, match="A: it takes one value, not a dict"):
        empty_log.report("health", expect={"A": {"share": 1}})


ANALYSIS_FILE = """
metrics: {spend: {value: reward, title: spend per visitor, unit: €}}
experiments:
  free-shipping:
    baseline: control
    since: 2026-01-01
    metric: converted:goal=purchase
    guardrails: [{metric: spend, margin: 0.05}, visits]
    shares: {control: 0.5, free-shipping: 0.5}
    minimum_effect: 0.3
"""
FREE_SHIPPING = {
    "baseline": "control", "since": datetime.date(2026, 1, 1), "until": None, "metric": "converted:goal=purchase",
    "guardrails": ({"metric": "spend", "margin": 0.05}, "visits"), "shares": {"control": 0.5, "free-shipping": 0.5},
    "minimum_effect": 0.3}
METRICS = {"spend": {"value": "reward", "title": "spend per visitor", "unit": "€"}}


def test_an_analysis_metrics_and_a_plan_may_be_mappings(storefront, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", os.fspath(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "analysis.yaml").write_text(ANALYSIS_FILE)
    analysis = {"metrics": METRICS, "experiments": {"free-shipping": FREE_SHIPPING}}
    given, read = (
        report("decisions", storefront, analysis=value, experiment="free-shipping")
        for value in (analysis, tmp_path / "analysis.yaml"))
    assert given.table.equals(read.table) and given.answer == read.answer
    assert {**read.notes, "analysis": None} == {**given.notes, "analysis": None}
    assert storefront.report("rewards", metrics={"metrics": METRICS}, metric="spend").table.num_rows > 0
    plan = {"environments": ["bernoulli:means=0.1;0.5"], "policies": ["ucb1"], "horizon": 100, "runs": 2}
    assert simulate(plan).table.equals(
        simulate(environment=plan["environments"], policy="ucb1", horizon=100, runs=2).table)
    with pytest.raises(BadDataError, match="analysis.yaml.*did you mean"):
        report("decisions", storefront, analysis={"experiment": {}})
    assert os.listdir(tmp_path) == ["analysis.yaml"]


@pytest.mark.parametrize("name", [
    "=checkout", "true", "1.0", "~", "a: b", "# a", "two\nlines", "a\x7fb\x85\u2028c", "a\ufeffb\uffff",
    "🙂e\u0301", 'q"\\/', "\x01"])
def test_texts_of_an_analysis_arrive_as_they_are(empty_log, name):
    decision = {"type": "decision", "time": 1767323161, "experiment": name}
    empty_log.append([{**decision, "unit": f"u-{number}", "variant": [name, "b"][number % 2]} for number in range(8)])
    table = report("decisions", empty_log, analysis={"experiments": {name: {"baseline": name}}})
    assert set(table.column("baseline").to_pylist()) == {name}


def test_what_yaml_does_not_have_is_refused(storefront):
    for value in (float("nan"), datetime.datetime(2026, 1, 2), "\udc80"):
        with pytest.raises(ValueError, match="Out of range float|time zone|UTF-8"):
            report("decisions", storefront, analysis={"experiments": {"pricing": {"since": value}}})
