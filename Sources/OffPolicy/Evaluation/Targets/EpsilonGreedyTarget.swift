public import Specifications

/// `epsilon-greedy:epsilon=0.1`: with probability epsilon uniform over the choices, otherwise the choice with the
/// greatest prediction of the reward model; equal ones share.
///
/// With folds of units, each unit is decided on by the model that has not seen it.
public struct EpsilonGreedyTarget: TargetPolicy {
  public static let info = SpecificationInfo(
    "epsilon-greedy",
    "the greatest prediction of the reward model, uniform with probability epsilon",
    source: "Sutton & Barto, Reinforcement Learning 2018, section 2.2",
    example: "epsilon-greedy:epsilon=0.1")

  /// The probability of exploring.
  public var epsilon = 0.1
  public var specification = Self.info.specification()

  /// Creates the policy with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number("epsilon", \.epsilon, in: 0...1, "probability of exploring, {range}")
  }

  public var needsModel: Bool { true }

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    guard let predictions = situation.modelled, let greatest = predictions.max() else { return nil }
    let best = Double(predictions.count { $0 == greatest })
    let count = Double(predictions.count)
    return predictions.map { epsilon / count + ($0 == greatest ? (1 - epsilon) / best : 0) }
  }
}
