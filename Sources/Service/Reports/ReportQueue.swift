internal import Threads

/// Lets one report be made at a time, and a few wait.
final class ReportQueue: Sendable {
  private struct State {
    var isBusy = false
    /// Those that wait, in their order.
    var waiting: [CheckedContinuation<Bool, Never>] = []
  }

  /// The maximum number of reports that wait.
  static let waitingLimit = 8

  private let state = Monitor(State())

  /// Makes a report when it is its turn.
  ///
  /// - Throws: ``ServiceProblem`` with status 429 if too many wait; the error of the body.
  func take<Answer: Sendable>(_ body: () async throws -> Answer) async throws -> Answer {
    try await begin()
    defer { end() }
    return try await body()
  }

  private func begin() async throws(ServiceProblem) {
    let isTurn = await withCheckedContinuation { continuation in
      let isTurn = state.withLock { state -> Bool? in
        guard state.isBusy else {
          state.isBusy = true
          return true
        }
        guard state.waiting.count < Self.waitingLimit else { return false }
        state.waiting.append(continuation)
        return nil
      }
      if let isTurn { continuation.resume(returning: isTurn) }
    }
    guard !isTurn else { return }
    throw ServiceProblem(
      429, "too-many-reports",
      "a report is being made and \(Self.waitingLimit) wait, which is the maximum; try again later",
      retryAfter: 1)
  }

  private func end() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiting.isEmpty else {
        state.isBusy = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume(returning: true)
  }
}
