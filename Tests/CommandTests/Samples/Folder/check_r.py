"""Reads every CSV file of a report folder with R's read.csv as its README says, and compares each value and type with the
database of the folder. Prints what differs; exits with 1 if anything does, with 77 if R or its package jsonlite is
missing.

    check_r.py FOLDER
"""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

# Numbers leave R as hexadecimal texts, which hold all their digits.
READ = r"""
arguments <- commandArgs(trailingOnly = TRUE)
setwd(arguments[1])
package <- jsonlite::fromJSON("datapackage.json", simplifyDataFrame = FALSE)
classes <- c(string = "character", datetime = "character", integer = "numeric", number = "numeric",
             boolean = "logical")
tables <- lapply(package$resources, function(resource) {
  fields <- resource$schema$fields
  table <- read.csv(resource$path, encoding = "UTF-8", na.strings = "", quote = "\"", check.names = FALSE,
    colClasses = setNames(classes[sapply(fields, `[[`, "type")], sapply(fields, `[[`, "name")))
  columns <- lapply(table, function(column) {
    text <- if (is.numeric(column)) sprintf("%a", column) else enc2utf8(as.character(column))
    ifelse(is.na(column), NA, text)
  })
  list(name = resource$name, names = I(names(table)), rows = nrow(table), columns = unname(columns))
})
writeLines(jsonlite::toJSON(tables, auto_unbox = TRUE, na = "null", null = "null"), arguments[2], useBytes = TRUE)
"""


def skip(reason):
    print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(77)


def value(text, kind):
    """The value of a cell of R; a missing text and an empty one are the same."""
    if kind in ("string", "datetime"):
        return text or ""
    if text is None:
        return None
    return {"TRUE": 1, "FALSE": 0}[text] if kind == "boolean" else float.fromhex(text)


def kept(cell, kind):
    """The same of a cell of the database; R reads a carriage return as a line feed, as the README says."""
    if kind in ("string", "datetime"):
        return (cell or "").replace("\r\n", "\n").replace("\r", "\n")
    return cell


def main(folder):
    if shutil.which("Rscript") is None:
        skip("R is missing; install the package r-base-core")
    if subprocess.run(["Rscript", "-e", "library(jsonlite)"], capture_output=True).returncode:
        skip("jsonlite is missing; install the package r-cran-jsonlite")
    script, out = folder.parent / "read.R", folder.parent / "read.json"
    script.write_text(READ, encoding="utf-8")
    done = subprocess.run(["Rscript", "--vanilla", str(script), str(folder), str(out)], capture_output=True, text=True)
    if done.returncode or "Warning" in done.stderr:
        print(done.stderr)
        return True
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    database = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro", uri=True)
    tables = json.loads(out.read_text(encoding="utf-8"))
    wrong, cells = 0, 0
    for resource, table in zip(package["resources"], tables, strict=True):
        fields = resource["schema"]["fields"]
        rows = database.execute(f'SELECT * FROM "{resource["name"]}" ORDER BY rowid').fetchall()
        assert table["names"] == [field["name"] for field in fields], f"{resource['path']}: other columns"
        assert table["rows"] == len(rows), f"{resource['path']}: {table['rows']} rows, the database has {len(rows)}"
        for place, field in enumerate(fields):
            column = table["columns"][place]
            # A column of one cell is no list.
            for number, text in enumerate(column if isinstance(column, list) else [column]):
                cells += 1
                read, expected = value(text, field["type"]), kept(rows[number][place], field["type"])
                if read != expected:
                    wrong += 1
                    print(f"{resource['path']}: row {number + 1}, {field['name']}: R has {read!r}, "
                          f"the database {expected!r}")
    print(f"{len(tables)} tables, {cells} cells, {wrong} wrong")
    return wrong > 0 or cells == 0


sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
