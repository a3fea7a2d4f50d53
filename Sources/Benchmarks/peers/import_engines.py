"""The engines that read the same files as `bandolier import`, each into a durable storage of its own, and write them.

    import_engines.py ENGINE read FORM SOURCE TARGET [COLUMN ...]
    import_engines.py ENGINE write FORM SOURCE TARGET

reads a file into a storage, or writes a file of all rows of a storage. Forms: jsonl, csv, arrow. A source /dev/stdin is
a pipe of native goals. Types are those that an engine finds by itself; it keeps the named columns only, if there are
any. Prints the rows, and the seconds after its modules are imported until the file is on disk, as JSON.
"""

import json
import os
import sys
import time

STDIN = "/dev/stdin"
# The types of the goals of a pipe, for DuckDB.
GOAL = {"type": "VARCHAR", "id": "VARCHAR", "time": "TIMESTAMPTZ", "unit": "VARCHAR", "experiment": "VARCHAR",
        "goal": "VARCHAR", "value": "DOUBLE"}
# How many lines Polars looks at for their types: as many as DuckDB. Of its default of 100 it would lose columns.
SAMPLE = 20_480


class Unsupported(Exception):
    """What an engine cannot do."""


def sync(path):
    """Returns when a file is on disk."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


class DuckDB:
    """A native table."""

    def __init__(self, form):
        import duckdb
        self.duckdb = duckdb
        if form == "arrow":
            import pyarrow
            self.arrow = pyarrow

    def query(self, form, path, columns):
        chosen = ", ".join(f'"{column}"' for column in columns) or "*"
        if form == "arrow":
            self.stream = self.arrow.ipc.open_stream(self.arrow.memory_map(path))
            return f"SELECT {chosen} FROM stream"
        if form == "jsonl":
            # Of a pipe it would read no row after it looked for their types.
            types = f", columns = {GOAL}" if path == STDIN else ""
            return f"SELECT {chosen} FROM read_json('{path}', format = 'newline_delimited'{types})"
        return f"SELECT {chosen} FROM read_csv('{path}')"

    def read(self, form, path, target, columns):
        query = self.query(form, path, columns)
        with self.duckdb.connect(target) as database:
            if form == "arrow":
                database.register("stream", self.stream)
            self.fill(database, query)
            return database.execute("SELECT count(*) FROM events").fetchone()[0]

    def fill(self, database, query):
        database.execute(f"CREATE TABLE events AS {query}")

    def write(self, form, storage, target):
        with self.duckdb.connect(storage, read_only=True) as database:
            if form == "jsonl":
                rows = database.execute(f"COPY events TO '{target}' (FORMAT json)").fetchone()[0]
            else:
                rows = 0
                stream = database.execute("FROM events").to_arrow_reader(1 << 17)
                with self.arrow.ipc.new_stream(target, stream.schema) as writer:
                    for batch in stream:
                        rows += batch.num_rows
                        writer.write_batch(batch)
        sync(target)
        return rows


class UniqueDuckDB(DuckDB):
    """A native table whose ids are unique: like an import, it leaves out what it has."""

    def fill(self, database, query):
        database.execute(f"CREATE TABLE events AS {query} WITH NO DATA")
        database.execute("ALTER TABLE events ADD PRIMARY KEY (id)")
        database.execute(f"INSERT OR IGNORE INTO events {query}")


class Polars:
    """An Arrow file, which is what Polars writes the fastest."""

    def __init__(self, form):
        import polars
        self.polars = polars

    def read(self, form, path, target, columns):
        if form == "jsonl":
            table = self.polars.read_ndjson(sys.stdin.buffer if path == STDIN else path, infer_schema_length=SAMPLE)
        elif form == "csv":
            table = self.polars.read_csv(path, columns=columns or None)
        else:
            table = self.polars.read_ipc_stream(path)
        table.write_ipc(target)
        sync(target)
        return table.height

    def write(self, form, storage, target):
        table = self.polars.read_ipc(storage)
        if form == "jsonl":
            table.write_ndjson(target)
        else:
            table.write_ipc_stream(target)
        sync(target)
        return table.height


class ChDB:
    """ClickHouse, within the process: a MergeTree table in the order of the file."""

    forms = {"jsonl": "JSONEachRow", "csv": "CSVWithNames", "arrow": "ArrowStream"}

    def __init__(self, form):
        from chdb import session
        self.session = session

    def read(self, form, path, target, columns):
        database = self.session.Session(target)
        path = "-" if path == STDIN else path
        chosen = ", ".join(f"`{column}`" for column in columns) or "*"
        database.query("CREATE DATABASE d")
        database.query(
            "CREATE TABLE d.events ENGINE = MergeTree ORDER BY tuple() SETTINGS fsync_after_insert = 1 "
            f"AS SELECT {chosen} FROM file('{path}', {self.forms[form]})")
        rows = int(str(database.query("SELECT count() FROM d.events")))
        database.close()
        return rows

    def write(self, form, storage, target):
        database = self.session.Session(storage)
        database.query(f"INSERT INTO FUNCTION file('{target}', {self.forms[form]}) SELECT * FROM d.events "
                       "SETTINGS output_format_arrow_compression_method = 'none'")
        rows = int(str(database.query("SELECT count() FROM d.events")))
        database.close()
        sync(target)
        return rows


class PyArrow:
    """A Parquet file by pyarrow, with its defaults."""

    def __init__(self, form):
        import pyarrow.csv
        import pyarrow.json
        import pyarrow.parquet
        self.arrow = pyarrow

    def read(self, form, path, target, columns):
        if form == "jsonl":
            table = self.arrow.json.read_json(path)
        elif form == "csv":
            table = self.arrow.csv.read_csv(path, convert_options=self.arrow.csv.ConvertOptions(
                include_columns=columns or None))
        else:
            table = self.arrow.ipc.open_stream(self.arrow.memory_map(path)).read_all()
        self.store(table, target)
        sync(target)
        return table.num_rows

    def store(self, table, target):
        self.arrow.parquet.write_table(table.unify_dictionaries(), target)

    def load(self, storage):
        return self.arrow.parquet.read_table(storage)

    def write(self, form, storage, target):
        if form == "jsonl":
            raise Unsupported("pyarrow writes no JSON Lines")
        table = self.load(storage)
        with self.arrow.ipc.new_stream(target, table.schema) as writer:
            writer.write_table(table, 1 << 17)
        sync(target)
        return table.num_rows


class ArrowFile(PyArrow):
    """An Arrow file by pyarrow: for an Arrow stream little more than a copy, with no types or names to find."""

    def store(self, table, target):
        table = table.unify_dictionaries()
        with self.arrow.ipc.new_file(target, table.schema) as writer:
            writer.write_table(table, 1 << 17)

    def load(self, storage):
        return self.arrow.ipc.open_file(self.arrow.memory_map(storage)).read_all()


class VowpalWabbit:
    """A cache by Vowpal Wabbit's own parser of Decision Service lines, with nothing learned."""

    def __init__(self, form):
        import vowpalwabbit
        self.workspace = vowpalwabbit.Workspace

    def read(self, form, path, target, columns):
        workspace = self.workspace(arg_list=["--dsjson", "--cb_explore_adf", "--noop", "--quiet", "-k", "--cache_file",
                                             target, "-d", path])
        workspace.finish()
        sync(target)
        return None


ENGINES = {"duckdb": DuckDB, "duckdb, unique ids": UniqueDuckDB, "polars": Polars, "chdb": ChDB,
           "pyarrow to Parquet": PyArrow, "pyarrow to Arrow": ArrowFile, "vowpal wabbit": VowpalWabbit}


def main():
    name, task, form, source, target, *columns = sys.argv[1:]
    engine = ENGINES[name](form)
    start = time.perf_counter()
    rows = engine.read(form, source, target, columns) if task == "read" else engine.write(form, source, target)
    print(json.dumps({"seconds": time.perf_counter() - start, "rows": rows}))


if __name__ == "__main__":
    main()
