internal import Specifications

/// The rows of a table by the names of its columns, in the order for people: what sentences about it are made from, so
/// that they have the numbers of the rows.
package struct AnswerRows {
  private let table: Table
  /// The rows of the table in the order for people.
  private let order: [Int]
  private let places: [String: Int]

  /// Creates the rows of a table.
  package init(_ table: Table) {
    self.table = table
    order = table.orderForPeople
    places = Dictionary(
      uniqueKeysWithValues: table.columns.enumerated().map { ($0.element.name, $0.offset) })
  }

  /// The indices of the rows.
  package var indices: Range<Int> { table.rows.indices }

  /// The cell of a row in a column; empty if there is no such column.
  package subscript(row: Int, column: String) -> TableCell {
    places[column].map { cell(row, $0) } ?? .empty
  }

  private func cell(_ row: Int, _ column: Int) -> TableCell {
    table.cells[order[row] * table.columns.count + column]
  }

  /// Returns a number of a row; nil where the cell is empty or no number.
  package func number(_ row: Int, _ column: String) -> Double? {
    switch self[row, column] {
    case .integer(let number): Double(number)
    case .decimal(let number): number
    default: nil
    }
  }

  /// Returns a whole number of a row; 0 where there is none.
  package func count(_ row: Int, _ column: String) -> Int {
    if case .integer(let number) = self[row, column] { number } else { 0 }
  }

  /// Returns a text of a row; empty where there is none.
  package func text(_ row: Int, _ column: String) -> String {
    switch self[row, column] {
    case .text(let text), .timestamp(let text): text
    default: ""
    }
  }

  /// Rows that are about the same thing.
  package struct Group {
    /// The subject of the rows, such as `checkout` or `homepage/landing/banner`; empty if nothing tells groups apart.
    package let name: String
    /// Their indices.
    package var rows: [Int]

    /// Creates a group.
    package init(name: String, rows: [Int]) {
      self.name = name
      self.rows = rows
    }
  }

  /// Returns the rows in groups that have the same keys, but for some, in the order of the rows.
  package func groups(besides: Set<String>) -> [Group] {
    let keys = table.keysForPeople.filter { !besides.contains(table.columns[$0].name) }
    var numbers: [NameKey: Int] = [:]
    var groups: [Group] = []
    var number = 0
    for row in indices {
      // Most rows are of the group of the row before.
      if row == 0 || !keys.allSatisfy({ cell(row, $0) == cell(row - 1, $0) }) {
        let identity = NameKey(keys.map { cell(row, $0).identity }.joined())
        number = numbers[identity] ?? groups.count
        if number == groups.count {
          numbers[identity] = number
          groups.append(Group(name: name(of: row, keys), rows: []))
        }
      }
      groups[number].rows.append(row)
    }
    return groups
  }

  /// The values of keys that go without saying: what a decision has that names no point or slot.
  private static let usual: Set<String> = ["point-1", "decision-1"]

  private func name(of row: Int, _ keys: [Int]) -> String {
    var parts: [String] = []
    var dimension = ""
    for key in keys {
      let text = CellText.text(cell(row, key), as: table.columns[key].display)
      switch table.columns[key].name {
      case "dimension": dimension = text
      // A row of the whole has neither.
      case "dimension_value" where dimension.isEmpty: continue
      case "dimension_value":
        parts.append(text.isEmpty ? "\(dimension) unknown" : "\(dimension)=\(text)")
      default: if !text.isEmpty, !Self.usual.contains(text) { parts.append(text) }
      }
    }
    return parts.isEmpty ? "" : AnswerText.name(parts.joined(separator: "/"))
  }
}

extension TableCell {
  /// A text that two cells share only if they are the same, and that ends where it says.
  fileprivate var identity: String {
    switch self {
    case .text(let text): "t\(text.utf8.count):\(text)"
    case .timestamp(let text): "d\(text.utf8.count):\(text)"
    case .integer(let number): "i\(number);"
    case .decimal(let number): "f\(number.bitPattern);"
    case .flag(let flag): flag ? "y" : "n"
    case .empty: "e"
    }
  }
}
