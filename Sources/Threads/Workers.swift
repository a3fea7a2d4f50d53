internal import Glibc

/// Threads that run the parts of one piece of work and end with it.
package enum Workers {
  /// The number of processors available to this process, at least 1.
  package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

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
      let threads = (1..<count).map { number in start { part(number) } }
      part(0)
      for (index, thread) in threads.enumerated() {
        if let thread { pthread_join(thread, nil) } else { part(index + 1) }
      }
    }
    return try outcomes.withLock { $0 }.compactMap { try $0?.get() }
  }

  /// Runs a piece of work on a thread of its own, for which nobody waits.
  ///
  /// - Returns: Whether the system had a thread left.
  package static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = start(body) else { return false }
    pthread_detach(thread)
    return true
  }

  /// Starts a thread, which must be joined or detached; nil if the system has none left.
  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    var thread = pthread_t()
    // Safety: the thread takes over the reference that it is given; if none is started, it is released here.
    let box = unsafe Unmanaged.passRetained(Body(body))
    let code = unsafe pthread_create(
      &thread, nil,
      { box in
        if let box = unsafe box {
          unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().body()
        }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      return nil
    }
    return thread
  }

  private final class Body: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
