internal import Platform
internal import Threads

/// Runs long computations outside of the cooperative pool, whose few threads answer all other requests.
enum OwnThread {
  /// Calls the closure on a thread of its own, and returns its result. If the system has no thread left, it is called
  /// on the current one.
  ///
  /// The thread, and those that it starts, run when no other thread needs a processor.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let work: @Sendable () -> Void = {
        continuation.resume(with: Swift.Result { try body() })
      }
      if !detach(work) { work() }
    }
  }

  /// Calls the closure on a thread of its own that runs when no other thread needs a processor.
  ///
  /// - Returns: Whether the system had a thread left.
  static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
    Workers.detach {
      SystemLimits.yieldThisThread()
      body()
    }
  }
}
