/// Limits of rates by token bucket: each client has a bucket that fills at a constant rate up to its capacity, and each
/// request takes one token out of it.
///
/// The memory is bounded: when there are too many clients, those whose buckets are full again are forgotten, which
/// changes nothing; if all are in use, a new client shares one bucket with others.
struct TokenBuckets: Sendable {
  /// A bucket, by the time at which it is full again.
  private var fullAt: [String: Int64] = [:]
  /// The bucket of the clients that have none of their own.
  private var sharedFullAt: Int64 = .min
  /// When the full buckets were removed last.
  private var sweptAt: Int64 = .min

  /// The nanoseconds in which a token is added.
  private let interval: Int64
  /// The nanoseconds in which an empty bucket becomes full.
  private let span: Int64
  private let clientLimit: Int

  /// Creates buckets.
  ///
  /// - Parameters:
  ///   - rate: The tokens added per second; positive.
  ///   - burst: The capacity of a bucket, in seconds of its rate; it is at least one token.
  ///   - clientLimit: The maximum number of buckets.
  init(rate: Double, burst: Double = 2, clientLimit: Int = 65_536) {
    interval = max(1, Int64(min(1e9 / rate, 1e15)))
    span = max(interval, Int64(min(burst * 1e9, 1e18)))
    self.clientLimit = clientLimit
  }

  /// Takes a token.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - now: The time in nanoseconds, from a clock that never goes back.
  /// - Returns: The seconds, rounded up, after which a token is there; nil if one was taken.
  mutating func take(_ client: String, now: Int64) -> Int? {
    let place = fullAt.index(forKey: client)
    if place == nil, fullAt.count >= clientLimit { sweep(now) }
    if place == nil, fullAt.count >= clientLimit { return take(&sharedFullAt, now) }
    return take(&fullAt[client, default: .min], now)
  }

  private func take(_ fullAt: inout Int64, _ now: Int64) -> Int? {
    let after = max(fullAt, now) + interval
    let excess = after - now - span
    guard excess <= 0 else { return Int((excess + 999_999_999) / 1_000_000_000) }
    fullAt = after
    return nil
  }

  /// Removes the buckets that are full, at most once in the time in which a bucket becomes full.
  private mutating func sweep(_ now: Int64) {
    guard sweptAt == .min || now - sweptAt >= span else { return }
    sweptAt = now
    fullAt = fullAt.filter { $0.value > now }
  }

  /// The number of buckets.
  var count: Int { fullAt.count }
}
