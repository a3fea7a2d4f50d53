internal import Bandits
internal import DecidingCore
internal import Events
internal import Specifications
internal import Statistics

/// The decisions of a slot in order, each with its rewards so far, for a policy whose probabilities do not
/// follow from counts.
///
/// The learned state is a function of these, as if every reward had arrived with its decision: a late reward
/// is learned at the position of its decision, and a decision without one earned 0, as in the counts. The
/// history grows with the decisions.
struct LearningHistory: Sendable {
  /// A decision.
  struct Entry: Equatable, Sendable, Codable {
    var variant: VariantID
    /// The probability with which it was drawn; nil when unknown.
    var propensity: Double?
    /// The sum of its rewards.
    var reward = 0.0
  }

  private(set) var entries: [Entry] = []
  /// The state learned from all of them; nil when it has to be recomputed, as after restoring a snapshot.
  private var learning: Learning?

  init() {}

  /// Adds a decision.
  ///
  /// - Returns: Its number.
  /// - Complexity: O(choices); O(decisions · choices) when the policy or the choices differ from the last
  ///   time.
  mutating func append(_ entry: Entry, _ policy: AgentPolicy, _ choices: [VariantID]) -> Int {
    entries.append(entry)
    if learning?.fits(policy, choices) != true {
      learning = Learning(policy, choices, entries)
    } else {
      learning?.learn(entry)
    }
    return entries.count - 1
  }

  /// Adds to the reward of a decision; does nothing when there is none with that number and variant.
  ///
  /// - Complexity: O(choices) for each decision since.
  mutating func credit(_ value: Double, to variant: VariantID, at number: Int) {
    guard entries.indices.contains(number), entries[number].variant == variant else { return }
    entries[number].reward = (entries[number].reward + value).saturated
    if value != 0 { learning?.revise(from: number, entries) }
  }

  /// Returns the probabilities with which the policy chooses next.
  ///
  /// - Complexity: As ``append(_:_:_:)``.
  func allocation(_ policy: AgentPolicy, _ choices: [VariantID]) -> Allocation {
    if let learning, learning.fits(policy, choices) { return learning.current.allocation }
    return Learning(policy, choices, entries).current.allocation
  }
}

/// The learned state is neither compared nor stored: it is derived from the decisions.
extension LearningHistory: Equatable, Codable {
  private enum CodingKeys: CodingKey { case entries }

  static func == (a: LearningHistory, b: LearningHistory) -> Bool { a.entries == b.entries }
}

/// The state that a policy has learned from decisions, with checkpoints to return to.
private struct Learning: Sendable {
  /// A checkpoint: the state after a number of decisions.
  private struct Mark {
    var count: Int
    var learner: AgentPolicy.Learner
  }

  private let policy: Specification
  private let choices: [VariantID]
  private let places: OrderedMap<VariantID, Int>
  private let start: AgentPolicy.Learner
  /// The checkpoints: dense near the end, where most rewards arrive, and increasingly sparse before.
  private var marks: [Mark] = []
  private var count = 0
  private(set) var current: AgentPolicy.Learner

  /// The number of decisions between checkpoints.
  private static var stride: Int { 16 }

  init(
    _ policy: AgentPolicy, _ choices: [VariantID], _ entries: [LearningHistory.Entry]
  ) {
    self.policy = policy.specification
    self.choices = choices
    places = OrderedMap(choices.enumerated().map { ($1, $0) })
    start = policy.learner(choices: choices.count)
    current = start
    for entry in entries { learn(entry) }
  }

  /// Returns whether this was learned by that policy for these choices.
  func fits(_ policy: AgentPolicy, _ choices: [VariantID]) -> Bool {
    self.policy == policy.specification && self.choices == choices
  }

  /// Learns the next decision. Decisions for a removed choice are skipped.
  mutating func learn(_ entry: LearningHistory.Entry) {
    if let place = places[entry.variant] {
      current.learn(place, propensity: entry.propensity ?? .nan, reward: entry.reward)
    }
    count += 1
    guard count % Self.stride == 0 else { return }
    marks.append(Mark(count: count, learner: current))
    // The more often a count can be halved, the longer its checkpoint is kept: about four of each kind.
    let last = count
    marks.removeAll { last - $0.count > 4 * ($0.count & -$0.count) }
  }

  /// Learns again from a decision on.
  mutating func revise(from number: Int, _ entries: [LearningHistory.Entry]) {
    while let mark = marks.last, mark.count > number { marks.removeLast() }
    (count, current) = marks.last.map { ($0.count, $0.learner) } ?? (0, start)
    for index in count..<entries.count { learn(entries[index]) }
  }
}
