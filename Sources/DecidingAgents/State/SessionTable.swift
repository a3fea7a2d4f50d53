internal import DecidingCore
internal import Events

/// The sessions of an agent, in the order in which they came.
///
/// A session that was idle for long is packed, which takes less than half of the memory, until it changes again.
/// Nothing else shows which sessions are packed: two tables with the same sessions are equal.
struct SessionTable: Sendable {
  /// How long a session is idle before it is packed, in seconds.
  static let idleTime: Int64 = 1_800

  private enum Entry: Sendable {
    case open(AgentSession)
    case packed([UInt8])
  }

  private var entries = OrderedMap<UnitID, Entry>()
  private var packing = CompactWriter(keepingNames: true)
  /// The place of the session that is looked at next, to see whether it is idle.
  private var hand = 0

  init() {}

  /// The number of sessions.
  var count: Int { entries.count }

  /// The number of those that are packed.
  var packedCount: Int {
    entries.reduce(into: 0) { count, entry in if case .packed = entry.value { count += 1 } }
  }

  /// Returns the session of a unit; nil if there is none.
  ///
  /// - Complexity: O(1).
  subscript(unit: UnitID) -> AgentSession? {
    entries.read(unit) { entry in
      switch entry {
      case .open(let session): session
      case .packed(let bytes): unpacked(bytes)
      }
    }
  }

  /// Modifies the session of a unit in place, if there is one.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  mutating func change(_ unit: UnitID, _ body: (inout AgentSession) -> Void) {
    let names = packing.names
    let last = entries.change(unit) { Self.change(&$0, names, body) }
    if let last { packIdle(at: last) }
  }

  /// Modifies the session of a unit in place, after adding one if there was none.
  ///
  /// - Complexity: O(1) amortized.
  @inline(__always)
  mutating func change(
    _ unit: UnitID, orAdd session: @autoclosure () -> AgentSession,
    _ body: (inout AgentSession) -> Void
  ) {
    let names = packing.names
    let last = entries.change(unit, orAdd: .open(session())) { Self.change(&$0, names, body) }
    packIdle(at: last)
  }

  /// Adds the session of a unit that has none, packed.
  mutating func addPacked(_ unit: UnitID, _ session: AgentSession) {
    entries.set(unit, to: .packed(packed(session)))
  }

  /// Removes all sessions after the first `count`.
  ///
  /// - Complexity: O(n).
  mutating func truncate(to count: Int) {
    entries.truncate(to: count)
    hand = 0
  }

  /// Modifies an entry, and returns the time of the session's latest activity.
  @inline(__always)
  private static func change(
    _ entry: inout Entry, _ names: [String], _ body: (inout AgentSession) -> Void
  ) -> Timestamp {
    var session =
      switch entry {
      case .open(let session): session
      case .packed(let bytes): unpacked(bytes, names)
      }
    // The session's storage is not shared while it is modified.
    entry = .packed([])
    body(&session)
    let last = session.last
    entry = .open(session)
    return last
  }

  // MARK: Packing

  /// Packs two of the sessions, if they are idle: each session is looked at again and again, at a small cost for each
  /// change.
  @inline(__always)
  private mutating func packIdle(at now: Timestamp) {
    for _ in 0..<2 {
      hand = hand + 1 < entries.count ? hand + 1 : 0
      packIdle(at: now, place: hand)
    }
  }

  private mutating func packIdle(at now: Timestamp, place: Int) {
    let isIdle = entries.read(at: place) { entry in
      switch entry {
      case .open(let session): now.isOld(session.last, seconds: Self.idleTime)
      case .packed: false
      }
    }
    if isIdle { pack(place) }
  }

  private mutating func pack(_ place: Int) {
    let session: AgentSession? = entries.read(at: place) { entry in
      if case .open(let session) = entry { session } else { nil }
    }
    guard let session else { return }
    let bytes = packed(session)
    entries.change(at: place) { $0 = .packed(bytes) }
  }

  private mutating func packed(_ session: AgentSession) -> [UInt8] {
    packing.removeBytes()
    session.write(to: &packing)
    // A copy of its own, without the capacity of the writer.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(packing.bytes.count)
    bytes += packing.bytes
    return bytes
  }

  private func unpacked(_ bytes: [UInt8]) -> AgentSession { Self.unpacked(bytes, packing.names) }

  private static func unpacked(_ bytes: [UInt8], _ names: [String]) -> AgentSession {
    var reader = CompactReader(bytes, names: names)
    let session = try? AgentSession(from: &reader)
    precondition(session != nil, "what was packed here is read")
    return session ?? AgentSession(last: Timestamp(microseconds: 0))
  }
}

extension SessionTable: Sequence {
  /// Returns an iterator over the sessions in the order in which they came.
  func makeIterator() -> AnyIterator<(key: UnitID, value: AgentSession)> {
    AnyIterator(
      entries.lazy.map { [self] unit, entry in
        switch entry {
        case .open(let session): (key: unit, value: session)
        case .packed(let bytes): (key: unit, value: unpacked(bytes))
        }
      }.makeIterator())
  }
}

extension SessionTable: Equatable {
  static func == (a: SessionTable, b: SessionTable) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
  }
}

// Encoded as a dictionary.
extension SessionTable: Codable {
  init(from decoder: any Decoder) throws {
    for (unit, session) in try OrderedMap<UnitID, AgentSession>(from: decoder) {
      entries.set(unit, to: .open(session))
    }
  }

  func encode(to encoder: any Encoder) throws {
    try OrderedMap(lazy.map { ($0.key, $0.value) }).encode(to: encoder)
  }
}
