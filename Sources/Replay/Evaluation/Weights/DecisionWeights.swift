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
  /// - Returns: The weight.
  mutating func weight(
    _ kind: WeightKind, _ row: EvaluationRow, _ choices: TargetProbabilities.Choices
  ) -> Double {
    let target = choices.probability(of: row.variant)
    switch kind {
    case .logged: return target / row.propensity
    case .balanced: return target / shares(row).share(of: row.variant)
    case .mixture: return target / shares(row).mixture(row)
    case .marginal: return marginal(row, choices) ?? target / row.propensity
    }
  }

  private mutating func shares(_ row: EvaluationRow) -> ChoiceShares {
    table.shares(row, source.context.situations)
  }

  /// Returns the weight of the group of the chosen variant; nil if it has no other choice.
  private mutating func marginal(
    _ row: EvaluationRow, _ choices: TargetProbabilities.Choices
  ) -> Double? {
    guard let group = groups[row.variant] else { return nil }
    let groups = groups
    var (target, members) = (0.0, 0)
    for (variant, probability) in zip(choices.variants, choices.probabilities)
    where groups[variant] == group {
      target += probability
      members += 1
    }
    guard members > 1 else { return nil }
    if let logged = source.probabilities(of: row) {
      return target / logged.sum { groups[$0] == group }
    }
    let shares = shares(row)
    return target
      / choices.variants.reduce(0) {
        $0 + (groups[$1] == group ? shares.share(of: $1) : 0)
      }
  }
}
