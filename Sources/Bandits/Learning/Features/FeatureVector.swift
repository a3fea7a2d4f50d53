/// The features of a row that are not zero, by ascending column; a reusable buffer.
public struct FeatureVector: Sendable, Equatable {
  /// A feature that is not zero.
  public struct Entry: Sendable, Equatable {
    /// The column.
    public var column: Int
    /// The value, not zero.
    public var value: Double
  }

  /// The features that are not zero, by ascending column.
  public private(set) var entries: [Entry] = []

  /// Creates a vector of zeros.
  public init() {}

  /// Creates a vector; zeros are left out.
  ///
  /// - Precondition: The columns ascend.
  public init(_ entries: [(column: Int, value: Double)]) {
    for (column, value) in entries { append(column, value) }
  }

  /// Adds a feature, unless it is zero, in a column above all others.
  @inline(__always)
  public mutating func append(_ column: Int, _ value: Double) {
    if value != 0 { entries.append(Entry(column: column, value: value)) }
  }

  /// Makes all features zero and keeps the memory.
  @inline(__always)
  public mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// Returns all features as numbers, zeros included, as contextual policies take them.
  ///
  /// - Parameter columns: The number of columns; features in others are left out.
  /// - Returns: A number per column.
  public func dense(_ columns: Int) -> [Double] {
    var numbers = [Double](repeating: 0, count: columns)
    for entry in entries where entry.column < columns { numbers[entry.column] = entry.value }
    return numbers
  }

  /// Returns Σ weight·feature; columns without a weight count nothing.
  @inlinable @inline(__always)
  package func dot(_ weights: [Double]) -> Double {
    let weights = weights.span
    var sum = 0.0
    for entry in entries where entry.column < weights.count {
      sum += weights[entry.column] * entry.value
    }
    return sum
  }
}
