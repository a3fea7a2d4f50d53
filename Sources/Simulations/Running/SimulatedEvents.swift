public import Bandits
public import Events
internal import Specifications
internal import Statistics

/// A run of a simulation as events: a decision of a new unit for each step, and a goal for each reward that the
/// policy observed.
///
/// Step n is at n seconds after the beginning of 2026; a reward is dated a microsecond before the step before which
/// it was observed, so that replay learns in the same order as the policy did.
public struct SimulatedEvents: Sendable {
  /// The experiment of the decisions.
  public static let experiment = ExperimentID("simulation")
  /// The goal whose values are the rewards.
  public static let goal = GoalID("reward")

  private static let start: Int64 = 1_767_225_600_000_000
  private let variants: [VariantID]
  private let policy: PolicyID

  /// Creates the converter of a simulation of a policy in an environment.
  public init(_ simulation: Simulation) {
    variants = simulation.environment.variantNames.map { VariantID($0) }
    policy = PolicyID(simulation.policy.specification.description)
  }

  /// Converts a simulated step or reward to an event of a log.
  public func event(_ recorded: RecordedEvent) -> Event {
    switch recorded {
    case .decision(let step, let choice, let probabilities, let context):
      Event(
        time: time(step), unit: unit(step),
        payload: .decision(decision(choice, probabilities, context)))
    case .reward(let step, let reward, let before):
      Event(
        time: Timestamp(microseconds: time(before).microseconds - 1), unit: unit(step),
        payload: .goal(Goal(experiment: Self.experiment, goal: Self.goal, value: reward)))
    }
  }

  private func decision(
    _ choice: Choice, _ probabilities: [Double]?, _ context: Context
  ) -> Decision {
    Decision(
      experiment: Self.experiment, variant: variants[choice.variant], choices: variants,
      propensity: choice.propensity.isNaN ? nil : choice.propensity, probabilities: probabilities,
      policy: policy, reason: "simulated", context: attributes(context.shared[...]),
      features: features(context))
  }

  private func attributes(_ numbers: ArraySlice<Double>) -> Attributes? {
    guard !numbers.isEmpty else { return nil }
    var attributes = Attributes()
    for (index, number) in numbers.enumerated() { attributes["x\(index + 1)"] = .number(number) }
    return attributes
  }

  private func features(_ context: Context) -> Features? {
    guard !context.variants.isEmpty else { return nil }
    let width = context.variants.count / variants.count
    var features = Features()
    for (index, variant) in variants.enumerated() {
      features[variant] = attributes(context.variants[index * width..<(index + 1) * width])
    }
    return features
  }

  private func time(_ step: Int) -> Timestamp {
    Timestamp(microseconds: Self.start + Int64(step) * 1_000_000)
  }

  private func unit(_ step: Int) -> UnitID { UnitID("step-\(step)") }
}
