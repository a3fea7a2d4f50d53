internal import RealModule

/// The bound below which the regret of no consistent policy stays.
///
/// T. L. Lai and H. Robbins, "Asymptotically efficient adaptive allocation rules" (Advances in Applied Mathematics 6,
/// 1985), theorem 1: the regret after t decisions is at least C·ln t, but for a part that vanishes, with C = Σ Δ/kl over the
/// variants below the best.
public struct LaiRobbins: Sendable, Hashable {
  /// C.
  public let constant: Double

  /// The bound for some variants; nil where a divergence between them has no closed form.
  public init?(_ arms: [RewardDistribution]) {
    guard let best = arms.max(by: { $0.mean < $1.mean }) else { return nil }
    var sum = 0.0
    for arm in arms where arm.mean < best.mean {
      guard let divergence = arm.divergence(from: best) else { return nil }
      sum += (best.mean - arm.mean) / divergence
    }
    constant = sum
  }

  /// C·ln t; nil where that is 0, which says nothing.
  public func regret(after step: Int) -> Double? {
    let bound = constant * Double.log(Double(step))
    return bound > 0 ? bound : nil
  }
}
