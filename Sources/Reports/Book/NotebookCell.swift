internal import Plots
internal import Specifications
internal import Tables

/// A cell of a notebook.
enum NotebookCell {
  case markdown(String)
  case code(String, tags: [String] = [], outputs: [Output] = [])

  /// The content of a cell.
  enum Output {
    case table(Table, rowCount: Int)
    case picture(Figure)
  }

  /// Returns the cell.
  ///
  /// - Parameter id: The id, of 1 to 64 letters, digits, dashes and underscores, unique in the notebook.
  /// - Returns: The cell as JSON.
  func json(id: String) -> JSONTree {
    switch self {
    case .markdown(let text):
      return .members([
        ("cell_type", .text("markdown")), ("id", .text(id)), ("metadata", .object([])),
        ("source", Self.lines(text)),
      ])
    case .code(let text, let tags, let outputs):
      let metadata: JSONTree = tags.isEmpty ? .object([]) : .members([("tags", .texts(tags))])
      return .members([
        ("cell_type", .text("code")), ("execution_count", .null), ("id", .text(id)),
        ("metadata", metadata), ("outputs", .list(outputs.map(\.json))),
        ("source", Self.lines(text)),
      ])
    }
  }

  /// Returns the lines of a text, each with its line feed, as notebooks store them.
  fileprivate static func lines(_ text: String) -> JSONTree {
    var text = text[...]
    while text.utf8.last == UInt8(ascii: "\n") { text = text.dropLast() }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)\n" }
    if let last = lines.popLast() { lines.append(String(last.dropLast())) }
    return .texts(lines.filter { !$0.isEmpty })
  }
}

extension NotebookCell.Output {
  var json: JSONTree {
    let data: [(String, JSONTree?)]
    switch self {
    case .table(let table, let rowCount):
      let text = String(decoding: write(table, as: .table), as: UTF8.self)
      data = [
        ("text/html", NotebookCell.lines(Self.html(table, rowCount: rowCount))),
        ("text/plain", NotebookCell.lines(text)),
      ]
    case .picture(let figure):
      data = [
        ("image/svg+xml", NotebookCell.lines(figure.svg)),
        ("text/plain", NotebookCell.lines("\(figure.title)\n\(figure.description)")),
      ]
    }
    return .members([
      ("data", .members(data)), ("metadata", .object([])), ("output_type", .text("display_data")),
    ])
  }

  private static func html(_ table: Table, rowCount: Int) -> String {
    var text = "<table border=\"1\" class=\"dataframe\">\n<thead><tr>"
    for column in table.columns { text += "<th>\(HTML(text: column.name).markup)</th>" }
    text += "</tr></thead>\n<tbody>\n"
    for row in table.rows {
      text +=
        "<tr>" + row.map { "<td>\(HTML(text: Self.text($0)).markup)</td>" }.joined() + "</tr>\n"
    }
    text += "</tbody>\n</table>\n"
    let rest = rowCount - table.rows.count
    return rest > 0 ? text + "<p>\(rest) more rows</p>\n" : text
  }

  private static func text(_ cell: TableCell) -> String {
    switch cell {
    case .text(let text), .timestamp(let text): text
    case .integer(let number): String(number)
    case .decimal(let number): NumberText.readable(number)
    case .flag(let flag): flag ? "true" : "false"
    case .empty: ""
    }
  }
}
