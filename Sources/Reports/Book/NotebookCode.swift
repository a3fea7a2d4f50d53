internal import Specifications
internal import Tables

/// The Python code of a notebook.
public enum NotebookCode {
  static let parameters = """
    # The folder of this notebook and its CSV files.
    folder = "."
    # The rows of a table that are shown.
    most_rows = \(BookNotebook.mostRows)
    """

  /// The Python modules that the notebook needs, with their short names.
  private static let modules = ["json", "pathlib", "matplotlib.pyplot as plt", "pandas as pd"]

  /// Reads a table with the types of its schema. Only empty cells of numbers and flags are missing: a variant may be
  /// named NA or null.
  static let reading =
    modules.map { "import \($0)\n" }.joined() + #"""
      from IPython.display import SVG, display

      %config InlineBackend.figure_formats = ["svg"]
      plt.rcParams.update({
          "figure.figsize": (9, 4), "figure.autolayout": True, "axes.grid": True, "grid.alpha": 0.3,
          "date.converter": "concise",
      })

      package = json.loads((pathlib.Path(folder) / "datapackage.json").read_text(encoding="utf-8"))
      dtypes = {"string": "str", "datetime": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}


      def read(name):
          """Returns a table of the folder, each column with the type of its schema."""
          resource = next(r for r in package["resources"] if r["name"] == name)
          fields = resource["schema"]["fields"]
          table = pd.read_csv(
              pathlib.Path(folder) / resource["path"],
              encoding="utf-8",
              keep_default_na=False,
              na_values={f["name"]: [""] for f in fields if f["type"] not in ("string", "datetime")},
              dtype={f["name"]: dtypes[f["type"]] for f in fields},
          )
          for field in fields:
              if field["type"] == "datetime":
                  table[field["name"]] = pd.to_datetime(table[field["name"]], utc=True)
          return table


      def of_experiment(name):
          """Returns the rows of a table about the current experiment."""
          table = read(name)
          return table[table["experiment"] == experiment]


      def of_whole_log(name):
          """Returns the rows of a table that are about no experiment."""
          table = read(name)
          return table[table["experiment"] == ""]


      def labels(table, *names):
          """Returns the texts of the columns that tell rows apart."""
          names = [n for n in names if table[n].nunique() > 1] or [names[-1]]
          return [" · ".join(row).replace("$", r"\$") for row in table[list(names)].astype(str).values]


      def draw_intervals(table, value, low, high, names, reference=None):
          """Draws a value of each row with its interval."""
          table = table[table[value].notna()]
          places = range(len(table))
          figure, axes = plt.subplots(figsize=(9, 1 + 0.35 * max(1, len(table))))
          axes.hlines(places, table[low], table[high])
          axes.plot(table[value], places, "o")
          axes.set_yticks(list(places), labels(table, *names) if len(table) else [])
          axes.set_ylim(max(1, len(table)) - 0.5, -0.5)
          axes.set_xlabel(value)
          if reference is not None:
              axes.axvline(reference, color="black", linewidth=0.8)
          plt.show()


      def draw_lines(table, x, value, names, low=None, high=None, **scales):
          """Draws a line for each group of rows, with a band."""
          figure, axes = plt.subplots()
          table = table.assign(label=labels(table, *names) if len(table) else [])
          for label, group in table.groupby("label", sort=False):
              group = group.sort_values(x)
              steps = pd.to_datetime(group[x]) if x == "day" and group[x].dtype.kind not in "iuf" else group[x].astype(float)
              line, = axes.plot(steps, group[value].astype(float), label=label)
              if low is not None:
                  axes.fill_between(steps, group[low].astype(float), group[high].astype(float), alpha=0.2, color=line.get_color())
          axes.set(xlabel=x, ylabel=value, **scales)
          if len(table):
              axes.legend()
          plt.show()
      """#

  /// Returns the code that shows rows of a table.
  static func showing(_ table: Table, _ shown: ShownRows, of chapter: Book.Chapter?) -> String {
    let experiments = table.cells(of: "experiment")
    let isOfNone = !experiments.isEmpty && experiments.allSatisfy { $0 == .empty }
    let reading = chapter != nil ? "of_experiment" : isOfNone ? "of_whole_log" : "read"
    var lines = ["rows = \(reading)(\(literal(table.name)))"]
    if let focus = shown.focus {
      lines.append("rows = rows[rows[\(literal(focus.column))].isin(\(list(focus.values)))]")
    }
    let columns = shown.table.columns.map(\.name)
    let chosen = columns.count < table.columns.count ? "[\(list(columns))]" : ""
    return (lines + ["display(rows\(chosen).head(most_rows))"]).joined(separator: "\n")
  }

  private static func list(_ texts: [String]) -> String {
    "[" + texts.map { literal($0) }.joined(separator: ", ") + "]"
  }

  /// Returns the code that draws the rows of a table that are about an experiment, each as a value with its interval.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - value: The column of the value.
  ///   - low: The column of the lower end of its interval.
  ///   - high: The column of the upper end.
  ///   - columns: The columns that tell the rows apart.
  ///   - reference: Where a line is drawn, such as at no difference; nil for none.
  /// - Returns: The code of a cell.
  public static func intervals(
    _ table: String, _ value: String, _ low: String = "ci_low", _ high: String = "ci_high",
    of columns: String..., reference: Int? = nil
  ) -> String {
    let columns = [value, low, high].map { literal($0) } + [list(columns)]
    let rest = (columns + (reference.map { ["\($0)"] } ?? [])).joined(separator: ", ")
    return "draw_intervals(of_experiment(\(literal(table))), \(rest))"
  }

  /// Returns the code that shows a plot of the folder.
  static func picture(_ path: String) -> String {
    "display(SVG(filename=str(pathlib.Path(folder) / \(literal(path)))))"
  }

  /// Returns a text as Python source: a JSON string is one too.
  static func literal(_ text: String) -> String {
    var bytes = JSONTree.text(text).bytes()
    bytes.removeLast()
    return String(decoding: bytes, as: UTF8.self)
  }
}
