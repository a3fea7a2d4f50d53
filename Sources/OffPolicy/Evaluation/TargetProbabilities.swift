internal import EventLog
internal import Events
internal import Replay
internal import Specifications

/// The probabilities that a target policy gives the choices of decisions, found once for each place and situation, or
/// for each decision if the policy depends on its logged probabilities or there are too many situations.
struct TargetProbabilities: Sendable {
  /// The choices of a decision with the policy's probabilities.
  struct Choices: Sendable {
    /// The codes of the variants.
    var variants: [UInt32]
    /// The probability of each; empty if the policy does not say, or the choice that was made stands for them.
    var probabilities: [Double]
    /// Whether the choice that was made stands for the policy's probabilities, which are unknown: its probability is 1,
    /// and the weight of the decision too.
    var isRealized = false
    /// Whether the situation has what the policy never saw when it was learned.
    var isUnseen = false
    /// The number of these choices among those that are kept; nil for others.
    var number: Int?

    /// Whether the policy says what it would choose.
    var isKnown: Bool { isRealized || !probabilities.isEmpty }

    /// Returns the probability of the chosen variant, at a place among the choices; 0 if it is none of them.
    func probability(ofChosen place: Int?) -> Double {
      guard let place else { return 0 }
      if isRealized { return 1 }
      return place < probabilities.count ? probabilities[place] : 0
    }
  }

  /// The key on which probabilities depend.
  private struct Key: Hashable {
    var place: UInt32
    /// The situation, or only the list of choices for a policy that reads no attributes.
    var situation: UInt64
    /// The reward model that the policy asks; 0 if it asks none.
    var model: Int
  }

  /// The most places and situations whose probabilities are kept, and the most probabilities: 64 MB.
  private static let (limit, mostNumbers) = (1 << 16, 1 << 23)

  private let policy: any TargetPolicy
  private let source: EvaluationSource
  /// Whether the log has none of the variants that the policy names.
  private let isAbsent: Bool
  /// For each attribute of the policy, its place among those of situations.
  private let attributes: [Int]
  private var known: [Key: Int] = [:]
  private var kept: [Choices] = []
  private var keptNumbers = 0
  /// For each attribute of variants of the policy, its place among those of situations.
  private let features: [Int]

  init(_ policy: any TargetPolicy, _ source: EvaluationSource) {
    self.policy = policy
    self.source = source
    isAbsent = source.isAbsent(policy)
    attributes = policy.contextAttributes.map { source.attributes.firstIndex(ofName: $0) ?? 0 }
    features = policy.variantFeatures.map { source.variantFeatures.firstIndex(ofName: $0) ?? 0 }
  }

  /// Returns the choices of a decision with the policy's probabilities.
  ///
  /// - Parameters:
  ///   - row: The decision.
  ///   - modelled: The reward model's prediction for each choice, for a policy that needs them.
  ///   - model: The number of the model.
  /// - Returns: The choices; without probabilities if the policy does not say.
  mutating func choices(of row: CreditedDecision, modelled: [Double], model: Int) -> Choices {
    if policy.needsLoggedProbabilities { return find(row, modelled) }
    let isBlind = attributes.isEmpty && features.isEmpty && !policy.needsModel
    let key = Key(
      place: row.place, situation: isBlind ? source.list(of: row) : UInt64(row.situation),
      model: policy.needsModel ? model : 0)
    if let index = known[key] { return kept[index] }
    var choices = find(row, modelled)
    if kept.count < Self.limit, keptNumbers + choices.variants.count <= Self.mostNumbers {
      known[key] = kept.count
      choices.number = kept.count
      kept.append(choices)
      keptNumbers += choices.variants.count
    }
    return choices
  }

  private func find(_ row: CreditedDecision, _ modelled: [Double]) -> Choices {
    let situations = source.context.situations
    let variants = source.choices(of: row)
    if isAbsent { return Choices(variants: variants, probabilities: []) }
    let logged = policy.needsLoggedProbabilities ? logged(row, variants) : nil
    if logged == nil, policy.isLoggingPolicy {
      return Choices(variants: variants, probabilities: [], isRealized: true)
    }
    let place = source.places[Int(row.place)]
    let situation = TargetSituation(
      point: place.point, slot: place.slot, choices: variants.map { source.names[$0] ?? "" },
      attributes: attributes.map {
        situations.values(of: $0)[situations.value($0, of: row.situation)]
      },
      features: features.isEmpty
        ? []
        : variants.map { variant in
          features.map { situations.feature($0, of: variant, in: row.situation) }
        }, modelled: policy.needsModel ? modelled : nil,
      logged: logged)
    return Choices(
      variants: variants, probabilities: policy.probabilities(in: situation) ?? [],
      isUnseen: policy.isUnseen(situation))
  }

  private func logged(_ row: CreditedDecision, _ variants: [UInt32]) -> [Double]? {
    guard let index = row.probabilities, index != ProbabilityRegister.wrong else { return nil }
    let register = source.context.probabilities
    let list = register.lists[register.list(of: index)]
    let probabilities = register.probabilities(of: index)
    if list == variants { return Array(probabilities) }
    let known = Dictionary(zip(list, probabilities), uniquingKeysWith: { first, _ in first })
    return variants.map { known[$0] ?? 0 }
  }
}
