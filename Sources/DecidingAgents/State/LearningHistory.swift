internal import Bandits
internal import DecidingCore
internal import Events

/// The decisions of a slot in their order, and what each has earned so far: what a policy learns from whose
/// probabilities do not follow from counts.
///
/// What was learned is a function of these, as if every reward had come with its decision: a late one is learned
/// where its decision stands, and a decision without one earned 0, as in the counts. It grows with the decisions.
struct LearningHistory: Sendable {
  /// One decision.
  struct Entry: Equatable, Sendable, Codable {
    var variant: VariantID
    /// The probability with which it was drawn; nil when that is not known.
    var propensity: Double?
    /// The sum of its rewards.
    var reward = 0.0
  }

  private(set) var entries: [Entry] = []
  /// What was learned from all of them; nil when that has to be worked out, as after a snapshot.
  private var learning: Learning?

  init() {}

  /// Adds a decision.
  ///
  /// - Returns: Its number.
  /// - Complexity: O(choices); O(decisions · choices) when the policy or the choices are others than last time.
  mutating func append(_ entry: Entry, _ policy: LearnedPolicy, _ choices: [VariantID]) -> Int {
    entries.append(entry)
    if learning?.fits(policy, choices) != true {
      learning = Learning(policy, choices, entries)
    } else {
      learning?.learn(entry)
    }
    return entries.count - 1
  }

  /// Adds to what a decision has earned; does nothing when there is none of that number and variant.
  ///
  /// - Complexity: O(choices) for each decision since.
  mutating func credit(_ value: Double, to variant: VariantID, at number: Int) {
    guard entries.indices.contains(number), entries[number].variant == variant else { return }
    entries[number].reward = (entries[number].reward + value).saturated
    if value != 0 { learning?.revise(from: number, entries) }
  }

  /// With which probability the policy chooses what next.
  ///
  /// - Complexity: As ``append(_:_:_:)``.
  func allocation(_ policy: LearnedPolicy, _ choices: [VariantID]) -> Allocation {
    if let learning, learning.fits(policy, choices) { return learning.current.allocation }
    return Learning(policy, choices, entries).current.allocation
  }
}

/// What is learned apart is no part of what is known: it follows from the decisions.
extension LearningHistory: Equatable, Codable {
  private enum CodingKeys: CodingKey { case entries }

  static func == (a: LearningHistory, b: LearningHistory) -> Bool { a.entries == b.entries }
}

/// A policy that learns from decisions in their order, and how it is written.
struct LearnedPolicy: Sendable {
  let id: PolicyID
  let allocation: LearnedAllocation
}

/// What a policy has learned from decisions, with marks in between to go back to.
private struct Learning: Sendable {
  /// What was known after so many decisions.
  private struct Mark {
    var count: Int
    var learner: AllocationLearner
  }

  private let policy: PolicyID
  private let choices: [VariantID]
  private let places: OrderedMap<VariantID, Int>
  private let start: AllocationLearner
  /// Many near the end, where most rewards belong, and fewer and fewer before.
  private var marks: [Mark] = []
  private var count = 0
  private(set) var current: AllocationLearner

  /// Every so many decisions a mark is set.
  private static var stride: Int { 16 }

  init(
    _ policy: LearnedPolicy, _ choices: [VariantID], _ entries: [LearningHistory.Entry]
  ) {
    self.policy = policy.id
    self.choices = choices
    places = OrderedMap(choices.enumerated().map { ($1, $0) })
    start = policy.allocation.learner(choices: choices.count)
    current = start
    for entry in entries { learn(entry) }
  }

  /// Whether it was learned by that policy for these choices.
  func fits(_ policy: LearnedPolicy, _ choices: [VariantID]) -> Bool {
    self.policy == policy.id && self.choices == choices
  }

  /// Learns the next decision. One of a choice that is no longer there is passed over.
  mutating func learn(_ entry: LearningHistory.Entry) {
    if let place = places[entry.variant] {
      current.learn(place, propensity: entry.propensity ?? .nan, reward: entry.reward)
    }
    count += 1
    guard count % Self.stride == 0 else { return }
    marks.append(Mark(count: count, learner: current))
    // The more often a number can be halved, the longer its mark stays: some four of each kind.
    let last = count
    marks.removeAll { last - $0.count > 4 * ($0.count & -$0.count) }
  }

  /// Learns anew from a decision on.
  mutating func revise(from number: Int, _ entries: [LearningHistory.Entry]) {
    while let mark = marks.last, mark.count > number { marks.removeLast() }
    (count, current) = marks.last.map { ($0.count, $0.learner) } ?? (0, start)
    for index in count..<entries.count { learn(entries[index]) }
  }
}
