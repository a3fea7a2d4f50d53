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

/// A ledger whose counts reports note under names, in the order in which they are stored.
public protocol NotedLedger: Ledger {
  /// Every count with its name, in snake_case.
  static var named: KeyValuePairs<String, any WritableKeyPath<Self, Int> & Sendable> { get }
}

extension NotedLedger {
  public static var fields: [any WritableKeyPath<Self, Int> & Sendable] { named.map(\.value) }

  /// The counts with their names.
  public var counts: [(name: String, count: Int)] {
    Self.named.map { ($0.key, self[keyPath: $0.value]) }
  }
}
