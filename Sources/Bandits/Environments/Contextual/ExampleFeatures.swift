internal import Specifications
internal import Statistics

/// The columns of a table encoded as numeric features.
///
/// The first feature is always 1. A column whose fields are all numbers or empty is one feature, standardized by its
/// mean and population standard deviation, with empty fields imputed by the mean; it is left out if it is constant. Any
/// other column is one-hot encoded with one feature per distinct value, sorted, an empty field being a value like any
/// other.
public struct ExampleFeatures: Sendable, Hashable {
  /// The name of each feature: `1`, the name of a column, or `COLUMN=VALUE`.
  public private(set) var names = ["1"]
  /// The features of all examples, one example after the other.
  public private(set) var values: [Double] = []

  /// Creates the constant feature of no examples.
  init() {}

  /// Encodes columns.
  ///
  /// - Throws: `SpecificationError` if there are more than 1000 features per example, or 10⁸ numbers in all.
  init(_ table: CSVTable, columns: [Int]) throws(SpecificationError) {
    let count = table.rows.count
    var encoded: [[Double]] = [[Double](repeating: 1, count: count)]
    for column in columns {
      let name = table.heading[column]
      let room = min(1000 - names.count, 100_000_000 / max(count, 1) - names.count)
      if let numbers = Self.numbers(table, column) {
        guard let standard = Self.standardised(numbers) else { continue }
        guard room >= 1 else { throw Self.tooMany(table, name) }
        names.append(name)
        encoded.append(standard)
        continue
      }
      let kinds = Set(table.rows.map { $0[column] }).sorted()
      guard kinds.count <= room else { throw Self.tooMany(table, name) }
      for kind in kinds {
        names.append("\(name)=\(kind)")
        encoded.append(table.rows.map { $0[column] == kind ? 1 : 0 })
      }
    }
    values.reserveCapacity(count * encoded.count)
    for row in 0..<count {
      for feature in encoded { values.append(feature[row]) }
    }
  }

  private static func tooMany(_ table: CSVTable, _ column: String) -> SpecificationError {
    SpecificationError(
      "column \(column) of \(table.name) has too many different values: an example may have 1000 numbers, and all "
        + "examples 100000000; leave it out with ignore=\(column)")
  }

  /// Returns the numbers of a column, nil for an empty field; nil if a field is not a number.
  private static func numbers(_ table: CSVTable, _ column: Int) -> [Double?]? {
    var numbers: [Double?] = []
    numbers.reserveCapacity(table.rows.count)
    for row in table.rows {
      guard !row[column].isEmpty else {
        numbers.append(nil)
        continue
      }
      guard let number = Double(row[column]), abs(number) <= 1e100 else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns standardized numbers; nil if they are all the same or there are none.
  private static func standardised(_ numbers: [Double?]) -> [Double]? {
    let given = numbers.compactMap { $0 }
    guard let first = given.first, given.contains(where: { $0 != first }) else { return nil }
    let moments = Moments(given)
    let count = Double(given.count)
    guard let mean = moments.mean, let variance = moments.variance, variance > 0 else { return nil }
    let deviation = (variance * (count - 1) / count).squareRoot()
    guard deviation > 0, deviation.isFinite else { return nil }
    return numbers.map { (($0 ?? mean) - mean) / deviation }
  }
}
