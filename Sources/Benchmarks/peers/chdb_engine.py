"""ClickHouse, within the process (chDB): MergeTree tables with enumerations for names, in the order of the log, and
in the one that suits the question best."""

import csv
import os

NAMES = ["kind", "experiment", "variant", "goal"]
# What a table is ordered by.
ORDERS = {"MergeTree in the order of the log": "tuple()",
          "MergeTree by kind, experiment and unit": "(kind, experiment, unit, turn)"}
DECISIONS = """SELECT experiment, variant, count() AS decisions FROM events WHERE kind = 'decision'
    GROUP BY experiment, variant"""


def asof(algorithm):
    return f"""
        WITH credited AS (
          SELECT g.experiment AS experiment, d.variant AS variant, count() AS goals, sum(g.worth) AS rewards
          FROM (SELECT unit, experiment, turn, ifNull(value, 1) AS worth FROM events WHERE kind = 'goal') g
          ASOF JOIN (SELECT unit, experiment, turn, variant FROM events WHERE kind = 'decision') d
          ON g.unit = d.unit AND g.experiment = d.experiment AND g.turn >= d.turn
          GROUP BY g.experiment, d.variant)
        SELECT experiment, variant, decisions, goals, rewards FROM ({DECISIONS}) a
        LEFT JOIN credited USING (experiment, variant)
        SETTINGS join_algorithm = '{algorithm}'"""


WINDOW = """
    SELECT experiment, latest, countIf(kind = 'decision'), countIf(kind = 'goal'),
      sumIf(ifNull(value, 1), kind = 'goal')
    FROM (SELECT kind, experiment, value, anyLast(if(kind = 'decision', variant, NULL)) OVER (
            PARTITION BY unit, experiment ORDER BY turn ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS latest
          FROM events WHERE kind IN ('decision', 'goal'))
    WHERE latest IS NOT NULL GROUP BY experiment, latest"""
# Every unit's events as an array, in which the variant of a decision fills the goals after it.
ARRAYS = """
    SELECT experiment, latest, countIf(kind = 'decision'), countIf(kind = 'goal'), sumIf(worth, kind = 'goal')
    FROM (SELECT experiment, arraySort(groupArray((turn, kind, variant, ifNull(value, 1)))) AS all
          FROM events WHERE kind IN ('decision', 'goal') GROUP BY unit, experiment)
    ARRAY JOIN all.2 AS kind, all.4 AS worth, arrayFill(x -> x != '', all.3) AS latest
    WHERE latest != '' GROUP BY experiment, latest"""


FORMS = {
    "asof join, hash": asof("hash"), "asof join, full_sorting_merge": asof("full_sorting_merge"),
    "window": WINDOW, "arrays": ARRAYS,
}


class ChDB:
    module = "chdb"
    storages = list(ORDERS)

    @staticmethod
    def forms():
        return list(FORMS)

    def version(self):
        import chdb
        return f"{chdb.__version__} (ClickHouse {self.rows('SELECT version()')[0][0]})"

    def rows(self, query):
        return list(csv.reader(str(self.session.query(query, "CSV")).splitlines()))

    def open(self, storage, folder):
        from chdb import session
        self.session = session.Session(os.path.join(folder, "clickhouse"))

    def prepare(self, storage, parquet, folder):
        self.open(storage, folder)
        source = f"file('{parquet}', Parquet)"
        types = {}
        for name in NAMES:
            names = self.rows(f"SELECT DISTINCT toString({name}) AS name FROM {source} "
                              f"WHERE {name} IS NOT NULL ORDER BY name")
            words = ", ".join(f"'{row[0]}' = {code}" for code, row in enumerate(names, 1))
            types[name] = f"Enum8('' = 0, {words})"
        named = ", ".join(f"{name} {kind}" for name, kind in types.items())
        self.session.query(
            f"CREATE TABLE events (position UInt64, time DateTime64(6), unit UInt32, {named}, "
            "value Nullable(Float64), propensity Nullable(Float64), turn Int64) "
            f"ENGINE = MergeTree ORDER BY {ORDERS[storage]}")
        chosen = ", ".join(f"ifNull(toString({name}), '')" for name in NAMES)
        # One thread, because several change the order.
        self.session.query(
            f"INSERT INTO events SELECT position, fromUnixTimestamp64Micro(time), unit, {chosen}, value, propensity, "
            f"turn FROM {source} SETTINGS max_insert_threads = 1, max_threads = 1")
        self.session.query("OPTIMIZE TABLE events FINAL")

    def ask(self, form):
        return self.rows(FORMS[form])
