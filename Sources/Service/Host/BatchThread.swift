internal import Threads

/// A thread that applies batches in the order in which it is given them, beside the thread that makes them.
final class BatchThread<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [[Element]] = []
    var isEnding = false
    var hasEnded = false
  }

  /// The number of batches that wait before the thread that makes them waits too.
  private static var mostWaiting: Int { 4 }

  private let state = Monitor(State())
  private let body: @Sendable ([Element]) -> Void

  /// Starts the thread. If the system has none left, the caller applies the batches.
  init(_ body: @escaping @Sendable ([Element]) -> Void) {
    self.body = body
    let run = { @Sendable [self] in self.run() }
    if !Workers.detach(run) { state.withLock { $0.hasEnded = true } }
  }

  /// Applies a batch after those before it, possibly later.
  func apply(_ batch: [Element]) {
    let isTaken = state.wait { state -> Bool? in
      if state.hasEnded { return false }
      guard state.waiting.count < Self.mostWaiting else { return nil }
      state.waiting.append(batch)
      self.state.announce()
      return true
    }
    if !isTaken { body(batch) }
  }

  /// Waits until every batch is applied, and ends the thread.
  func end() {
    state.withLock { state in
      state.isEnding = true
      self.state.announce()
    }
    state.wait { $0.hasEnded ? () : nil }
  }

  private func run() {
    while let batch = next() { body(batch) }
    state.withLock { state in
      state.hasEnded = true
      self.state.announce()
    }
  }

  /// Returns the next batch, once there is one; nil when no more will come.
  private func next() -> [Element]? {
    state.wait { state -> [Element]?? in
      guard let batch = state.waiting.first else { return state.isEnding ? .some(nil) : nil }
      state.waiting.removeFirst()
      self.state.announce()
      return .some(batch)
    }
  }
}
