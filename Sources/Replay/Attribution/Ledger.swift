public import Specifications

/// Counts of what was read and of what was excluded, which are merged, subtracted and stored one by one.
public protocol Ledger: StateFields {
  /// Every count, in the order in which they are stored, with the name under which reports note it.
  static var counts: LedgerCounts<Self> { get }
}

extension Ledger {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    eachCount(&visit, other)
  }

  /// Visits every count.
  mutating func eachCount(_ visit: inout some FieldVisitor, _ other: Self) {
    for count in Self.counts.all { visit(&self[keyPath: count.path], other[keyPath: count.path]) }
  }

  /// The counts that reports note, with their names.
  public var noted: [(name: String, count: Int)] { noted(Self.counts) }

  /// Some counts, with their names.
  func noted(_ counts: LedgerCounts<Self>) -> [(name: String, count: Int)] {
    counts.all.compactMap { count in count.name.map { ($0, self[keyPath: count.path]) } }
  }
}

/// The counts of a ledger, most of them with a name in snake_case.
public struct LedgerCounts<Counted: Ledger>: ExpressibleByDictionaryLiteral, Sendable {
  /// The place of a count.
  public typealias Path = any WritableKeyPath<Counted, Int> & Sendable

  fileprivate let all: [(name: String?, path: Path)]

  private init(_ all: [(name: String?, path: Path)]) { self.all = all }

  /// Creates counts with their names.
  public init(dictionaryLiteral counts: (String, Path)...) {
    self.init(counts.map { ($0, $1) })
  }

  /// Creates counts that reports do not note, or in their own way.
  static func unnamed(_ paths: Path...) -> Self { Self(paths.map { (nil, $0) }) }

  static func + (first: Self, second: Self) -> Self { Self(first.all + second.all) }
}
