"""Reports as Arrow tables: the cells are those of the command's CSV, the answer and the notes those of its JSON."""

import csv
import io
import json
import subprocess
import sys

import pytest

import bandolier
from bandolier import Log, Report, evaluate, find_executable, learn, report, report_all, run, simulate
from test_log import random_events

OPTIONS = {
    "rewards": [{}, {"by": "context.country", "window": "1d"}, {"per": "unit", "once": True},
                {"metric": "revenue"}],
    "compare": [{}, {"metric": ["reward", "revenue", "ratio:of=revenue,over=visits"], "crossing": "first"},
                {"method": "bootstrap", "metric": "converted", "alpha": 0.1}],
    "decisions": [{"analysis": "datasets/analysis.yaml"}],
    "conversions": [{}, {"experiment": "pricing", "window": "2d"}],
    "quantiles": [{}, {"metric": "reward"}],
    "regret": [{}, {"metric": "converted"}],
    "adaptive": [{}],
    "health": [{}],
    "series": [{}, {"experiment": ["pricing", "homepage"]}, {"time_zone": "Europe/Madrid"}],
    "visits": [{}],
    "funnel": [{"steps": ["click", "purchase"]}, {"steps": "signup", "experiment": "pricing"}],
    "retention": [{}],
    "novelty": [{}, {"days": [0, 2], "metric": "converted"}],
    "power": [{}],
    "predictions": [{}, {"over": "decisions", "experiment": "homepage"}],
}


def text(value, type_name):
    """Returns a cell as the command writes it in CSV."""
    if value is None:
        return ""
    if type_name == "flag":
        return "true" if value else "false"
    return value


def expect_equal(got: Report, verb, *operands, **options):
    """Expects the cells of a report to be those of CSV, read with the standard library."""
    lines = io.StringIO(run(verb, *operands, format="csv", **options), newline="")
    heading, *rows = csv.reader(lines)
    assert got.table.column_names == heading
    assert len(got) == len(rows)
    types = {name: str(type) for name, type in zip(heading, got.table.schema.types)}
    for index, name in enumerate(heading):
        cells = [row[index] for row in rows]
        values = got.column(name).to_pylist()
        if types[name] == "double":
            assert values == [None if cell == "" else float(cell) for cell in cells]
        elif types[name] == "int64":
            assert values == [None if cell == "" else int(cell) for cell in cells]
        elif types[name].startswith("timestamp"):
            assert [value and value.isoformat()[:19] for value in values] == [cell[:19] or None for cell in cells]
        else:
            assert [text(value, {"bool": "flag"}.get(types[name])) for value in values] == cells
    content = json.loads(run(verb, *operands, format="json", **options))
    assert (list(got.answer), dict(got.notes)) == (content["answer"], content["notes"])


def reports():
    command = [find_executable(), "report", "--experimental-dump-help"]
    help = subprocess.run(command, capture_output=True, check=True)
    return [command["commandName"] for command in json.loads(help.stdout)["command"]["subcommands"]]


def test_every_report_is_tried():
    assert set(OPTIONS) == set(reports()) - {"all", "help"}


@pytest.mark.parametrize("name, options", [(name, options) for name in OPTIONS for options in OPTIONS[name]])
def test_a_report_has_the_cells_of_the_commands_csv(storefront, name, options):
    expect_equal(report(name, storefront, **options), f"report {name}", storefront, **options)


def expect_reports_of_random_events(log, seed):
    log.append(random_events(seed, 500))
    for name, variations in OPTIONS.items():
        for options in variations if name != "decisions" else []:
            options = {key: value for key, value in options.items() if key not in ("experiment", "steps", "window")}
            if name == "funnel":
                options["steps"] = ["a", "é"]
            try:
                got = report(name, log, **options)
            except bandolier.CommandError as error:
                with pytest.raises(type(error)):
                    run(f"report {name}", log, format="csv", **options)
            else:
                expect_equal(got, f"report {name}", log, **options)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.filterwarnings("ignore::bandolier.BandolierWarning")
