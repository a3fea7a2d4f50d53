"""Reads every CSV file of a report folder with pandas and with DuckDB as its README says, and compares each value and
type with the database of the folder. Prints what differs; exits with 1 if anything does.

    check_tables.py FOLDER
"""

import json
import math
import pathlib
import sqlite3
import sys

import duckdb
import pandas

DTYPES = {"string": "str", "datetime": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}
SQL_TYPES = {
    "string": "VARCHAR", "datetime": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN"}


def with_pandas(path, fields):
    table = pandas.read_csv(
        path, encoding="utf-8", keep_default_na=False,
        na_values={f["name"]: [""] for f in fields if DTYPES[f["type"]] != "str"},
        dtype={f["name"]: DTYPES[f["type"]] for f in fields})
    assert list(table.columns) == [f["name"] for f in fields], "pandas has other columns"
    return [[None if value is pandas.NA else value for value in row] for row in table.itertuples(index=False)]


def with_duckdb(path, fields):
    columns = ", ".join("'%s': '%s'" % (f["name"], SQL_TYPES[f["type"]]) for f in fields)
    return duckdb.sql(
        f"""SELECT * FROM read_csv('{path}', header = true, auto_detect = false, delim = ',', quote = '"', escape = '"',
        new_line = '\\n', nullstr = '', columns = {{{columns}}})""").fetchall()


def is_same(value, kept, kind):
    """Whether a value of a reader is that of the database, where an empty text may be missing."""
    if kind in ("string", "datetime"):
        return (value or "") == (kept or "") and (value is None or isinstance(value, str))
    if kept is None:
        return value is None or isinstance(value, float) and math.isnan(value)
    if kind == "boolean":
        return value in (True, False) and bool(value) == bool(kept)
    if kind == "integer":
        return value is not None and int(value) == kept
    return value == kept


def main(folder):
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    database = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro", uri=True)
    wrong, cells = 0, 0
    for resource in package["resources"]:
        fields = resource["schema"]["fields"]
        kept = database.execute(f'SELECT * FROM "{resource["name"]}" ORDER BY rowid').fetchall()
        for reader in (with_pandas, with_duckdb):
            rows = reader(str(folder / resource["path"]), fields)
            if len(rows) != len(kept):
                print(f"{resource['path']}: {reader.__name__} has {len(rows)} rows, the database {len(kept)}")
                wrong += 1
                continue
            for number, (row, other) in enumerate(zip(rows, kept)):
                for field, value, expected in zip(fields, row, other):
                    cells += 1
                    if not is_same(value, expected, field["type"]):
                        wrong += 1
                        print(f"{resource['path']}: row {number + 1}, {field['name']}: {reader.__name__} has "
                              f"{value!r}, the database {expected!r}")
    print(f"{len(package['resources'])} tables, {cells} cells, {wrong} wrong")
    return wrong > 0 or cells == 0


sys.exit(main(pathlib.Path(sys.argv[1])))
