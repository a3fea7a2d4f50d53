public import Specifications

/// A Beta prior.
public struct BetaPrior: ParameterGroup {
  /// The number of prior successes.
  public var alpha = 1.0
  /// The number of prior failures.
  public var beta = 1.0

  /// Creates the uniform prior.
  public init() {}

  public static var parameters: [Field] {
    Field.number("alpha", \.alpha, in: 0.001...1e9, "prior successes, {range}")
    Field.number("beta", \.beta, in: 0.001...1e9, "prior failures, {range}")
  }

  /// Returns the posterior of a variant whose rewards lie in 0 ... 1.
  func posterior(_ arm: ArmTally) -> LogitBeta.Source {
    LogitBeta.Source(a: alpha + arm.sum, b: beta + (Double(arm.decisions) - arm.sum))
  }
}
