"""Plots of reports: the values and intervals of the table, whatever the report and its names."""

import pytest

from bandolier import Report, evaluate, learn, report, simulate
from bandolier._plot import intervals
from test_report import NAMES, OPTIONS


pytest.importorskip("matplotlib").use("Agg")
pyplot, dates = map(pytest.importorskip, ("matplotlib.pyplot", "matplotlib.dates"))


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def made(name, log):
    options = OPTIONS.get(name, [{}])[-1]
    if name == "evaluate":
        return evaluate(log, ["uniform", "fixed:variant=regular"], experiment="pricing")
    if name == "learn":
        return learn(log, "tabular", experiment="homepage")
    if name == "simulate":
        return simulate(environment="bernoulli:means=0.1;0.5", policy=["thompson", "ucb1"], horizon=100, runs=5)
    return report(name, log, **options)


@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.parametrize("name", [*OPTIONS, "evaluate", "learn", "simulate"])
def test_a_report_has_a_plot_and_its_intervals_are_around_their_estimates(storefront, name):
    got = made(name, storefront)
    ends = [column for column in got.table.column_names if column.endswith("ci_low")]
    pairs = intervals(got)
    assert set(ends) <= {low for low, _ in pairs.values()}
    for estimate, (low, high) in pairs.items():
        for row in got:
            if None not in (row[estimate], row[low], row[high]):
                assert row[low] - 1e-9 <= row[estimate] <= row[high] + 1e-9, (estimate, row)
    got.plot().figure.canvas.draw()


def test_points_are_the_rows_with_their_names_from_the_top(storefront):
    rewards = report("rewards", storefront, experiment="pricing", metric="revenue")
    axes = rewards.plot()
    [line, *_] = axes.get_lines()
    assert list(line.get_xdata()) == rewards["reward_mean"].to_pylist()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["discount-10", "regular"]
    [bars] = axes.collections
    assert [tuple(segment[:, 0]) for segment in bars.get_segments()] == [
        pytest.approx((row["ci_low"], row["ci_high"])) for row in rewards]
    assert (axes.get_title(), axes.get_xlabel()) == ("rewards · pricing", "reward_mean")
    assert rewards.plot("units", ax=axes) is axes


def test_curves_are_drawn_over_days_and_steps(storefront):
    series = report("series", storefront, experiment="pricing")
    axes = series.plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["discount-10", "regular"]
    assert axes.get_xlabel() == "day"
    assert dates.num2date(axes.get_lines()[0].get_xdata(orig=False)[0]).isoformat()[:10] == series[0]["day"]
    hours = report("series", storefront, experiment="pricing", every="hour").plot()
    assert (hours.get_xlabel(), len(hours.get_lines())) == ("hour", 2)
    times = evaluate(storefront, "uniform", experiment="pricing", table="time", estimator="ips").plot()
    assert (times.get_xlabel(), len(times.get_lines())) == ("start", 1)
    assert sum(len(line.get_xdata()) for line in axes.get_lines()) == len(series)
    assert "15 more are not shown" in report("series", storefront).plot().get_title()


@pytest.mark.filterwarnings("ignore:Glyph", "ignore:Matplotlib currently does not support")
def test_names_are_not_taken_for_formulas(empty_log):
    names = [name for name in NAMES if name] + ["$a_{$", "_hidden", "50 % \\frac"]
    empty_log.append(
        {"type": "decision", "time": 1767323161 + index, "unit": f"u{index}", "experiment": name, "variant": name}
        for index, name in enumerate(names))
    axes = report("rewards", empty_log).plot()
    axes.figure.canvas.draw()
    assert len(axes.get_yticklabels()) == len(names)
    report("series", empty_log, experiment=["$a_{$", "_hidden"]).plot("decisions").figure.canvas.draw()


def test_a_report_without_rows_or_numbers(storefront):
    import pyarrow as pa

    with pytest.warns(UserWarning, match="--since"):
        report("rewards", storefront, since="2030-01-01T00:00:00Z").plot().figure.canvas.draw()
    own = pa.table({"name": ["a", "b"], "count": [2, 1]})
    with pytest.raises(ValueError, match="the report names has no numbers"):
        Report("names", (), {}, own.select(["name"])).plot()
    with pytest.raises(ValueError, match="name has no numbers"):
        Report("names", (), {}, own).plot("name")
    assert [label.get_text() for label in Report("names", (), {}, own).plot().get_yticklabels()] == ["a", "b"]


def test_long_names_that_begin_alike_are_curves_of_their_own(empty_log):
    empty_log.append(
        {"type": "decision", "time": 1767323161, "unit": f"u{name}", "experiment": "e", "variant": "x" * 100 + name}
        for name in "ab")
    assert len(report("series", empty_log).plot("decisions").get_lines()) == 2
