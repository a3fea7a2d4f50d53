internal import Platform
internal import Threads

/// Decides whether a request is let in: by its rate, its key, and what the key permits.
struct Gate: Sendable {
  let origins: Origins
  /// The keys; nil if every route is open.
  let keys: KeyRing?
  private let byAddress: Monitor<TokenBuckets>?
  private let byKey: Monitor<TokenBuckets>?
  private let isBehindProxy: Bool

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - note: Called with a line when the file of keys cannot be read again, and when it can.
  /// - Throws: ``KeyFileError`` or ``ServiceOptionError`` for invalid options.
  init(_ options: AccessOptions, note: @escaping @Sendable (String) -> Void = { _ in }) throws {
    origins = try Origins(options.origins)
    keys = try options.keys.map { try KeyRing($0, note: note) }
    if let rate = options.rate, !(rate > 0 && rate.isFinite) {
      throw ServiceOptionError("the rate \(rate) must be a positive number of requests per second")
    }
    byAddress = options.rate.map { Monitor(TokenBuckets(rate: $0)) }
    byKey = options.rate.map { Monitor(TokenBuckets(rate: $0)) }
    isBehindProxy = options.isBehindProxy
  }

  // MARK: Rates

  /// Counts a request of an address.
  ///
  /// - Throws: ``ServiceProblem`` with status 429 if it has made too many.
  func countAddress(of request: ServiceRequest) throws(ServiceProblem) {
    try count(address(of: request), byAddress, "this address")
  }

  /// Counts a request with a key.
  func count(_ key: ServiceKey?) throws(ServiceProblem) {
    guard let key else { return }
    try count(key.name, byKey, "this key")
  }

  private func count(
    _ client: String, _ buckets: Monitor<TokenBuckets>?, _ noun: String
  ) throws(ServiceProblem) {
    guard
      let seconds = buckets?.withLock({ $0.take(client, now: SystemClock.monotonicNanoseconds) })
    else { return }
    throw ServiceProblem(
      429, "too-many-requests", "\(noun) makes too many requests; try again later",
      retryAfter: max(1, seconds))
  }

  /// The address that a request comes from.
  private func address(of request: ServiceRequest) -> String {
    guard isBehindProxy,
      let last = request.fields.list.last(where: { $0.name == "x-forwarded-for" })?.value
        .split(separator: ",").last?.trimmingSpaces, !last.isEmpty
    else { return request.peer }
    // Whatever a proxy forwards, a name of bounded size.
    return String(last.prefix(64))
  }

  // MARK: Keys

  /// Returns the key that a request gives.
  ///
  /// - Parameters:
  ///   - text: The key as given; nil if none was.
  ///   - scope: The scope that the route requires; nil if it is open.
  /// - Returns: The key; nil if the route is open.
  /// - Throws: ``ServiceProblem`` with status 401 without a known key, 403 with one that does not permit the route.
  func key(_ text: String?, for scope: KeyScope?) throws(ServiceProblem) -> ServiceKey? {
    guard let scope, let keys else { return nil }
    guard let text else { throw Self.unauthorized("give a key, for example as x-api-key") }
    guard let key = keys.key(text) else {
      throw Self.unauthorized("the key is unknown or was revoked; give another")
    }
    guard key.scopes.contains(scope) || key.scopes.contains(.admin) else {
      throw ServiceProblem(
        403, "forbidden",
        "the key \"\(key.name)\" does not permit this; use one with the scope \(scope.rawValue)")
    }
    return key
  }

  private static func unauthorized(_ message: String) -> ServiceProblem {
    ServiceProblem(
      401, "unauthorized", message, fields: ["www-authenticate": "Bearer realm=\"bandolier\""])
  }
}
