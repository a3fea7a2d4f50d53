import Platform

/// Sends requests over many connections from one thread, and measures the responses.
struct LoadGenerator {
  /// The server's port on 127.0.0.1.
  let port: UInt16
  /// The seconds without any response after which the load has failed.
  var patience = 30.0

  /// Sends all requests of a plan.
  ///
  /// The connections take turns, so that none is idle for long.
  ///
  /// - Throws: ``ProcessRun/Failure`` if the server refuses or closes a connection, sends no valid response, or does
  ///   not respond.
  func run(_ plan: LoadPlan) throws -> LoadResult {
    var connections = try (0..<plan.connections).map { _ in try LoadConnection(port: port) }
    defer { for connection in connections { close(connection.socket) } }
    var polled = connections.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
    var result = LoadResult()
    result.latencies.reserveCapacity(plan.requests)
    let start = Self.now()
    var schedule = LoadSchedule(plan, start: start)
    var free = Array(connections.indices)
    var last = start
    while result.latencies.count < plan.requests {
      while let index = free.first, let due = schedule.next(at: Self.now()) {
        free.removeFirst()
        try connections[index].send(plan.request(due.number), due: due.time)
      }
      // Safety: the array has as many elements as are given.
      unsafe poll(&polled, nfds_t(polled.count), schedule.isLate ? 1 : 100)
      for index in polled.indices where polled[index].revents != 0 {
        guard let status = try connections[index].receive() else { continue }
        result.statuses[status, default: 0] += 1
        result.latencies.append(Self.now() - connections[index].due)
        free.append(index)
        last = Self.now()
      }
      guard Self.now() - last < patience else {
        throw ProcessRun.Failure(
          description: "the server did not answer \(connections.count - free.count) requests, "
            + "after \(result.latencies.count) that it answered")
      }
    }
    result.seconds = Self.now() - start
    result.latencies.sort()
    return result
  }

  static func now() -> Double { Double(SystemClock.monotonicNanoseconds) / 1e9 }
}

/// The moments at which requests are due.
private struct LoadSchedule {
  private let plan: LoadPlan
  private let start: Double
  private var sent = 0

  init(_ plan: LoadPlan, start: Double) {
    self.plan = plan
    self.start = start
  }

  /// Whether requests are due at moments rather than as soon as possible.
  var isLate: Bool { plan.rate != nil && sent < plan.requests }

  /// Returns the next request if it is due, and when it was.
  mutating func next(at now: Double) -> (number: Int, time: Double)? {
    guard sent < plan.requests else { return nil }
    let due = plan.rate.map { start + Double(sent) / $0 } ?? now
    guard due <= now else { return nil }
    defer { sent += 1 }
    return (sent, due)
  }
}
