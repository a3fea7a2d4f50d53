"""Polars: a Parquet file that it wrote itself, or a data frame in memory; enumerations for names.

Each question is asked of both of its engines, the one in memory and the streaming one.
"""

import os

try:
    import polars as pl
except ImportError:
    pl = None

NAMES = ["kind", "experiment", "variant", "goal"]
PAIR = ["experiment", "variant"]


def decisions(events):
    return events.filter(pl.col("kind") == "decision")


def one_key():
    """A number for a unit and an experiment."""
    return (pl.col("unit").cast(pl.Int64) * 32 + pl.col("experiment").to_physical()).alias("key")


def asof(events):
    goals = events.filter(pl.col("kind") == "goal")
    goals = goals.select(one_key(), "experiment", "turn", pl.col("value").fill_null(1.0)).sort("turn")
    latest = decisions(events).select(one_key(), "variant", "turn").sort("turn")
    # Both sides are sorted; within groups Polars cannot check that, and would warn.
    credited = (goals.join_asof(latest, on="turn", by="key", strategy="backward", check_sortedness=False)
                .filter(pl.col("variant").is_not_null())
                .group_by(PAIR).agg(pl.len().alias("goals"), pl.col("value").sum()))
    return decisions(events).group_by(PAIR).len().join(credited, on=PAIR, how="left")


def fill(events):
    """Sorts all, and lets every goal have the variant of the decision before it, if that is of its unit."""
    is_decision, is_goal = pl.col("kind") == "decision", pl.col("kind") == "goal"
    both = (events.filter(is_decision | is_goal)
            .select("kind", *PAIR, one_key(), "turn", pl.col("value").fill_null(1.0)).sort("key", "turn")
            .with_columns(pl.when(is_decision).then("key").forward_fill().alias("latest"),
                          pl.col("variant").forward_fill())
            .filter(pl.col("key") == pl.col("latest")))
    return both.group_by(PAIR).agg(is_decision.sum(), is_goal.sum().alias("goals"),
                                   pl.col("value").filter(is_goal).sum())


FORMS = {"asof join": asof, "sort and fill": fill}


class Polars:
    module = "polars"
    storages = ["parquet lz4", "data frame in memory"]

    @staticmethod
    def forms():
        return [f"{form}, {engine}" for form in FORMS for engine in ["in-memory", "streaming"]]

    @staticmethod
    def version():
        return pl.__version__

    def prepare(self, storage, parquet, folder):
        events = pl.read_parquet(parquet)
        for name in NAMES:
            names = events[name].unique().drop_nulls().cast(pl.String).sort()
            events = events.with_columns(pl.col(name).cast(pl.String).cast(pl.Enum(names)))
        events.write_parquet(os.path.join(folder, "events.parquet"), compression="lz4", row_group_size=1 << 18)

    def open(self, storage, folder):
        path = os.path.join(folder, "events.parquet")
        self.events = pl.scan_parquet(path) if storage.startswith("parquet") else pl.read_parquet(path).lazy()

    def ask(self, form):
        name, engine = form.rsplit(", ", 1)
        return FORMS[name](self.events).collect(engine=engine).rows()
