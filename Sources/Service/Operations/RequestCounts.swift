internal import Threads

/// The numbers of requests by route and status, and how long they took.
final class RequestCounts: Sendable {
  /// The key by which requests are counted.
  struct Label: Sendable, Hashable {
    /// The pattern of the route; `(none)` if no route matched.
    var route: String
    var method: String
    var status: Int
  }

  private struct State {
    var counts: [Label: UInt64] = [:]
    var durations: [String: DurationHistogram.Counts] = [:]
  }

  private let state = Monitor(State())

  /// Counts a request that was answered after a duration in nanoseconds.
  func add(_ label: Label, _ duration: Int64) {
    state.withLock {
      $0.counts[label, default: 0] += 1
      $0.durations[label.route, default: .init()].add(duration)
    }
  }

  /// The counts so far, ordered by route, method and status.
  var counts: [(label: Label, count: UInt64)] {
    let counts = state.withLock(\.counts)
    return counts.map { ($0.key, $0.value) }.sorted { a, b in
      (a.0.route, a.0.method, a.0.status) < (b.0.route, b.0.method, b.0.status)
    }
  }

  /// The durations so far by route, ordered by route.
  var durations: [(route: String, counts: DurationHistogram.Counts)] {
    let durations = state.withLock(\.durations)
    return durations.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}
