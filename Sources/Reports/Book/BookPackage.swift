internal import Specifications
internal import Tables

/// The file `datapackage.json` of a book: the Frictionless schema of each CSV file (Data Package 1, "Tabular Data
/// Package" and "Table Schema", specs.frictionlessdata.io).
package struct BookPackage {
  private let book: Book

  /// Creates the writer of a book.
  package init(_ book: Book) { self.book = book }

  /// The text of the file.
  package var bytes: [UInt8] {
    JSONTree.members([
      ("profile", .text("tabular-data-package")), ("name", .text("bandolier-reports")),
      ("title", .text(book.title)), ("resources", .list(book.tables.map(Self.resource))),
    ]).bytes()
  }

  private static func resource(_ table: Table) -> JSONTree {
    .members([
      ("profile", .text("tabular-data-resource")), ("name", .text(table.name)),
      ("title", .text(table.title)), ("path", .text("\(table.name).csv")),
      ("format", .text("csv")), ("mediatype", .text("text/csv")), ("encoding", .text("utf-8")),
      (
        "dialect",
        .members([
          ("delimiter", .text(",")), ("lineTerminator", .text("\n")), ("quoteChar", .text("\"")),
          ("doubleQuote", .flag(true)), ("header", .flag(true)),
        ])
      ), ("schema", schema(table)),
    ])
  }

  private static func schema(_ table: Table) -> JSONTree {
    let keys = table.columns.filter { $0.kind == .key }.map(\.name)
    return .members([
      ("fields", .list(table.columns.map { field($0) })), ("missingValues", .texts([""])),
      ("primaryKey", table.hasEmptyKeys || keys.isEmpty ? nil : .texts(keys)),
    ])
  }

  private static func field(_ column: TableColumn) -> JSONTree {
    let isFlag = column.type == .flag
    return .members([
      ("name", .text(column.name)), ("type", .text(type(column.type))),
      ("description", .text(column.description)),
      ("trueValues", isFlag ? .texts(["true"]) : nil),
      ("falseValues", isFlag ? .texts(["false"]) : nil),
    ])
  }

  private static func type(_ type: TableColumn.ValueType) -> String {
    switch type {
    case .text: "string"
    case .integer: "integer"
    case .decimal: "number"
    case .flag: "boolean"
    case .timestamp: "datetime"
    }
  }
}
