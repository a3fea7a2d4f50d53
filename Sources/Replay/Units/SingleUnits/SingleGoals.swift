/// The goals of the units with a single decision, each with the sum of those of its unit so far.
///
/// They are stored in chunks, so that none is copied when there are more.
struct SingleGoals: Sendable {
  /// A goal.
  struct Goal: Sendable {
    var time: Int64
    /// The value of the goal; 1 if it has none.
    var number: Double
    /// The exact sum of the values that are credited.
    var sum = 0.0
    /// The code of the goal.
    var code: UInt32
    /// The index of the arm with the place that it names; ``SingleKind/none`` if it names none.
    var place: UInt32
    /// The index of the unit's goal before plus one; 0 for the first one.
    var previous: UInt32
    /// The number of goals that are credited.
    var credited: UInt16 = 0
    /// Whether the value was given.
    var hasNumber: Bool

    init(_ event: UnitEvent, place: UInt32?, previous: UInt32) {
      (time, number, code) = (event.time, event.number, event.subject)
      self.place = place ?? SingleKind.none
      self.previous = previous
      hasNumber = event.hasNumber
    }

    /// Returns the event of the goal.
    func event(of unit: UInt32, in experiment: UInt32) -> UnitEvent {
      UnitEvent(
        time: time, number: number, unit: unit, experiment: experiment, subject: code, kind: .goal,
        hasNumber: hasNumber)
    }
  }

  private static let chunkSize = 1 << 12

  private var chunks: [[Goal]] = []
  /// The number of goals.
  private(set) var count = 0

  /// The goal of an index plus one.
  @inline(__always)
  subscript(after index: UInt32) -> Goal {
    let place = Int(index) - 1
    return chunks[place / Self.chunkSize][place % Self.chunkSize]
  }

  /// Appends a goal, and returns its index plus one.
  @inline(__always)
  mutating func append(_ goal: Goal) -> UInt32 {
    if count % Self.chunkSize == 0 {
      chunks.append([])
      // Of many experiments each may have few goals.
      if count > 0 { chunks[chunks.count - 1].reserveCapacity(Self.chunkSize) }
    }
    chunks[chunks.count - 1].append(goal)
    count += 1
    return UInt32(truncatingIfNeeded: count)
  }
}
