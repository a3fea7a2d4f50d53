/// A sum of tallies that are read from a state, which is a tally too, so that nothing overflows where they are added.
package struct TallySum: Sendable {
  /// The sum.
  package private(set) var sum = 0
  private let limit: Int

  /// Creates a sum of nothing, which stays below a limit.
  package init(below limit: Int = 1 << 60) { self.limit = limit }

  /// Reads a tally, and adds it.
  ///
  /// - Throws: ``StateError`` if the sum is too large or the bytes end.
  package mutating func read(_ reader: inout StateReader) throws(StateError) -> Int {
    let tally = try reader.readCount(below: limit - sum)
    sum += tally
    return tally
  }
}
