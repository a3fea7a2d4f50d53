internal import Bandits
internal import DecidingCore
internal import Events

/// The values that a trigger needs of an experiment, computed once. Immutable, and a class so that triggers
/// share it without copying.
final class ExperimentPlan: Sendable {
  /// The experiment as configured.
  let experiment: Experiment
  /// Whether its site is enabled.
  let isEnabled: Bool
  /// The behavior without consent; targeted delivery is not affected.
  let consent: ConfigurationParts.Consent
  /// The variations in order of id, the reference first.
  let variations: [ExperimentVariation]
  /// The ids of the variations.
  let choices: [VariationID]
  /// The current shares of traffic.
  let deviations: [Double]
  /// The text hashed after the user id: the experiment's id and the respool times, ascending.
  let salt: String
  /// The share of traffic that is not allocated, which is the propensity of not being assigned.
  let rest: Double
  /// The indices of the variations with traffic, which a policy divides among them.
  let arms: [Int]
  /// The policy that reallocates traffic; nil when there is none.
  let policy: (any AllocationPolicy)?
  /// Whether there is such a policy.
  let isMoving: Bool
  /// The policy name recorded with decisions.
  let policyID: PolicyID
  /// The reason recorded for variations picked by the hash.
  let reason: Reason

  /// The tolerance by which deviations can add up to more than 1.
  static let slack = 1e-9

  /// Validates an experiment and computes its plan.
  init(
    _ experiment: Experiment, isEnabled: Bool, consent: ConfigurationParts.Consent, at path: String
  ) throws(ExperimentError) {
    try Self.check(experiment, at: path)
    self.experiment = experiment
    self.isEnabled = isEnabled
    self.consent = experiment.kind == .personalization ? .none : consent
    let variations = experiment.variations.sorted { VariantID.isOrdered($0.id, $1.id) }
    self.variations = variations
    choices = variations.map(\.id)
    deviations = variations.map(\.deviation)
    salt =
      experiment.id.rawValue
      + variations.compactMap(\.respool).sorted().map { String($0) }.joined()
    rest = max(0, 1 - deviations.reduce(0, +))
    let arms = variations.indices.filter { variations[$0].deviation > 0 }
    self.arms = arms
    let names = arms.map { variations[$0].id.rawValue }
    let policy = try Self.policy(of: experiment, among: names, at: path)
    self.policy = policy
    isMoving = policy != nil
    policyID = "weights"
    reason = .hash
  }

  /// Creates a copy of a plan with other shares.
  private init(_ plan: ExperimentPlan, deviations: [Double], rest: Double) {
    (experiment, isEnabled, consent, salt) =
      (plan.experiment, plan.isEnabled, plan.consent, plan.salt)
    (variations, choices, arms, policy) = (plan.variations, plan.choices, plan.arms, plan.policy)
    isMoving = plan.isMoving
    self.deviations = deviations
    self.rest = rest
    policyID = PolicyID(plan.experiment.policy ?? "weights")
    reason = .adaptive
  }

  private static func policy(
    of experiment: Experiment, among variants: [String], at path: String
  ) throws(ExperimentError) -> (any AllocationPolicy)? {
    guard let text = experiment.policy else { return nil }
    guard experiment.goal != nil else {
      throw .invalidConfiguration(
        path: path + ".goal", reason: "is missing; name the goal that the policy learns from")
    }
    do {
      return try AllocationPolicies.named(text, variants: variants)
    } catch {
      throw .invalidConfiguration(path: path + ".policy", reason: "is refused: \(error)")
    }
  }

  private static func check(_ experiment: Experiment, at path: String) throws(ExperimentError) {
    var ids: Set<VariationID> = []
    var sum = 0.0
    for (index, variation) in experiment.variations.enumerated() {
      let path = "\(path).variations[\(index)]"
      guard variation.deviation.isFinite, variation.deviation >= 0 else {
        throw .invalidConfiguration(
          path: path + ".deviation",
          reason: "is \(variation.deviation); give a share of the traffic in 0 ... 1")
      }
      guard ids.insert(variation.id.normalized).inserted else {
        throw .invalidConfiguration(
          path: path + ".id", reason: "is \"\(variation.id)\" for the second time; ids are unique")
      }
      sum += variation.deviation
    }
    guard sum <= 1 + slack else {
      throw .invalidConfiguration(
        path: path + ".variations",
        reason: "have deviations that add up to \(sum), which is more than 1")
    }
  }

  /// Returns the hash position of the user, in [0, 1).
  func place(of userID: String) -> Double { UnitHash(userID, salt).fraction }

  /// Returns the index of the variation at a hash position; nil when the position is not allocated.
  func index(at place: Double) -> Int? { Shares.pick(place, from: deviations) }

  /// Returns the index of a variation among the choices.
  ///
  /// - Complexity: O(number of variations), which is small.
  func index(of variation: VariationID) -> Int? { choices.firstIndex(of: variation) }

  /// Returns the plan with other shares; nil when they do not fit.
  func moved(to shares: [VariationID: Double]) -> ExperimentPlan? {
    guard shares.count == choices.count else { return nil }
    var deviations: [Double] = []
    for id in choices {
      guard let share = shares[id], share.isFinite, share >= 0 else { return nil }
      deviations.append(share)
    }
    let sum = deviations.reduce(0, +)
    guard sum <= 1 + Self.slack else { return nil }
    return ExperimentPlan(self, deviations: deviations, rest: max(0, 1 - sum))
  }
}
