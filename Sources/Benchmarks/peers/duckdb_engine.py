"""DuckDB: a native table in the order of the log, with enumerations for names."""

import os

NAMES = ["kind", "experiment", "variant", "goal"]
DECISIONS = "SELECT experiment, variant, count(*) AS decisions FROM events WHERE kind = 'decision' GROUP BY ALL"
PAIR = "g.unit = d.unit AND g.experiment = d.experiment"
# A number for both.
ONE_KEY = "g.unit::BIGINT * 32 + enum_code(g.experiment) = d.unit::BIGINT * 32 + enum_code(d.experiment)"


def asof(condition):
    return f"""
        WITH credited AS (
          SELECT d.experiment, d.variant, count(*) AS goals, sum(coalesce(g.value, 1)) AS rewards
          FROM (SELECT * FROM events WHERE kind = 'goal') g
          ASOF JOIN (SELECT * FROM events WHERE kind = 'decision') d ON {condition} AND g.turn >= d.turn
          GROUP BY ALL)
        SELECT * FROM ({DECISIONS}) LEFT JOIN credited USING (experiment, variant)"""


WINDOW = """
    SELECT experiment, latest, count(*) FILTER (kind = 'decision'), count(*) FILTER (kind = 'goal'),
      sum(coalesce(value, 1)) FILTER (kind = 'goal')
    FROM (SELECT kind, experiment, value, last_value(variant IGNORE NULLS) OVER (
            PARTITION BY unit, experiment ORDER BY turn) AS latest
          FROM events WHERE kind IN ('decision', 'goal'))
    WHERE latest IS NOT NULL GROUP BY ALL"""
FORMS = {
    "asof join": asof(PAIR), "asof join by one key": asof(ONE_KEY), "window": WINDOW,
}


class DuckDB:
    module = "duckdb"
    storages = ["native table"]

    @staticmethod
    def forms():
        return list(FORMS)

    @staticmethod
    def version():
        import duckdb
        return duckdb.__version__

    def open(self, storage, folder):
        import duckdb
        self.connection = duckdb.connect(os.path.join(folder, "events.duckdb"))

    def prepare(self, storage, parquet, folder):
        self.open(storage, folder)
        for name in NAMES:
            self.connection.execute(
                f"CREATE TYPE {name}_name AS ENUM (SELECT DISTINCT {name}::VARCHAR AS name "
                f"FROM '{parquet}' WHERE {name} IS NOT NULL ORDER BY name)")
        names = ", ".join(f"{name}::VARCHAR::{name}_name AS {name}" for name in NAMES)
        self.connection.execute(
            f"CREATE TABLE events AS SELECT position, make_timestamp(time) AS time, unit, {names}, "
            f"value, propensity, turn FROM '{parquet}'")
        self.connection.close()

    def ask(self, form):
        return self.connection.execute(FORMS[form]).fetchall()
