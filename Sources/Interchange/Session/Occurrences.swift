import EventLog

/// How often events are in a log, and how often they occurred in the current input.
struct Occurrences {
  private let directory: String
  private let memoryCapacity: Int
  /// The number of times each content of an event without an id is in the log, and the events with an id.
  private var known: FingerprintMap
  /// The same for the current input, as far as its events need to be compared with one another: those with an id, and
  /// those that the log has.
  private var seen: FingerprintMap
  /// The other events of the current input. They are new whatever came before them, so that nothing is looked up until
  /// another input follows.
  private var others: FingerprintList
  /// Whether what is known are the events before the next one in the same file: it is new if it has no id.
  private var continues = false

  /// Creates counts of nothing; see ``DuplicateFilter``.
  init(directory: String, memoryCapacity: Int) {
    self.directory = directory
    self.memoryCapacity = memoryCapacity
    known = FingerprintMap(directory: directory, memoryCapacity: memoryCapacity)
    seen = FingerprintMap(directory: directory, memoryCapacity: memoryCapacity)
    others = FingerprintList(directory: directory, memoryCapacity: memoryCapacity)
  }

  /// Counts an event of the log.
  mutating func addKnown(_ event: EventFacts) throws(FingerprintMapError) {
    guard event.flags.contains(.hasID) else {
      _ = try known.increment(event.fingerprint)
      return
    }
    switch try known.has(event.identity) {
    case true?: break
    case false?: try known.addOther(event.identity)
    case nil: try known.addFirst(event.identity)
    }
  }

  /// Begins an input: the events of the previous one become known.
  ///
  /// - Parameter continues: Whether all events known before are those before it in the same file.
  /// - Throws: ``FingerprintMapError`` if a temporary file fails.
  mutating func beginInput(continues: Bool = false) throws(FingerprintMapError) {
    self.continues = continues
    if known.isEmpty {
      swap(&known, &seen)
    } else if !seen.isEmpty {
      // The log now has each content as often as before or as often as it occurred, whichever is
      // more: occurrences up to the known number were not appended again.
      try seen.forEach { (key, count) throws(FingerprintMapError) in
        if count > (try known.value(for: key) ?? 0) { try known.set(count, for: key) }
      }
      seen = FingerprintMap(directory: directory, memoryCapacity: memoryCapacity)
    }
    guard !others.isEmpty else { return }
    try others.forEachPart { (keys) throws(FingerprintMapError) in try known.increment(keys) }
    others = FingerprintList(directory: directory, memoryCapacity: memoryCapacity)
  }

  /// Has the processor load what is known of an event, without waiting for it.
  @inline(__always)
  func prefetch(_ event: EventFacts) {
    if event.flags.contains(.hasID) { seen.prefetch(event.fingerprint) }
    if !known.isEmpty { known.prefetch(event.fingerprint) }
  }

  /// Returns what an event is to those of the log, and counts it for the events that follow.
  mutating func find(_ event: EventFacts) throws(FingerprintMapError) -> Occurrence {
    guard event.flags.contains(.hasID) else {
      guard !continues, !known.isEmpty, let before = try known.value(for: event.fingerprint) else {
        try others.append(event.fingerprint)
        return .new
      }
      return min(try seen.increment(event.fingerprint), .max - 1) < before ? .same : .new
    }
    let isKnown = try known.has(event.identity)
    if isKnown == true { return .same }
    let isSeen = try seen.has(event.identity)
    if isSeen == true { return .same }
    guard isKnown != nil || isSeen != nil else {
      try seen.addFirst(event.identity)
      return .new
    }
    // Of an identity that only the log has, the others of this input are there without a first one.
    if isSeen == nil, try seen.hasOther(event.identity) { return .same }
    if event.flags.contains(.hasUniqueID) { return .refused }
    try seen.addOther(event.identity)
    return .other
  }
}

/// The relation of an event to those before it.
enum Occurrence {
  /// One that was not there.
  case new
  /// One that is there already.
  case same
  /// One that has the identity of another, with other content, and is an event of its own.
  case other
  /// One that has the identity of another, with other content, and is not stored, because the ids of its source are
  /// unique.
  case refused
}

extension EventFacts {
  /// The identity of an event with an id.
  fileprivate var identity: EventIdentity { EventIdentity(fingerprint, content: content) }
}
