internal import DecidingCore
internal import Events

/// The state of a session with one agent.
struct AgentSession: Equatable, Sendable, Codable {
  /// Whether the session was admitted.
  enum Eligibility: String, Sendable, Codable {
    case `in`, out
  }

  /// The time of the latest decision, confirmation or accepted goal.
  var last: Timestamp
  /// Whether the session has expired since its last decision.
  var hasExpired = false
  var eligibility: Eligibility?
  /// One entry for each point and slot, in the order of their first decisions. There are few, so that a
  /// linear search is faster than a dictionary, and an array is smaller.
  var held: [HeldChoice] = []
  /// The index of the entry of ``held`` that was counted last.
  var latest: Int?
  /// How often each goal counted.
  var goals: [GoalID: Int] = [:]
  /// The defaults that were recorded, without duplicates.
  var exclusions: [Exclusion] = []

  /// A default that was recorded.
  struct Exclusion: Equatable, Sendable, Codable {
    var point: PointID
    var slot: SlotID
    var reason: String
  }

  /// Whether there is anything that an expiry would discard.
  var isLive: Bool { !held.isEmpty || eligibility != nil || !exclusions.isEmpty }

  /// Whether the session has a confirmed decision.
  var isConfirmed: Bool { held.contains { $0.confirmed != nil } }

  func index(point: PointID, slot: SlotID) -> Int? {
    held.firstIndex { $0.slot == slot && $0.point == point }
  }

  /// Returns whether the session has reached the inactivity timeout.
  func isTimedOut(at now: Timestamp, after timeout: Int64) -> Bool {
    isLive && now.isOld(last, seconds: timeout)
  }

  /// Discards everything except the fact that the session existed.
  mutating func expire() {
    guard isLive else { return }
    self = AgentSession(last: last)
    hasExpired = true
  }
}

extension Timestamp {
  /// Returns whether the earlier time is at least the given number of seconds ago.
  func isOld(_ earlier: Timestamp, seconds: Int64) -> Bool {
    earlier.adding(seconds: seconds) <= self
  }
}

/// The choice that a session holds at a point and slot.
struct HeldChoice: Equatable, Sendable, Codable {
  var point: PointID
  var slot: SlotID
  /// The confirmed choice.
  var confirmed: Choice?
  /// A later choice that is still provisional.
  var provisional: Choice?

  /// The sticky choice, which is shown.
  var kept: Choice? { provisional ?? confirmed }

  /// A choice with its propensity, segment and reward state.
  struct Choice: Equatable, Sendable, Codable {
    var variant: VariantID
    var propensity: Double?
    var policy: PolicyID?
    /// Whether an override made the choice: it lasts only as long as the override, and nothing is learned
    /// from it.
    var isForced: Bool
    /// The segment under which it is counted; empty when all sessions are pooled.
    var segment: TextKey
    /// Its number in the history of its slot and segment; nil when it is not part of one.
    var number: Int?
    /// The agent's epoch in which it was counted.
    var epoch = 0
    /// Whether it earned a reward.
    var isRewarded = false
    /// Whether it was fetched ahead, and a goal confirms it; nil for no.
    var isPrefetched: Bool?
  }
}
