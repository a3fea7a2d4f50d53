/// The order of all decisions: by time, at equal times by unit in the order in which units first appear in the log,
/// and within a unit by the order of its history.
///
/// The sort key is one number, so that ranges of decisions are ranges of numbers. Log positions are not kept with the
/// events of units; the unit stands in for them, which is equivalent if each unit has one decision.
enum DecisionOrder {
  /// Returns the sort key of an event of a history.
  @inline(__always)
  static func key(_ event: UnitEvent, _ index: Int) -> UInt128 {
    let time = UInt64(bitPattern: event.time) ^ (1 << 63)
    let within = UInt64(event.unit) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
    return UInt128(time) << 64 | UInt128(within)
  }

  /// Returns the numbers of decisions after which there is a row: 1, 2, 5, 10, 20, 50, ... and the last.
  static func checkpoints(_ count: Int) -> [Int] {
    guard count > 0 else { return [] }
    var found: [Int] = []
    var decade = 1
    while true {
      for digit in [1, 2, 5] {
        let (number, isOver) = decade.multipliedReportingOverflow(by: digit)
        guard !isOver, number < count else { return found + [count] }
        found.append(number)
      }
      let (next, isOver) = decade.multipliedReportingOverflow(by: 10)
      guard !isOver else { return found + [count] }
      decade = next
    }
  }
}

/// A range of consecutive decisions: those whose keys have the same bits above the lowest few.
struct OrderRange: Sendable, Equatable {
  /// The smallest key.
  var low: UInt128
  /// The number of free low bits.
  var bits: Int
  /// The number of decisions in the range.
  var count: Int
  /// The number of decisions of the same place before it.
  var before: Int

  /// Returns whether a key is not beyond the range.
  @inline(__always)
  func isReached(by key: UInt128) -> Bool { key &>> UInt128(bits) > low &>> UInt128(bits) }

  /// Returns whether a key is in the range.
  @inline(__always)
  func contains(_ key: UInt128) -> Bool { key &>> UInt128(bits) == low &>> UInt128(bits) }
}
