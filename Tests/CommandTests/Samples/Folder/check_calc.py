"""Opens every CSV file of a report folder in LibreOffice Calc with the options that its README names, and compares each
value and type with the database of the folder. Prints what differs; exits with 1 if anything does, with 77 if
LibreOffice is missing.

    check_calc.py FOLDER
"""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


def opened(fields):
    """The options of the import: comma, quote, UTF-8, first line 1, the type of each column, English (USA)."""
    kinds = "/".join(f"{place}/{2 if field['type'] in ('string', 'datetime') else 1}"
                     for place, field in enumerate(fields, 1))
    return f"CSV:44,34,76,1,{kinds},1033,false,false,false"


def words(element):
    """The text of a paragraph, whose spaces and tabs are elements."""
    text = element.text or ""
    for child in element:
        text += {TEXT + "s": " " * int(child.get(TEXT + "c", 1)), TEXT + "tab": "\t", TEXT + "line-break": "\n"}.get(
            child.tag, words(child)) + (child.tail or "")
    return text


def cell(element):
    """The value of a cell: a text, a number, or None for nothing."""
    kind = element.get(OFFICE + "value-type")
    if kind is None:
        return None
    if kind == "boolean":
        return float(element.get(OFFICE + "boolean-value") == "true")
    if kind != "string":
        return float(element.get(OFFICE + "value", "nan"))
    return "\n".join(words(paragraph) for paragraph in element.findall(TEXT + "p"))


def rows(document, width):
    """The rows of the only sheet; those that are equal, and cells, are said once with their number."""
    for row in ElementTree.parse(document).iter(TABLE + "table-row"):
        values = []
        for element in row:
            if len(values) < width:
                values += [cell(element)] * min(int(element.get(TABLE + "number-columns-repeated", 1)), width)
        if any(value is not None for value in values):
            yield from [values[:width]] * int(row.get(TABLE + "number-rows-repeated", 1))


def is_same(read, kept, kind):
    """Whether a value of Calc is that of the database: it reads a carriage return as a line feed, keeps 15 digits, and
    has no empty text, as the README says."""
    if kind in ("string", "datetime"):
        return (read or "") == (kept or "").replace("\r\n", "\n").replace("\r", "\n")
    if kept is None or read is None:
        return kept is None and read is None
    return isinstance(read, float) and abs(read - kept) <= 1e-14 * abs(kept)


def main(folder):
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        print("skipped: LibreOffice is missing; install the package libreoffice-calc", file=sys.stderr)
        return 77
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    database = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro", uri=True)
    wrong, count = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        for resource in package["resources"]:
            fields = resource["schema"]["fields"]
            done = subprocess.run(
                [program, f"-env:UserInstallation=file://{scratch}/profile", "--headless", f"--infilter={opened(fields)}",
                 "--convert-to", "fods", "--outdir", scratch, str(folder / resource["path"])],
                capture_output=True, text=True)
            saved = (pathlib.Path(scratch) / resource["path"]).with_suffix(".fods")
            if not saved.exists():
                print(f"{resource['path']}: not opened: {done.stderr}")
                return 1
            read_rows = list(rows(saved, len(fields)))[1:]
            kept = database.execute(f'SELECT * FROM "{resource["name"]}" ORDER BY rowid').fetchall()
            if len(read_rows) != len(kept):
                print(f"{resource['path']}: Calc has {len(read_rows)} rows, the database {len(kept)}")
                wrong += 1
            for number, (row, other) in enumerate(zip(read_rows, kept), 1):
                for field, read, expected in zip(fields, row, other):
                    count += 1
                    if not is_same(read, expected, field["type"]):
                        wrong += 1
                        print(f"{resource['path']}: row {number}, {field['name']}: Calc has {read!r}, "
                              f"the database {expected!r}")
    print(f"{len(package['resources'])} tables, {count} cells, {wrong} wrong")
    return wrong > 0 or count == 0


sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
