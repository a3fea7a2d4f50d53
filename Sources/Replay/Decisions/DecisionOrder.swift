internal import EventLog

/// The order of all decisions: by time, at equal times by unit in the order of the hashes of their names, and within a
/// unit by the order of its history. It depends neither on the order in which units appear in a log, nor on the other
/// units of it.
package struct DecisionOrder: Sendable {
  /// The sort key of a decision.
  package struct Key: Hashable, Comparable, Sendable {
    /// The time and the unit as one number, so that ranges of decisions are ranges of numbers.
    var moment: UInt128
    /// The index in the history of the unit.
    var index: UInt32

    package static func < (a: Key, b: Key) -> Bool {
      a.moment < b.moment || a.moment == b.moment && a.index < b.index
    }
  }

  private let hashes: UnitHashes

  /// Creates the order of the decisions of a context that has ``UnitNeeds/hashes``.
  package init(_ context: UnitContext) { hashes = context.hashes }

  /// Returns the time and the unit of an event as one number.
  @inline(__always)
  package func moment(_ event: UnitEvent) -> UInt128 {
    let time = UInt64(bitPattern: event.time) ^ (1 << 63)
    return UInt128(time) << 64 | UInt128(hashes.order(of: event.unit))
  }

  /// Returns the sort key of an event of a history.
  @inline(__always)
  package func key(_ event: UnitEvent, _ index: Int) -> Key {
    Key(moment: moment(event), index: UInt32(truncatingIfNeeded: index))
  }

  /// Returns the numbers of decisions after which there is a row: 1, 2, 5, 10, 20, 50, ... and the last.
  package static func checkpoints(_ count: Int) -> [Int] {
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

/// A range of consecutive decisions: those whose moments have the same bits above the lowest few.
struct OrderRange: Sendable, Equatable {
  /// The smallest moment.
  var low: UInt128
  /// The number of free low bits.
  var bits: Int
  /// The number of decisions in the range.
  var count: Int
  /// The number of decisions of the same place before it.
  var before: Int

  /// Returns whether there are more decisions than are enough, of more than one moment.
  func isDivisible(_ enough: Int) -> Bool { bits > 0 && count > enough }

  /// Returns whether a moment is not beyond the range.
  @inline(__always)
  func isReached(by key: UInt128) -> Bool { key &>> UInt128(bits) > low &>> UInt128(bits) }

  /// Returns whether a moment is in the range.
  @inline(__always)
  func contains(_ key: UInt128) -> Bool { key &>> UInt128(bits) == low &>> UInt128(bits) }
}
