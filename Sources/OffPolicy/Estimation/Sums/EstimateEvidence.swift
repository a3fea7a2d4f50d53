public import Specifications
internal import Statistics

/// How much of the decisions behind an estimate has weight, and how much of the estimate rests on a reward model: what
/// tells whether a standard error is one.
public struct EstimateEvidence: StateFields, Equatable {
  /// The units with a weight above zero.
  public private(set) var weighted = 0
  /// The units with a reward other than zero that has weight.
  public private(set) var earning = 0
  /// Whether all rewards with weight are 0 or 1.
  public private(set) var isBinary = true
  /// The number of decisions, which the sum of the weights is near if the log covers the policy.
  private var decisions = 0
  private var weight = ExactSum()
  /// For each of the candidates, the sum of the weights by which it corrects the model.
  private var corrected: [ExactSum] = []

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
      if reward != 0 { earns = true }
      if reward != 0, reward != 1 { isBinary = false }
      if !candidates.isEmpty { correct(unit[index], candidates, times) }
    }
    if hasWeight { weighted += times }
    if earns { earning += times }
  }

  private mutating func correct(
    _ decision: LoggedDecision, _ candidates: [any OffPolicyEstimator], _ times: Int
  ) {
    if corrected.isEmpty { corrected = candidates.map { _ in ExactSum() } }
    weight.add(decision.weight, times: times)
    for (index, candidate) in candidates.enumerated() {
      corrected[index].add(candidate.weight(of: decision), times: times)
    }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&weighted, other.weighted)
    visit(&earning, other.earning)
    visit.all(&isBinary, other.isBinary)
    visit(&decisions, other.decisions)
    visit(&weight, other.weight)
    visit.list(&corrected, other.corrected, ExactSum())
  }

  /// Why there is no value, where there is none.
  var missingValue: MissingError { earning > 0 ? .notFinite : .noValue }

  /// Returns the error that an estimate of a candidate lacks: that of the model, unless rewards correct it with most of
  /// the weight, and the weight is not far from what it is expected to be, the number of decisions.
  func modelError(_ candidate: Int) -> MissingError? {
    let (share, expected) = (correctedShare(candidate), Double(decisions) / 2)
    guard candidate < corrected.count, decisions > 0 else { return .model(correctedShare: 0) }
    let part = corrected[candidate].value / max(weight.value, expected)
    return part < Self.leastCorrected ? .model(correctedShare: share) : nil
  }

  /// The least part of the weight with which rewards must correct a model: the standard error, which does not have the
  /// error of the model, lacks about the other part.
  private static let leastCorrected = 0.8

  /// Returns the part of the policy's choices whose rewards correct the model: the mean weight by which a candidate
  /// does, at most 1.
  func correctedShare(_ candidate: Int) -> Double {
    guard candidate < corrected.count, decisions > 0 else { return 0 }
    return min(1, corrected[candidate].value / Double(decisions))
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
  /// The estimators one of which the estimate is of, if they rest on a reward model; none otherwise.
  var modelCandidates: [any OffPolicyEstimator] {
    guard rewardModel != .none else { return [] }
    return (self as? any ChoosingEstimator)?.candidates ?? [self]
  }
}
