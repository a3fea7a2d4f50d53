public import Specifications

/// Counts of what was read and of what was excluded, which are merged, subtracted and stored one by one.
public protocol Ledger: StateField {
  /// Every count, in the order in which they are stored.
  static var fields: [any WritableKeyPath<Self, Int> & Sendable] { get }
}

extension Ledger {
  public mutating func merge(_ other: Self) {
    for field in Self.fields { self[keyPath: field] += other[keyPath: field] }
  }

  public mutating func subtract(_ other: Self) {
    for field in Self.fields { self[keyPath: field] -= other[keyPath: field] }
  }

  public func write(to writer: inout StateWriter) {
    for field in Self.fields { writer.write(tally: self[keyPath: field]) }
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    for field in Self.fields { self[keyPath: field] = try reader.readTally() }
  }
}
