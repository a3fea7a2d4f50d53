/// The names of the columns of a CSV file, which say where each one stands.
public struct CSVHeader: Sendable {
  /// The names in the order of the columns; empty for a column without a name.
  public let names: [String]
  /// What messages call the input.
  public let inputName: String
  private let places: [String: Int]

  /// Makes a header of names.
  ///
  /// - Throws: ``ImportError`` `badData` for a name that two columns have. Several may have none.
  public init(_ names: [String], inputName: String) throws(ImportError) {
    self.names = names
    self.inputName = inputName
    var places: [String: Int] = [:]
    for (column, name) in names.enumerated() {
      if name.isEmpty, places[""] != nil { continue }
      guard places.updateValue(column, forKey: name) == nil else {
        throw ImportError(
          .badData, "\(inputName): line 1 names the column \"\(name)\" twice; rename one of them")
      }
    }
    self.places = places
  }

  /// The column of a name; nil when there is none. An empty name is that of the first column without one.
  public subscript(name: String) -> Int? { places[name] }

  /// Returns the column of a name, or of another one for the same thing.
  ///
  /// - Parameters:
  ///   - names: The names, of which the first that is there counts.
  ///   - remedy: What the error advises when none is there.
  /// - Returns: The place of the column, counted from 0.
  /// - Throws: ``ImportError`` `badData` when there is no such column.
  public func column(_ names: String..., remedy: String) throws(ImportError) -> Int {
    for name in names {
      if let column = places[name] { return column }
    }
    throw ImportError(
      .badData,
      "\(inputName): line 1 has no column \"\(names.joined(separator: "\" or \""))\"; \(remedy)")
  }
}
