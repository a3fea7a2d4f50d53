internal import Replay

/// The places of variants in the lists of choices of decisions, and what depends on nothing but a decision's choices:
/// computed once for each list, so that decisions between many variants cost no more than others; private to one
/// thread.
struct ChoiceLists: Sendable {
  /// The length from which lists are kept; shorter ones are searched.
  static let leastKept = 32

  private var places: [UInt64: [UInt32: Int]] = [:]

  /// Returns the place of the chosen variant of a decision among its choices; nil if it is none of them.
  mutating func chosen(
    of row: CreditedDecision, among choices: [UInt32], _ source: EvaluationSource
  ) -> Int? {
    guard choices.count >= Self.leastKept else { return choices.firstIndex(of: row.variant) }
    let key = source.list(of: row)
    if let known = places[key] { return known[row.variant] }
    let numbers = Dictionary(
      choices.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    places[key] = numbers
    return numbers[row.variant]
  }
}

/// Arrays of numbers by key, as many as there is room for; private to one thread.
struct KeptNumbers<Key: Hashable & Sendable>: Sendable {
  /// The most numbers that are kept: 32 MB.
  private static var room: Int { 1 << 22 }

  private var kept: [Key: [Double]] = [:]
  private var count = 0

  /// Returns the numbers of a key; nil if they are not kept.
  subscript(_ key: Key) -> [Double]? { kept[key] }

  /// Keeps the numbers of a key, in place of all others if there is no more room.
  mutating func keep(_ numbers: [Double], _ key: Key) {
    if count + numbers.count > Self.room {
      kept.removeAll(keepingCapacity: true)
      count = 0
    }
    kept[key] = numbers
    count += numbers.count
  }
}

extension EvaluationSource {
  /// Returns a number that decisions with the same choices have in common: that of the list that was logged, or of
  /// their place.
  func list(of row: CreditedDecision) -> UInt64 {
    let list = context.situations.list(of: row.situation)
    return list > 0 ? UInt64(list) << 32 | 0xFFFF_FFFF : UInt64(row.place)
  }
}
