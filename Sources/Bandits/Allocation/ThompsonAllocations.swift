internal import Statistics

/// `thompson:alpha=1,beta=1`: the probability that a choice has the highest mean, under independent Beta posteriors.
///
/// The posterior of a choice with n decisions and rewards in 0 ... 1 that add up to s is Beta(α + s, β + n − s):
/// E. Kaufmann, N. Korda and R. Munos, "Thompson sampling: an asymptotically optimal finite-time analysis" (ALT
/// 2012), for rewards that are 0 or 1. Rewards between them count as parts of a success, without the extra coin toss
/// of Agrawal and Goyal (2012), so that the same tallies always give the same probabilities.
/// Rewards outside 0 ... 1 are refused. The integral: ``BestChances``.
struct ThompsonAllocation: AllocationPolicy {
  let specification: Specification
  let prior: BetaPrior

  init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    prior = try BetaPrior(specification)
  }

  func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.unitFlaw { return .equal(arms.count, refusal: flaw) }
    return .best(arms.map(prior.posterior), before: { ($0.a, $0.b) < ($1.a, $1.b) }, LogitBeta.init)
  }
}

/// `thompson-gaussian:sigma=1,mean=0,deviation=1`: the probability that a choice has the highest mean, under
/// independent normal posteriors, for rewards of any size.
///
/// Rewards are taken to be normal around the mean with standard deviation `sigma`, the means before the first reward
/// with standard deviation `deviation` around `mean`. With the defaults that is algorithm 2 of S. Agrawal and
/// N. Goyal, "Further optimal regret bounds for Thompson sampling" (AISTATS 2013).
struct GaussianThompsonAllocation: AllocationPolicy {
  let specification: Specification
  let sigma: Double
  let mean: Double
  let deviation: Double

  init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    sigma = try specification.number("sigma", default: 1, in: 1e-9...1e9)
    mean = try specification.number("mean", default: 0, in: -1e12...1e12)
    deviation = try specification.number("deviation", default: 1, in: 1e-9...1e9)
  }

  func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    var posteriors = arms.map(posterior)
    // Seen from the best, the places of those that matter are small and lose nothing to rounding.
    let best = posteriors.reduce(-Double.infinity) { max($0, $1.mean) }
    for index in posteriors.indices { posteriors[index].mean -= best }
    return .best(
      posteriors, before: { ($0.mean, $0.deviation) < ($1.mean, $1.deviation) }, NormalCurve.init)
  }

  /// The posterior mean (r·mean + s)/(r + n) with r = (sigma/deviation)², and its standard deviation.
  private func posterior(_ arm: ArmTally) -> NormalCurve.Source {
    let ratio = sigma / deviation * (sigma / deviation)
    let weight = ratio + Double(arm.decisions)
    return NormalCurve.Source(
      mean: ratio / weight * mean + arm.sum / weight, deviation: sigma / weight.squareRoot())
  }
}

/// The parameters of a Beta distribution before the first decision.
struct BetaPrior: Sendable {
  let alpha: Double
  let beta: Double

  init(_ specification: Specification) throws(SpecificationError) {
    alpha = try specification.number("alpha", default: 1, in: 0.001...1e9)
    beta = try specification.number("beta", default: 1, in: 0.001...1e9)
  }

  /// The posterior of a choice whose rewards lie in 0 ... 1.
  func posterior(_ arm: ArmTally) -> LogitBeta.Source {
    LogitBeta.Source(a: alpha + arm.sum, b: beta + (Double(arm.decisions) - arm.sum))
  }
}

extension Allocation {
  /// The probabilities that each of some independent posteriors gives the highest number.
  static func best<Curve: PosteriorCurve>(
    _ sources: [Curve.Source], before: (Curve.Source, Curve.Source) -> Bool,
    _ curve: (Curve.Source) -> Curve
  ) -> Allocation {
    guard sources.count > 1 else { return .equal(sources.count) }
    var counts: [Curve.Source: Int] = [:]
    for source in sources { counts[source, default: 0] += 1 }
    let different = counts.keys.sorted(by: before)
    guard different.count > 1 else { return .equal(sources.count) }
    let chances = BestChances(different.map(curve), copies: different.map { counts[$0] ?? 1 })
    let places = Dictionary(uniqueKeysWithValues: zip(different, chances.chances))
    return Allocation(probabilities: sources.map { places[$0] ?? 0 }, error: chances.error)
  }
}
