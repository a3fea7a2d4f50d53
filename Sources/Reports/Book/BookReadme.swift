internal import Tables

/// The file `README.md` of a book's folder: what is in it, what was left out, and how to read the CSV files.
package struct BookReadme {
  private let book: Book
  private let files: [(path: String, description: String)]

  /// Creates the writer of a book.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - files: The files of the folder besides the tables and the plots, with a description of each.
  package init(_ book: Book, files: [(path: String, description: String)]) {
    (self.book, self.files) = (book, files)
  }

  /// The text of the file.
  package var bytes: [UInt8] {
    var text = "# \(Markdown.escaped(book.title))\n\n" + Markdown.list(book.answer)
    text += "Open `report.html` in a browser.\n\n| file | what it has |\n| :--- | :--- |\n"
    for file in files { text += "| `\(file.path)` | \(file.description) |\n" }
    for table in book.tables {
      text += "| `\(table.name).csv` | \(Markdown.escaped(table.title)): \(Self.count(table)) |\n"
    }
    let figures = book.figureFiles.count
    if figures > 0 { text += "| `plots/` | the plots of the reports as \(figures) SVG files |\n" }
    text += "\n"
    for section in book.overview where section.name == Book.Section.leftOut {
      text += "Left out:\n\n" + Markdown.list(section.answer)
    }
    return Array((text + Self.reading).utf8)
  }

  private static func count(_ table: Table) -> String {
    table.rows.count == 1 ? "1 row" : "\(table.rows.count) rows"
  }

  private static let reading = """
    ## Read the CSV files

    The files are CSV as in RFC 4180: UTF-8, comma, line feed, quotes doubled within quotes, a heading, no comments. A
    cell is empty where a value is not applicable, never `nan`. `datapackage.json` has the type and the meaning of every
    column. Give the types: without them a program takes a variant named `NA` or `null` for a missing value, `001` for 1
    and `true` for a truth value.

    pandas (missing are only the empty cells of columns that are no text):

    ```python
    from json import load
    from pandas import read_csv
    fields = next(r for r in load(open("datapackage.json", encoding="utf-8"))["resources"]
                  if r["name"] == "rewards")["schema"]["fields"]
    dtypes = {"string": "str", "datetime": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}
    rewards = read_csv(
        "rewards.csv", encoding="utf-8", keep_default_na=False,
        na_values={f["name"]: [""] for f in fields if dtypes[f["type"]] != "str"},
        dtype={f["name"]: dtypes[f["type"]] for f in fields})
    ```

    DuckDB, whose sniffer must not guess (the same for any table, with the columns of `datapackage.json`):

    ```sql
    SELECT * FROM read_csv('rewards.csv', header = true, auto_detect = false, delim = ',', quote = '"', escape = '"',
      new_line = '\\n', nullstr = '', columns = {'experiment': 'VARCHAR', 'point': 'VARCHAR', 'slot': 'VARCHAR',
      'variant': 'VARCHAR', 'decisions': 'BIGINT', 'units': 'BIGINT', 'rewards': 'BIGINT', 'reward_sum': 'DOUBLE',
      'reward_mean': 'DOUBLE', 'reward_variance': 'DOUBLE', 'ci_low': 'DOUBLE', 'ci_high': 'DOUBLE'})
    ```

    R (`character` for string and datetime, `numeric` for integer and number, `logical` for boolean):

    ```r
    package <- jsonlite::fromJSON("datapackage.json", simplifyDataFrame = FALSE)
    fields <- Filter(function(r) r$name == "rewards", package$resources)[[1]]$schema$fields
    classes <- c(string = "character", datetime = "character", integer = "numeric", number = "numeric",
                 boolean = "logical")
    rewards <- read.csv("rewards.csv", encoding = "UTF-8", na.strings = "", quote = "\\"",
      colClasses = setNames(classes[sapply(fields, `[[`, "type")], sapply(fields, `[[`, "name")))
    ```

    LibreOffice Calc: in the import dialogue choose Unicode (UTF-8), the comma as the only separator, `"` as the string
    delimiter, English (USA) as the language, mark the columns of text and choose "Text" as their type; leave "Evaluate
    formulas" off. A text that starts with `=` then stays one. For a spreadsheet that has no such choice make the folder
    with `--spreadsheet-safe`, which puts an apostrophe before such texts.

    R and LibreOffice read a carriage return within a text as a line feed, and LibreOffice keeps 15 digits of a number.

    SQLite, which needs no types: `sqlite3 results.sqlite 'SELECT * FROM rewards'`. Tables whose names start with
    `_bandolier_` describe the others.

    """
}
