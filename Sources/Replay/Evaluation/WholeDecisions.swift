/// The whole decision to which the decisions of a unit belong: decisions in a row at the same point and time, each in
/// another slot.
package struct WholeDecisions: Sendable {
  /// Creates an instance before the first decision.
  package init() {}

  /// The number of the current one among those of the unit.
  package private(set) var number = 0
  /// The index of its first row.
  package private(set) var start = 0
  /// Whether one of its decisions was left out.
  package var isIncomplete = false
  private var time: Int64 = 0
  private var point: UInt32 = 0
  /// The numbers of its places.
  private var places: [UInt32] = []

  /// Takes note of the next decision of the unit, and returns whether it begins another whole decision; call
  /// ``end(_:)`` then before anything else.
  package mutating func begins(time: Int64, point: UInt32, _ place: UInt32) -> Bool {
    let begins =
      places.isEmpty || time != self.time || point != self.point || places.contains(place)
    if begins { places.removeAll(keepingCapacity: true) }
    (self.time, self.point) = (time, point)
    places.append(place)
    return begins
  }

  /// Ends the current whole decision.
  ///
  /// - Parameter rows: The number of rows so far.
  package mutating func end(_ rows: Int) {
    if rows > start { number += 1 }
    (start, isIncomplete) = (rows, false)
  }
}
