internal import DecidingCore
internal import Platform
internal import Threads

/// Counts requests, and writes the request log.
final class Observer: Sendable {
  let ids: RequestIDs
  let counts = RequestCounts()
  private let time: any TimeSource
  private let write: (@Sendable ([UInt8]) -> Void)?

  /// Creates an observer.
  init(_ options: ServiceOptions) {
    time = options.surroundings.time
    write = options.requestLog
    let source = options.surroundings.ids
    ids = RequestIDs { source.next() }
  }

  /// Counts and logs a request that was answered.
  func observe(
    _ visit: Visit, _ response: ServiceResponse, _ route: Route?, _ key: ServiceKey?
  ) {
    let duration = SystemClock.monotonicNanoseconds - visit.began
    let method = Self.knownMethod(visit.request.method)
    counts.add(
      RequestCounts.Label(
        route: route?.pattern.text ?? "(none)", method: method, status: response.status), duration)
    guard let write else { return }
    write(
      RequestLine(
        time: time.now, id: visit.id, method: method, route: route?.pattern.text,
        status: response.status, micros: duration / 1_000, received: visit.request.body.count,
        sent: response.body.count, key: key?.name
      ).text)
  }

  /// Returns the method if it is one that routes can have; otherwise `OTHER`, so that clients cannot make up labels.
  private static func knownMethod(_ method: String) -> String {
    Route.Method(rawValue: method)?.rawValue ?? "OTHER"
  }
}
