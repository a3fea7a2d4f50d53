internal import DecidingCore
internal import EventLog
internal import Events
internal import Platform
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
  /// The log with which the service was started.
  private let logID: LogID?
  private let snapshots: SnapshotSchedule
  /// How long requests waited for the disk.
  let syncTimes = DurationHistogram()

  init(_ options: ServiceOptions) throws {
    self.options = options
    var replayed: DecidingSystemStates?
    let systems = try Systems(options) { replayed = $0 }
    // The configured definitions, which are not applied again when the systems are rebuilt.
    try systems.writer.commit()
    state = Monitor(State(systems: systems))
    log = try LogView(options)
    logID = try log.current().id
    snapshots = SnapshotSchedule(options, of: log, from: systems.snapshotPosition)
    if let replayed { snapshots.store(replayed) }
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
    guard options.waitsForDisk else { return scheduleSync() }
    state.withLock { $0.waiting += 1 }
    defer { state.withLock { $0.waiting -= 1 } }
    try await commit(systems)
  }

  private func commit(_ systems: Systems) async throws(ServiceProblem) {
    let began = SystemClock.monotonicNanoseconds
    do throws(LogError) {
      let durable = try await systems.writer.commit()
      if !isDraining { snapshots.consider(at: durable) }
    } catch {
      throw failed(systems, error.description)
    }
    syncTimes.add(SystemClock.monotonicNanoseconds - began)
  }

  /// Makes what was appended durable soon, whichever systems append until then.
  private func scheduleSync() {
    let isFirst = state.withLock { state in
      defer { state.isSyncScheduled = true }
      return !state.isSyncScheduled
    }
    guard isFirst else { return }
    Task {
      try? await Task.sleep(for: .milliseconds(50))
      let systems = state.withLock { state in
        state.isSyncScheduled = false
        return state.systems
      }
      _ = try? await commit(systems)
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
      options.note("the log cannot be written: \(reason)")
      systems.writer.close()
      Task { await recover() }
    }
    return .unwritable(reason)
  }

  /// Tries to open the log again until it succeeds.
  private func recover() async {
    while !state.withLock({ $0.isDraining }) {
      switch await rebuilt() {
      case .success(let systems):
        state.withLock { state in
          state.systems = systems
          state.failure = nil
        }
        return options.note("the log can be written again")
      case .failure(let error):
        state.withLock { $0.failure = "\(error)" }
        try? await Task.sleep(for: options.retryDelay)
      }
    }
  }

  /// Returns systems that are rebuilt from the log, if it can be written. A thread of its own rebuilds them, because
  /// that may take long.
  private func rebuilt() async -> Result<Systems, any Error> {
    await withCheckedContinuation { continuation in
      let rebuild = { @Sendable [options, logID] in
        let result = Result {
          // The folder may have been moved, and another, or none, be at its path.
          guard try LogReader(options.log, disk: options.disk).id == logID else {
            throw LogError(
              .notALog, "the folder no longer has the log of the service; put that one back",
              path: options.log)
          }
          try WriteProbe.run(options)
          return try Systems(options, isStart: false)
        }
        continuation.resume(returning: result)
      }
      if !Workers.detach(rebuild) { rebuild() }
    }
  }

  /// Why the log cannot be written, or that the service is being stopped; nil if it can accept changes.
  var unreadiness: String? {
    state.withLock { $0.failure ?? ($0.isDraining ? "the service is being stopped" : nil) }
  }

  /// Refuses changes from now on.
  func refuseChanges() { state.withLock { $0.isDraining = true } }

  /// Whether the service is being stopped.
  var isDraining: Bool { state.withLock(\.isDraining) }

  /// The number of requests that wait for the disk.
  var waiting: Int { state.withLock(\.waiting) }

  // MARK: Stopping

  /// Stops accepting changes, waits for those that wait for the disk, makes everything durable, and makes a snapshot
  /// unless that takes long.
  func drain() async {
    state.withLock { $0.isDraining = true }
    for _ in 0..<500 where state.withLock({ $0.waiting > 0 }) {
      try? await Task.sleep(for: .milliseconds(10))
    }
    let systems = systems
    guard let position = try? await systems.writer.commit() else { return }
    snapshots.makeLast(at: position)
  }

  /// Makes everything durable and releases the log, after ``drain()``. Nothing can be changed afterwards.
  func close() {
    let systems = systems
    _ = try? systems.writer.commit()
    systems.writer.close()
  }
}

extension ServiceProblem {
  /// The problem of a request that would append to a log that cannot be written.
  static func unwritable(_ reason: String) -> ServiceProblem {
    ServiceProblem(
      503, "not-recorded", "the log cannot be written: \(reason)", retryAfter: Host.retrySeconds)
  }
}
