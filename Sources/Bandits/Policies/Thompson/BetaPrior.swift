internal import Statistics

/// The parameters of a Beta distribution before the first decision.
struct BetaPrior: Sendable {
  /// How they are written.
  static let parameters = [
    Guide.Parameter("alpha", "1", "successes assumed beforehand, 0.001 to 1e9"),
    Guide.Parameter("beta", "1", "failures assumed beforehand, 0.001 to 1e9"),
  ]

  let alpha: Double
  let beta: Double

  init(_ specification: Specification) throws(SpecificationError) {
    alpha = try specification.number("alpha", default: 1, in: 0.001...1e9)
    beta = try specification.number("beta", default: 1, in: 0.001...1e9)
  }

  /// The posterior of a variant whose rewards lie in 0 ... 1.
  func posterior(_ arm: ArmTally) -> LogitBeta.Source {
    LogitBeta.Source(a: alpha + arm.sum, b: beta + (Double(arm.decisions) - arm.sum))
  }
}
