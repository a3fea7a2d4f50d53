/// Pieces of work, known by their numbers, of which idle threads take the next one.
package final class WorkQueue: Sendable {
  private let count: Int
  private let taken = Monitor(0)

  /// Creates a queue of the numbers from 0 up to a count.
  package init(count: Int) { self.count = count }

  /// Takes the next number; nil if all were taken.
  package func next() -> Int? {
    taken.withLock { taken in
      guard taken < count else { return nil }
      defer { taken += 1 }
      return taken
    }
  }
}
