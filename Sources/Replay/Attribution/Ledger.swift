internal import Specifications

/// Counts of what was read and of what was excluded, which are merged, subtracted and stored one by one.
protocol Ledger {
  /// Creates a ledger of zeros.
  init()

  /// Every count, in the order in which they are stored.
  static var fields: [any WritableKeyPath<Self, Int> & Sendable] { get }
}

extension Ledger {
  mutating func merge(_ other: Self) {
    for field in Self.fields { self[keyPath: field] += other[keyPath: field] }
  }

  mutating func subtract(_ other: Self) {
    for field in Self.fields { self[keyPath: field] -= other[keyPath: field] }
  }

  func write(to writer: inout StateWriter) {
    for field in Self.fields { writer.write(tally: self[keyPath: field]) }
  }

  init(from reader: inout StateReader) throws(StateError) {
    self.init()
    for field in Self.fields { self[keyPath: field] = try reader.readTally() }
  }
}
