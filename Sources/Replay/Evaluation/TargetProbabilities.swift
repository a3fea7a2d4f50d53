internal import EventLog
internal import Events
internal import Statistics

/// The probabilities that a target policy gives the choices of decisions, found once for each place and situation, or for
/// each decision if the policy depends on its logged probabilities or there are too many situations.
struct TargetProbabilities: Sendable {
  /// The choices of a decision with the policy's probabilities.
  struct Choices: Sendable {
    /// The codes of the variants.
    var variants: [UInt32]
    /// The probability of each; empty if the policy does not say.
    var probabilities: [Double]
    /// Whether the choice that was made stands for the policy's probabilities, which are unknown: its probability is 1,
    /// and the weight of the decision too.
    var isRealized = false

    /// Returns the probability of a variant.
    func probability(of variant: UInt32) -> Double {
      guard let index = variants.firstIndex(of: variant), index < probabilities.count else {
        return 0
      }
      return probabilities[index]
    }
  }

  /// The most places and situations whose probabilities are kept.
  private static let limit = 1 << 16

  private let policy: any TargetPolicy
  private let source: EvaluationSource
  /// For each attribute of the policy, its place among those of situations.
  private let attributes: [Int]
  private var known: [UInt64: Int] = [:]
  private var kept: [Choices] = []
  /// For each attribute of variants of the policy, its place among those of situations.
  private let features: [Int]

  init(_ policy: any TargetPolicy, _ source: EvaluationSource) {
    self.policy = policy
    self.source = source
    attributes = policy.contextAttributes.map { source.attributes.firstIndex(ofName: $0) ?? 0 }
    features = policy.variantFeatures.map { source.variantFeatures.firstIndex(ofName: $0) ?? 0 }
  }

  /// Returns the choices of a decision with the policy's probabilities.
  ///
  /// - Parameters:
  ///   - row: The decision.
  ///   - modelled: The reward model's prediction for each choice, for a policy that needs them.
  /// - Returns: The choices; without probabilities if the policy does not say.
  mutating func choices(of row: EvaluationRow, modelled: [Double]) -> Choices {
    if policy.needsLoggedProbabilities || policy.needsModel { return find(row, modelled) }
    let key = UInt64(row.place) << 32 | UInt64(row.situation)
    if let index = known[key] { return kept[index] }
    let choices = find(row, modelled)
    if kept.count < Self.limit {
      known[key] = kept.count
      kept.append(choices)
    }
    return choices
  }

  private func find(_ row: EvaluationRow, _ modelled: [Double]) -> Choices {
    let situations = source.context.situations
    let variants = source.choices(of: row)
    let logged = policy.needsLoggedProbabilities ? logged(row, variants) : nil
    if logged == nil, policy.isLoggingPolicy {
      let probabilities = variants.map { $0 == row.variant ? 1.0 : 0 }
      return Choices(variants: variants, probabilities: probabilities, isRealized: true)
    }
    let place = source.places[Int(row.place)]
    let situation = TargetSituation(
      point: place.point, slot: place.slot, choices: variants.map { source.names[$0] ?? "" },
      attributes: attributes.map {
        situations.values[$0][situations.value($0, of: row.situation)]
      },
      features: features.isEmpty
        ? []
        : variants.map { variant in
          features.map { situations.feature($0, of: variant, in: row.situation) }
        }, modelled: policy.needsModel ? modelled : nil,
      logged: logged)
    return Choices(
      variants: variants, probabilities: policy.probabilities(in: situation) ?? [])
  }

  private func logged(_ row: EvaluationRow, _ variants: [UInt32]) -> [Double]? {
    guard let index = row.probabilities, index != ProbabilityRegister.wrong else { return nil }
    let register = source.context.probabilities
    let list = register.lists[register.list(of: index)]
    let probabilities = register.probabilities(of: index)
    return variants.map { variant in
      zip(list, probabilities).first { $0.0 == variant }?.1 ?? 0
    }
  }
}
