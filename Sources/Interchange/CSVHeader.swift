internal import Specifications

/// The column names of a CSV file.
///
/// If all of them are in capitals, a name that is not there is looked up in capitals.
public struct CSVHeader: Sendable {
  /// The names in column order; empty for a column without a name.
  public let names: [String]
  /// The name of the input in messages.
  public let inputName: String
  /// Whether all names are in capitals.
  let isUpperCase: Bool
  private let places: [NameKey: Int]

  /// Creates a header.
  ///
  /// - Throws: ``ImportError`` `badData` for duplicate names. Several columns may be without a name.
  public init(_ names: [String], inputName: String) throws(ImportError) {
    self.names = names
    self.inputName = inputName
    var places: [NameKey: Int] = [:]
    for (column, name) in names.enumerated() {
      if name.isEmpty, places[NameKey("")] != nil { continue }
      guard places.updateValue(column, forKey: NameKey(name)) == nil else {
        throw ImportError(
          .badData, "\(inputName): line 1 names the column \"\(name)\" twice; rename one of them")
      }
    }
    self.places = places
    isUpperCase = ColumnCase.isUpper(names)
  }

  /// The index of a column; nil if there is none. The empty name is that of the first column without a name.
  public subscript(name: String) -> Int? {
    if let place = places[NameKey(name)] { return place }
    return isUpperCase ? places[NameKey(name.uppercased())] : nil
  }

  /// Returns the column of a name or one of its synonyms.
  ///
  /// - Parameters:
  ///   - names: The names, the first existing one of which counts.
  ///   - remedy: The remedy in the error if none exists.
  /// - Returns: The index of the column, counted from 0.
  /// - Throws: ``ImportError`` `badData` if there is no such column.
  public func column(_ names: String..., remedy: String) throws(ImportError) -> Int {
    for name in names {
      if let column = self[name] { return column }
    }
    throw ImportError(
      .badData,
      "\(inputName): line 1 has no column \"\(names.joined(separator: "\" or \""))\"; \(remedy)")
  }
}
