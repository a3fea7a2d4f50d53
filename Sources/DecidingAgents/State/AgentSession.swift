internal import DecidingCore
internal import Events

/// What is known of a session with one agent.
struct AgentSession: Equatable, Sendable, Codable {
  /// Whether the session was let in.
  enum Eligibility: String, Sendable, Codable {
    case `in`, out
  }

  /// The latest decision, confirmation or accepted goal.
  var last: Timestamp
  /// Whether it has expired since its last decision.
  var hasExpired = false
  var eligibility: Eligibility?
  /// One entry for each point and slot, in the order of their first decisions. They are few, so that looking
  /// through them is faster than a dictionary, and takes less room.
  var held: [HeldChoice] = []
  /// Which entry of ``held`` was counted last.
  var latest: Int?
  /// How often each goal counted.
  var goals: [GoalID: Int] = [:]
  /// The defaults that were recorded, each once.
  var exclusions: [Exclusion] = []

  /// A default that was recorded.
  struct Exclusion: Equatable, Sendable, Codable {
    var point: PointID
    var slot: SlotID
    var reason: String
  }

  init(last: Timestamp) { self.last = last }

  /// Whether there is anything that an expiry would forget.
  var isLive: Bool { !held.isEmpty || eligibility != nil || !exclusions.isEmpty }

  /// Whether a decision counts.
  var isConfirmed: Bool { held.contains { $0.confirmed != nil } }

  func index(point: PointID, slot: SlotID) -> Int? {
    held.firstIndex { $0.slot == slot && $0.point == point }
  }

  /// Whether the session has ended for want of anything happening.
  func isTimedOut(at now: Timestamp, after timeout: Int64) -> Bool {
    isLive && now.isOld(last, seconds: timeout)
  }

  /// Forgets everything but that there was something.
  mutating func expire() {
    guard isLive else { return }
    self = AgentSession(last: last)
    hasExpired = true
  }
}

extension Timestamp {
  /// Whether the earlier time is so many seconds ago or more.
  func isOld(_ earlier: Timestamp, seconds: Int64) -> Bool {
    earlier.adding(seconds: seconds) <= self
  }
}

/// What a session was given at a point and slot.
struct HeldChoice: Equatable, Sendable, Codable {
  var point: PointID
  var slot: SlotID
  /// The decision that counts.
  var confirmed: Choice?
  /// A later one that was made and does not count yet.
  var provisional: Choice?

  /// What is shown.
  var kept: Choice? { provisional ?? confirmed }

  /// One choice and how it came about.
  struct Choice: Equatable, Sendable, Codable {
    var variant: VariantID
    var propensity: Double?
    var policy: PolicyID?
    /// Whether an override chose it: it is kept only as long as that, and nothing is learned from it.
    var isForced: Bool
    /// The segment whose counts it belongs to; empty where nothing is learned apart.
    var segment: TextKey
    /// Its number in the history of its slot and segment; nil when it is not in there.
    var number: Int?
    /// The agent's epoch in which it was counted.
    var epoch = 0
    /// Whether it earned a reward.
    var isRewarded = false
  }
}
