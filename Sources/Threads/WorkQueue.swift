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

extension Workers {
  /// Runs pieces of work on a number of threads, of which idle ones take the next piece, and waits for all of them.
  ///
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - jobs: The number of threads, at least 1.
  ///   - body: Runs the piece with a number, from 0.
  /// - Returns: The results of the pieces, by their number.
  /// - Throws: An error that a piece threw.
  package static func map<Result: Sendable>(
    _ count: Int, jobs: Int, _ body: @Sendable (Int) throws -> Result
  ) throws -> [Result] {
    guard count > 0 else { return [] }
    let queue = WorkQueue(count: count)
    let parts = try run(min(jobs, count)) { _ in
      var results: [(number: Int, result: Result)] = []
      while let number = queue.next() { results.append((number, try body(number))) }
      return results
    }
    return parts.joined().sorted { $0.number < $1.number }.map(\.result)
  }
}
