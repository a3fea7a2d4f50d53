internal import Platform

/// Threads that run the parts of one piece of work and end with it.
package enum Workers {
  /// Runs `count` parts of a piece of work, each on its own thread, the first on the caller's, and waits for all of
  /// them. If the system has no thread left, the caller runs that part too.
  ///
  /// - Parameters:
  ///   - count: The number of parts, at least 1.
  ///   - body: Runs the part with a number, from 0.
  /// - Returns: The results of the parts, by their number.
  /// - Throws: The error of the lowest-numbered part that threw.
  package static func run<Result: Sendable>(
    _ count: Int, _ body: @Sendable (Int) throws -> Result
  ) throws -> [Result] {
    guard count > 1 else { return [try body(0)] }
    let outcomes = Monitor([Swift.Result<Result, any Error>?](repeating: nil, count: count))
    withoutActuallyEscaping(body) { body in
      let part: @Sendable (Int) -> Void = { number in
        let outcome = Swift.Result { try body(number) }
        outcomes.withLock { $0[number] = outcome }
      }
      let threads = (1..<count).map { number in SystemThread { part(number) } }
      part(0)
      for (index, thread) in threads.enumerated() {
        if let thread { thread.join() } else { part(index + 1) }
      }
    }
    return try outcomes.withLock { $0 }.compactMap { try $0?.get() }
  }

  /// Runs a piece of work on a thread of its own, for which nobody waits.
  ///
  /// - Returns: Whether the system had a thread left.
  package static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = SystemThread(body) else { return false }
    thread.detach()
    return true
  }
}
