internal import Replay
internal import Specifications
internal import Statistics

/// Computes the importance weights of decisions, of each ``WeightKind``; private to one thread.
///
/// - `balanced` replaces the propensity by the share of the chosen variant among the decisions in the same kind of
///   situation: the same place, choices and values of the attributes that the target policies read.
/// - `mixture` replaces it by the mean of all logging policies' probabilities of the variant, by their numbers of
///   decisions in the same kind of situation. The decision's own logging policy counts with the logged propensity. The
///   log does not have the probabilities of the others: they are estimated as the mean of the probabilities that the
///   policy logged for the variant there, or, if it logged none, as the share of its decisions that chose it. That is
///   exact if a logging policy's probabilities depend on nothing else.
/// - `marginal` compares the probabilities of the chosen variant's group: of the logging policy the sum of those that
///   were logged for its members, or else their share among the decisions in the same kind of situation. For a group
///   without another choice it is the logged weight.
struct DecisionWeights: Sendable {
  private var table: ShareTable
  private let source: EvaluationSource
  /// By code of the variant, the number of its group.
  private let groups: [UInt32: Int]

  /// The choices of a group, with the probability that a policy gives them.
  struct Members: Sendable {
    var target = 0.0
    var count = 0
  }

  /// By the number of a policy's kept choices the members of the groups, so that many choices are visited once.
  typealias KnownMembers = [Int: [Int: Members]]

  /// By place and situation, the shares of the groups.
  private var knownShares: [UInt64: [Int: Double]] = [:]

  /// Creates weights.
  ///
  /// - Parameters:
  ///   - table: The decisions in each kind of situation.
  ///   - groups: The groups of variants.
  ///   - source: The log.
  init(_ table: ShareTable, _ groups: VariantGroups, _ source: EvaluationSource) {
    self.table = table
    self.source = source
    let names = Set(groups.groups.values).sorted()
    let numbers = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    self.groups = source.names.compactMapValues {
      groups.groups[NameKey($0)].flatMap { numbers[$0] }
    }
  }

  /// Returns the weight of a decision; NaN if it has none.
  ///
  /// - Parameters:
  ///   - kind: The kind of the weight.
  ///   - row: The decision.
  ///   - choices: The target policy's probabilities.
  ///   - chosen: The place of the chosen variant among the choices; nil if it is none of them.
  ///   - known: The members of groups that are known of the policy.
  /// - Returns: The weight.
  mutating func weight(
    _ kind: WeightKind, _ row: CreditedDecision, _ choices: TargetProbabilities.Choices,
    _ chosen: Int?, _ known: inout KnownMembers
  ) -> Double {
    let target = choices.probability(ofChosen: chosen)
    switch kind {
    case .logged: return target / row.propensity
    case .balanced: return target / shares(row).share(of: row.variant)
    case .mixture: return target / shares(row).mixture(row)
    case .marginal: return marginal(row, choices, &known) ?? target / row.propensity
    }
  }

  private mutating func shares(_ row: CreditedDecision) -> ChoiceShares {
    table.shares(row, source.context.situations)
  }

  /// Returns the weight of the group of the chosen variant; nil if it has no other choice.
  private mutating func marginal(
    _ row: CreditedDecision, _ choices: TargetProbabilities.Choices, _ known: inout KnownMembers
  ) -> Double? {
    guard let group = groups[row.variant], let own = members(choices, &known)[group], own.count > 1
    else { return nil }
    if let logged = source.probabilities(of: row) {
      return own.target / logged.sum { groups[$0] == group }
    }
    return own.target / (groupShares(row, choices)[group] ?? 0)
  }

  /// Returns by group the policy's probability and the number of choices.
  private func members(
    _ choices: TargetProbabilities.Choices, _ known: inout KnownMembers
  ) -> [Int: Members] {
    if let number = choices.number, let known = known[number] { return known }
    var members: [Int: Members] = [:]
    for (variant, probability) in zip(choices.variants, choices.probabilities) {
      guard let group = groups[variant] else { continue }
      members[group, default: Members()].target += probability
      members[group, default: Members()].count += 1
    }
    if let number = choices.number { known[number] = members }
    return members
  }

  /// Returns by group the share of its choices among the decisions in the same kind of situation.
  private mutating func groupShares(
    _ row: CreditedDecision, _ choices: TargetProbabilities.Choices
  ) -> [Int: Double] {
    let key = UInt64(row.place) << 32 | UInt64(row.situation)
    if let known = knownShares[key] { return known }
    let shares = shares(row)
    var sums: [Int: Double] = [:]
    for variant in choices.variants {
      if let group = groups[variant] { sums[group, default: 0] += shares.share(of: variant) }
    }
    if knownShares.count < 1 << 14 { knownShares[key] = sums }
    return sums
  }
}
