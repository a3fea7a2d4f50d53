public import Specifications

/// `logged`: the logging policy itself, by the probabilities in the log. A decision without any counts with weight 1,
/// so that the value is the mean reward.
public struct LoggedTarget: TargetPolicy, Parameterless {
  public static let info = SpecificationInfo(
    "logged", "the logging policy, by the probabilities that the log gives the choices",
    source: "by definition")

  /// Creates the policy.
  public init() {}

  public var needsLoggedProbabilities: Bool { true }

  public var isLoggingPolicy: Bool { true }

  public func probabilities(in situation: TargetSituation) -> [Double]? { situation.logged }
}