def test_reports_of_random_events_have_the_cells_of_the_commands_csv(empty_log, seed):
    expect_reports_of_random_events(empty_log, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
@pytest.mark.filterwarnings("ignore::bandolier.BandolierWarning")
def test_reports_of_many_random_logs_have_the_cells_of_the_commands_csv(empty_log, seed):
    expect_reports_of_random_events(empty_log, seed)


def test_other_tables_have_the_cells_of_the_commands_csv(storefront):
    options = {"experiment": "pricing", "policy": ["uniform", "fixed:variant=regular"]}
    expect_equal(evaluate(storefront, **options), "evaluate", storefront, **options)
    options = {"experiment": "homepage", "policy_class": ["tabular", "tree:depth=2"]}
    expect_equal(learn(storefront, **options), "learn", storefront, **options)
    options = {"environment": ["bernoulli:means=0.1;0.5", "gaussian:means=0;1"],
               "policy": ["ucb1", "thompson-gaussian"], "horizon": 300, "runs": 5}
    expect_equal(simulate(**options), "simulate", **options)
    expect_equal(simulate(**options, show="ranking"), "simulate", **options, show="ranking")


NAMES = ["NA", "null", "NaN", "001", "1e5", "true", "=1+1", "-1", "a,b", 'a"b', "two\nlines", "a\rb", " x ", "",
         "🙂👩‍👧", "e\u0301", "\u00e9", "\u202ertl", "<b>&", "\ufeffbom", "\u0085next\u2028line"]


def test_names_that_other_programs_take_for_something_else_arrive_as_they_are(empty_log):
    names = [name for name in NAMES if name]
    empty_log.append(
        {"type": "decision", "time": 1767323161 + index, "unit": f"u{index}", "experiment": name, "variant": name}
        for index, name in enumerate(names))
    rewards = report("rewards", empty_log)
    assert sorted(rewards.column("experiment").to_pylist()) == sorted(names)
    assert rewards.column("variant").to_pylist() == rewards.column("experiment").to_pylist()
    html = rewards._repr_html_()
    assert "<b>" not in html and "&lt;b&gt;&amp;" in html


def test_a_table_without_rows_has_its_columns_and_types(storefront):
    with pytest.warns(bandolier.BandolierWarning, match="--since"):
        none = report("rewards", storefront, since="2030-01-01T00:00:00Z")
    assert none.table.schema == report("rewards", storefront).table.schema
    assert len(none) == 0 and "experiment" in str(none)


def test_columns_say_whether_they_are_keys_and_what_they_have(storefront):
    rewards = report("rewards", storefront)
    assert rewards.keys == ["experiment", "point", "slot", "variant"]
    assert rewards.descriptions["reward_mean"]
    assert rewards.name == "rewards"


def test_it_is_a_data_frame_of_pandas_and_of_polars(storefront):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rewards = report("rewards", storefront)
    frame = rewards.to_pandas()
    assert list(frame.columns) == rewards.table.column_names
    assert frame.attrs["notes"] == rewards.notes and frame.attrs["report"] == "rewards"
    assert frame["decisions"].dtype == "int64" and isinstance(frame, pandas.DataFrame)
    assert polars.DataFrame(rewards)["decisions"].sum() == frame["decisions"].sum()


def test_a_database_has_the_reports_of_its_log(storefront, tmp_path):
    run("replay", storefront, into=tmp_path / "shop.sqlite")
    assert report("rewards", tmp_path / "shop.sqlite").table.equals(report("rewards", storefront).table)


def test_all_reports_go_into_a_folder(storefront, tmp_path):
    messages = report_all(storefront, tmp_path / "shop", experiment="pricing")
    assert (tmp_path / "shop" / "report.html").exists()
    assert any("report.html" in message for message in messages)
    with pytest.raises(bandolier.OutputError):
        report_all(storefront, tmp_path / "shop")


def test_progress_goes_to_a_function_or_to_standard_error(storefront, capfd):
    lines = []
    report("rewards", Log(storefront.path, progress=lines.append))
    storefront.report("rewards", progress=lines.append)
    assert lines and all("events" in line for line in lines)
    assert capfd.readouterr().err == ""
    report("rewards", storefront, progress=True)
    assert "50k/50k events" in capfd.readouterr().err
    report("rewards", storefront)
    assert capfd.readouterr().err == ""


def test_its_subscripts_are_columns_and_rows(storefront):
    rewards = report("rewards", storefront, experiment="pricing")
    rows = rewards.table.to_pylist()
    assert rewards["rewards"].equals(rewards.table["rewards"])
    assert rewards[["variant", "units"]].column_names == ["variant", "units"]
    assert (rewards[0], rewards[-1], rewards[:1].to_pylist()) == (rows[0], rows[-1], rows[:1])
    assert list(rewards) == rows and "units" in rewards and "unit" not in rewards
    for wrong in (lambda: rewards["unit"], lambda: rewards.column("unit"), lambda: rewards[["unit"]],
                  lambda: rewards.plot("unit"), lambda: rewards.plot(x="unit")):
        with pytest.raises(KeyError, match="report rewards has no column 'unit'; it has experiment, point"):
            wrong()
    with pytest.raises(IndexError):
        rewards[2]


def test_it_is_what_polars_makes_of_its_table(storefront):
    polars = pytest.importorskip("polars")
    frame = report("series", storefront).to_polars()
    assert frame.equals(polars.from_arrow(report("series", storefront).table))
    assert frame.schema["reward_mean"] == polars.Float64


@pytest.mark.parametrize("module, use", [
    ("pandas", "to_pandas()"), ("polars", "to_polars()"), ("matplotlib", "plot()")])
def test_what_is_not_installed_is_named(storefront, module, use, monkeypatch):
    rewards = report("rewards", storefront)
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing(module), *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match=f"{module} is not installed.*pip install {module}"):
        eval(f"rewards.{use}")


class Missing:
    """An importer of a Python in which a module is not installed."""

    def __init__(self, name):
        self.name = name

    def find_spec(self, name, *_):
        if name == self.name:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_reports_and_logs_travel_between_processes(storefront):
    import copy
    import pickle

    rewards = report("rewards", storefront)
    for other in (pickle.loads(pickle.dumps(rewards)), copy.deepcopy(rewards)):
        assert other.table.equals(rewards.table, check_metadata=True)
        assert (repr(other), other.keys) == (repr(rewards), rewards.keys)
    assert pickle.loads(pickle.dumps(storefront)).info() == storefront.info()


def test_a_table_of_ones_own_is_a_report_too(storefront, tmp_path):
    from pyarrow import csv

    (tmp_path / "rewards.csv").write_text(run("report rewards", storefront, format="csv"))
    read = Report("rewards", (), {}, csv.read_csv(tmp_path / "rewards.csv"))
    assert (read.keys, set(read.descriptions.values())) == ([], {""})
    assert "free-shipping" in str(read) and "free-shipping" in read._repr_html_()
    assert read["reward_mean"].equals(report("rewards", storefront)["reward_mean"])
