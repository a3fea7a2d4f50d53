public import Specifications
internal import Statistics

/// How much of the decisions behind an estimate has weight, and how much of the estimate rests on a reward model or is
/// lost by cut weights: what tells whether a standard error is one.
public struct EstimateEvidence: StateFields, Equatable {
  /// The units with a weight above zero.
  public private(set) var weighted = 0
  /// The units with a reward other than zero that has weight.
  public private(set) var earning = 0
  /// Whether all rewards with weight are 0 or 1.
  public private(set) var isBinary = true
  /// Whether the target policy is sure of its choice in all decisions with weight.
  private var isSure = true
  /// The least and the greatest weight above zero.
  private var (leastWeight, greatestWeight) = (Double.infinity, 0.0)
  /// The number of decisions, which the sum of the weights is near if the log covers the policy.
  private var decisions = 0
  private var weight = ExactSum()
  /// For each of the candidates, the sum of the weights that it uses.
  private var used: [ExactSum] = []
  /// For each of the candidates without a model, the sum of the weighted rewards that are lost by its weights.
  private var lost: [ExactSum] = []

  init() {}

  /// Adds a number of units with the same decisions, seen by the candidates of an estimator.
  mutating func add(
    unit: Span<LoggedDecision>, _ candidates: [any OffPolicyEstimator], times: Int = 1
  ) {
    guard times > 0 else { return }
    decisions += unit.count * times
    var (hasWeight, earns) = (false, false)
    for index in unit.indices where unit[index].weight > 0 {
      let reward = unit[index].reward
      hasWeight = true
      if unit[index].isDrawn { isSure = false }
      leastWeight = min(leastWeight, unit[index].weight)
      greatestWeight = max(greatestWeight, unit[index].weight)
      if reward != 0 { earns = true }
      if reward != 0, reward != 1 { isBinary = false }
      if !candidates.isEmpty { use(unit[index], candidates, times) }
    }
    if hasWeight { weighted += times }
    if earns { earning += times }
  }

  private mutating func use(
    _ decision: LoggedDecision, _ candidates: [any OffPolicyEstimator], _ times: Int
  ) {
    if used.isEmpty { (used, lost) = (candidates.map { _ in ExactSum() }, candidates.map { _ in ExactSum() }) }
    weight.add(decision.weight, times: times)
    for (index, candidate) in candidates.enumerated() {
      let own = candidate.weight(of: decision)
      used[index].add(own, times: times)
      guard candidate.rewardModel == .none else { continue }
      lost[index].add(product: decision.weight - own, decision.reward, times: times)
    }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&weighted, other.weighted)
    visit(&earning, other.earning)
    visit.all(&isBinary, other.isBinary)
    visit.all(&isSure, other.isSure)
    visit.least(&leastWeight, other.leastWeight)
    visit.greatest(&greatestWeight, other.greatestWeight)
    visit(&decisions, other.decisions)
    visit(&weight, other.weight)
    visit.list(&used, other.used, ExactSum())
    visit.list(&lost, other.lost, ExactSum())
  }

  /// Why there is no value, where there is none.
  var missingValue: MissingError { earning > 0 ? .notFinite : .noValue }

  /// Returns why a mean of the decisions with weight, all alike, is not the value of the policy, or has no standard
  /// error; nil if it is one and for estimators that weigh.
  func matchError(_ estimator: any OffPolicyEstimator) -> MissingError? {
    guard estimator.countsMatches else { return nil }
    if !isSure { return .drawnChoices }
    return greatestWeight > leastWeight * Self.weightTolerance ? .unequalPropensities : nil
  }

  /// How far weights may differ by the rounding of logged propensities.
  private static let weightTolerance = 1 + 1e-6

  /// Returns the error that an estimate of a candidate lacks: that of the model, unless rewards correct it with most of
  /// the weight, and the weight is not far from what it is expected to be, the number of decisions; or that of cut
  /// weights, unless most is left of them.
  func weightError(_ candidate: Int, hasModel: Bool) -> MissingError? {
    let expected = hasModel ? Double(decisions) / 2 : 0
    guard candidate < used.count, decisions > 0 else { return hasModel ? .model(correctedShare: 0) : nil }
    let part = used[candidate].value / max(weight.value, expected)
    guard part < Self.leastUsed else { return nil }
    return hasModel ? .model(correctedShare: usedShare(candidate)) : .cutWeights(leftShare: part)
  }

  /// The least part of the weight with which rewards must correct a model, and that must be left of cut weights: the
  /// standard error, which has neither the error of the model nor that of the cut, lacks about the other part.
  private static let leastUsed = 0.8

  /// Returns how much the cut weights of a candidate without a model take from the mean of weight times reward.
  func lostMean(_ candidate: Int) -> Double {
    candidate < lost.count && decisions > 0 ? lost[candidate].value / Double(decisions) : 0
  }

  /// Returns the error that an estimate lacks by a loss that is beyond a tenth of its standard error: below that an
  /// interval holds the value about as often as it says (W. G. Cochran, "Sampling Techniques", 1977, section 1.7).
  func cutError(_ candidate: Int, lost: Double, spread: Double) -> MissingError? {
    guard abs(lost) > spread / 10 else { return nil }
    return .cutWeights(leftShare: candidate < used.count ? used[candidate].value / weight.value : 0)
  }

  /// Returns the part of the policy's choices whose rewards correct the model: the mean weight by which a candidate
  /// does, at most 1.
  private func usedShare(_ candidate: Int) -> Double {
    min(1, used[candidate].value / Double(decisions))
  }
}
/// Why an estimate has no standard error, and no interval that rests on one.
public enum MissingError: Sendable, Hashable {
  /// The decisions do not determine the value.
  case noValue
  /// There are fewer than two units.
  case fewUnits
  /// The estimate rests on the reward model, whose own error is not known: rewards correct it for too small a share of
  /// what the policy would choose.
  case model(correctedShare: Double)
  /// The estimate is of weights that are cut or shrunk, of which a share is left: it is the value of something else.
  case cutWeights(leftShare: Double)
  /// The estimate takes decisions with weight all alike, and the policy draws its choices: there is no value.
  case drawnChoices
  /// The estimate takes decisions with weight all alike, and the log has different propensities of them.
  case unequalPropensities
  /// No reward other than zero has weight.
  case noReward
  /// A single unit has weight.
  case singleUnit
  /// The units do not differ.
  case noVariance
  /// A sum is beyond the range of numbers.
  case notFinite
}

extension OffPolicyEstimator {
  /// The estimators one of which the estimate is of, if they rest on a reward model or cut weights; none otherwise.
  var weighingCandidates: [any OffPolicyEstimator] {
    if let choosing = self as? any ChoosingEstimator { return choosing.candidates }
    return rewardModel != .none || self is any TunableEstimator ? [self] : []
  }
}
