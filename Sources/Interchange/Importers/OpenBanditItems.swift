import Events

/// The features of items, from the `item_context.csv` that comes with an Open Bandit file.
///
/// A column with only numeric values has numbers, any other one texts; `item_id` identifies the item of a row.
/// Columns without a name and empty fields are left out.
struct OpenBanditItems {
  /// A named value.
  struct Feature {
    var name: String
    var value: AttributeValue
  }

  /// The features by item.
  private(set) var features: [String: [Feature]] = [:]

  /// Creates a table without items.
  init() {}

  /// Reads a file.
  ///
  /// - Throws: ``ImportError``, also for an invalid row, because every decision depends on it.
  init(_ source: ByteSource) throws(ImportError) {
    var csv = CSVReader(source)
    let name = csv.source.name
    let header = try csv.nextTexts()
    if let header { _ = try CSVHeader(header, inputName: name) }
    guard let itemColumn = header?.firstIndex(of: "item_id") else {
      throw ImportError(
        .badData, "\(name): line 1 has no column \"item_id\"; give the item_context.csv of the data"
      )
    }
    var rows: [[String]] = []
    while let row = try csv.nextTexts() {
      guard row.count == header?.count else {
        throw ImportError(
          .badData,
          "\(name): line \(csv.line) has \(row.count) fields where the header has "
            + "\(header?.count ?? 0); fix the line")
      }
      rows.append(row)
    }
    let columns = (header ?? []).enumerated().filter { !$1.isEmpty && $0 != itemColumn }
    for row in rows where features.updateValue([], forKey: row[itemColumn]) != nil {
      throw ImportError(
        .badData, "\(name): item \"\(row[itemColumn])\" has two rows; remove one of them")
    }
    for (column, heading) in columns {
      add(column, heading, rows, itemColumn: itemColumn)
    }
  }

  private mutating func add(
    _ column: Int, _ heading: String, _ rows: [[String]], itemColumn: Int
  ) {
    let texts = rows.map { $0[column] }
    let numbers = texts.map { JSONNumber.double(of: Array($0.utf8).span) }
    let isNumeric = zip(texts, numbers).allSatisfy { $0.isEmpty || $1 != nil }
    for (index, text) in texts.enumerated() where !text.isEmpty {
      let number = isNumeric ? numbers[index] : nil
      let value: AttributeValue = number.map { .number($0) } ?? .text(text)
      features[rows[index][itemColumn], default: []].append(Feature(name: heading, value: value))
    }
  }
}
