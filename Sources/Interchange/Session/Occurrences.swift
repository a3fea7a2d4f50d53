import EventLog

/// How often events are in a log, and how often they occurred in the current input.
struct Occurrences {
  /// The number of times each content is in the log, and 1 for each id.
  private var known: FingerprintMap
  /// The number of times each content occurred in the current input.
  private var seen: FingerprintMap

  /// Creates counts of nothing.
  init(known: FingerprintMap, seen: FingerprintMap) {
    self.known = known
    self.seen = seen
  }

  /// Counts an event of the log.
  mutating func addKnown(_ key: Fingerprint, hasID: Bool) throws(FingerprintMapError) {
    if hasID { try known.set(1, for: key) } else { _ = try known.increment(key) }
  }

  /// Begins an input: the events of the previous one become known.
  mutating func beginInput(_ makeMap: () -> FingerprintMap) throws(FingerprintMapError) {
    guard !seen.isEmpty else { return }
    if known.isEmpty {
      swap(&known, &seen)
      return
    }
    // The log now has each content as often as before or as often as it occurred, whichever is
    // more: occurrences up to the known number were not appended again.
    try seen.forEach { (key, count) throws(FingerprintMapError) in
      if count > (try known.value(for: key) ?? 0) { try known.set(count, for: key) }
    }
    seen = makeMap()
  }

  /// Loads what is known of an event into the cache, and returns a dummy value that keeps the load from being optimized
  /// away.
  @inline(__always)
  func touch(_ key: Fingerprint) -> UInt64 {
    seen.touch(key) &+ (known.isEmpty ? 0 : known.touch(key))
  }

  /// Returns whether the log has an event, and counts it for the events that follow.
  mutating func isAlreadyThere(_ key: Fingerprint, hasID: Bool) throws(FingerprintMapError) -> Bool
  {
    let before = known.isEmpty ? 0 : try known.value(for: key) ?? 0
    if hasID, before > 0 { return true }
    let earlier = try seen.increment(key)
    return hasID ? earlier > 0 : min(earlier, .max - 1) < before
  }
}
