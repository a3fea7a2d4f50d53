internal import DecidingCore
internal import EventLog
internal import Events
internal import Threads

/// Keeps the systems of a service available: counts the answers that wait for the disk, and after a failure to write
/// opens the log again and rebuilds the systems from it.
final class Host: Sendable {
  /// The state of the host.
  private struct State {
    var systems: Systems
    /// Why the log cannot be written; nil if it can.
    var failure: String?
    /// The number of requests that wait for the disk.
    var waiting = 0
    var isDraining = false
    var isSyncScheduled = false
  }

  /// The seconds between two attempts to write again.
  static let retrySeconds = 5

  let options: ServiceOptions
  private let state: Monitor<State>
  /// The log as readers see it, opened again when it has grown.
  let log: LogView

  init(_ options: ServiceOptions) throws {
    self.options = options
    state = Monitor(State(systems: try Systems(options)))
    log = try LogView(options.log)
  }

  // MARK: Systems

  /// The systems, for a request that changes nothing. While the log cannot be written their state may be ahead of it.
  var systems: Systems { state.withLock { $0.systems } }

  /// Returns the systems, for a request that may append to the log.
  ///
  /// - Throws: ``ServiceProblem`` with status 503 while the log cannot be written, while the service is being stopped,
  ///   and when too many requests wait for the disk.
  func writableSystems() throws(ServiceProblem) -> Systems {
    let result = state.withLock { state -> Result<Systems, ServiceProblem> in
      if let failure = state.failure {
        return .failure(.unwritable(failure))
      }
      if state.isDraining {
        return .failure(
          ServiceProblem(503, "stopping", "the service is being stopped", retryAfter: 1))
      }
      guard state.waiting < options.waitingLimit else {
        return .failure(
          ServiceProblem(
            503, "overloaded",
            "\(state.waiting) requests wait for the disk, which is the maximum; try again later",
            retryAfter: 1))
      }
      return .success(state.systems)
    }
    return try result.get()
  }

  /// Waits until everything that was appended so far is durable. With `waitsForDisk` off it returns at once, and the
  /// events become durable within 100 milliseconds.
  ///
  /// - Throws: ``ServiceProblem`` with status 503 if it cannot be made durable. The systems are then rebuilt.
  func settle(_ systems: Systems) async throws(ServiceProblem) {
    guard options.waitsForDisk else { return scheduleSync(systems) }
    state.withLock { $0.waiting += 1 }
    defer { state.withLock { $0.waiting -= 1 } }
    do throws(LogError) {
      try await systems.writer.commit()
    } catch {
      throw failed(systems, error.description)
    }
  }

  private func scheduleSync(_ systems: Systems) {
    let isFirst = state.withLock { state in
      defer { state.isSyncScheduled = true }
      return !state.isSyncScheduled
    }
    guard isFirst else { return }
    Task {
      try? await Task.sleep(for: .milliseconds(50))
      state.withLock { $0.isSyncScheduled = false }
      do throws(LogError) {
        try await systems.writer.commit()
      } catch {
        _ = failed(systems, error.description)
      }
    }
  }

  // MARK: Failures

  /// Records that the systems could not write, and starts to rebuild them. Events that no log would accept are the
  /// client's problem: then nothing is rebuilt.
  ///
  /// - Returns: The problem to answer with.
  @discardableResult
  func failed(_ systems: Systems, _ reason: String) -> ServiceProblem {
    guard systems.writer.failure != nil else {
      return ServiceProblem(400, "invalid-event", reason)
    }
    let isFirst = state.withLock { state in
      guard state.systems === systems, state.failure == nil else { return false }
      state.failure = reason
      return true
    }
    if isFirst {
      systems.writer.close()
      Task { await recover() }
    }
    return .unwritable(reason)
  }

  /// Tries to open the log again until it succeeds.
  private func recover() async {
    while !state.withLock({ $0.isDraining }) {
      do {
        let systems = try Systems(options)
        // Only what can be written counts.
        try await systems.writer.commit()
        state.withLock { state in
          state.systems = systems
          state.failure = nil
        }
        return
      } catch {
        state.withLock { $0.failure = "\(error)" }
        try? await Task.sleep(for: .seconds(Self.retrySeconds))
      }
    }
  }

  /// Why the log cannot be written, or that the service is being stopped; nil if it can accept changes.
  var unreadiness: String? {
    state.withLock { $0.failure ?? ($0.isDraining ? "the service is being stopped" : nil) }
  }

  /// Stops accepting changes, and makes everything durable.
  func drain() async {
    let systems = state.withLock { state in
      state.isDraining = true
      return state.systems
    }
    _ = try? await systems.writer.commit()
  }

  /// Releases the log, after `drain()`.
  func close() { systems.writer.close() }
}

extension ServiceProblem {
  /// The problem of a request that would append to a log that cannot be written.
  static func unwritable(_ reason: String) -> ServiceProblem {
    ServiceProblem(
      503, "not-recorded", "the log cannot be written: \(reason)", retryAfter: Host.retrySeconds)
  }
}
