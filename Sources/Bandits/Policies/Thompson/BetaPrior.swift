internal import Specifications

/// A Beta prior.
struct BetaPrior: Sendable {
  static let alpha = Parameter.number(
    "alpha", default: 1, in: 0.001...1e9, "prior successes, {range}")
  static let beta = Parameter.number(
    "beta", default: 1, in: 0.001...1e9, "prior failures, {range}")

  /// Both parameters.
  static let parameters: [any ListedParameter] = [alpha, beta]

  let alpha: Double
  let beta: Double

  init(_ specification: Specification) throws(SpecificationError) {
    alpha = try Self.alpha.value(in: specification)
    beta = try Self.beta.value(in: specification)
  }

  /// Returns the posterior of a variant whose rewards lie in 0 ... 1.
  func posterior(_ arm: ArmTally) -> LogitBeta.Source {
    LogitBeta.Source(a: alpha + arm.sum, b: beta + (Double(arm.decisions) - arm.sum))
  }
}
