/// Where a decision stands among all: by its time, at equal times by its unit in the order in which units first appear in the
/// log, and within a unit by the order of its history.
///
/// It is one number, so that ranges of decisions are ranges of numbers. Positions are not kept with the events of units; the
/// unit stands for them, which is the same where each unit has one decision.
enum DecisionOrder {
  /// The place of an event of a history.
  @inline(__always)
  static func key(_ event: UnitEvent, _ index: Int) -> UInt128 {
    let time = UInt64(bitPattern: event.time) ^ (1 << 63)
    let within = UInt64(event.unit) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
    return UInt128(time) << 64 | UInt128(within)
  }

  /// The numbers of decisions after which there is a row: 1, 2, 5, 10, 20, 50, ... and the last.
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

/// Decisions that follow each other: those whose keys have the same bits above the lowest few.
struct OrderRange: Sendable, Equatable {
  /// The least key.
  var low: UInt128
  /// How many of the lowest bits are free.
  var bits: Int
  /// How many decisions there are.
  var count: Int
  /// How many decisions of the same place stand before it.
  var before: Int

  /// Whether a key is not behind the range.
  @inline(__always)
  func isReached(by key: UInt128) -> Bool { key &>> UInt128(bits) > low &>> UInt128(bits) }

  /// Whether a key is in the range.
  @inline(__always)
  func contains(_ key: UInt128) -> Bool { key &>> UInt128(bits) == low &>> UInt128(bits) }
}
