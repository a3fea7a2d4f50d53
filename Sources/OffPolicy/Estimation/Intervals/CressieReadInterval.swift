public import Specifications
public import Statistics

/// `cressie-read:wmin=0,rmin=0,rmax=1`: the values that the empirical Cressie-Read likelihood does not reject.
///
/// N. Karampatziakis, J. Langford and P. Mineiro, "Empirical likelihood for contextual bandits" (NeurIPS 2020), with
/// the Cressie-Read divergence of power −2, whose dual has a closed form, and one decision added at an extreme weight
/// and reward; as in vw-estimators 0.2.2. Weights are between wmin and wmax, without limit if that is not given; a
/// weight beyond extends the range.
public struct CressieReadInterval: WeightedRewardMethod {
  public static let info = SpecificationInfo(
    "cressie-read", "values not rejected by the empirical Cressie-Read likelihood",
    source: "Karampatziakis, Langford and Mineiro 2020",
    example: "cressie-read:wmin=0,rmin=0,rmax=1")

  /// The weights that are possible.
  public var weightLimits = WeightLimits()
  public var rewards = RewardLimits()
  public var specification = Self.info.specification()

  /// Creates the method with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.group(\.weightLimits)
    Field.group(\.rewards)
  }

  public func interval(of sums: WeightedRewardSums, level: Double) -> Interval? {
    let n = Double(sums.count)
    let (bottom, top) = (
      min(weightLimits.least, sums.leastWeight),
      max(weightLimits.greatest ?? .infinity, sums.greatestWeight)
    )
    let center = WeightedMoments(sums, adding: sums.w < n ? top : bottom, reward: 0)
    // The F quantile with 1 and n degrees of freedom is the square of Student's t.
    let t = StudentT(degreesOfFreedom: n).quantile((1 - level) / 2)
    let phi = -(center.imbalance + t * t) / (2 * (1 + n))
    func end(_ reward: Double, sign: Double) -> Double {
      let candidates = [bottom, top].compactMap {
        WeightedMoments(sums, adding: $0, reward: reward).least(sign: sign, phi: phi)
      }
      let end = candidates.min().map { sign * $0 } ?? reward
      return min(max(end, leastReward), greatestReward)
    }
    let (low, high) = (end(leastReward, sign: 1), end(greatestReward, sign: -1))
    guard low <= high else { return nil }
    return Interval(low, high)
  }
}

/// Means of powers of weights and rewards over the decisions and one more, at an extreme weight and reward.
private struct WeightedMoments {
  private let n: Double
  private let w, ww, wr, wwr, wwrr: Double
  /// The reward of the decision that was added, if its weight has no limit.
  private let reward: Double?

  init(_ sums: WeightedRewardSums, adding weight: Double, reward: Double) {
    n = Double(sums.count)
    // Without a limit only the limits of the formulas count, in which the decision itself does not occur.
    let (v, count) = weight.isFinite ? (weight, n + 1) : (0, n)
    self.reward = weight.isFinite ? nil : reward
    w = (sums.w + v) / count
    ww = (sums.ww + v * v) / count
    wr = (sums.wr + v * reward) / count
    wwr = (sums.wwr + v * v * reward) / count
    wwrr = (sums.wwrr + v * v * reward * reward) / count
  }

  /// (n + 1)·(1 − mean w)²/variance of w, or its limit 1 + 1/n.
  var imbalance: Double {
    reward == nil ? (1 + n) * (1 - w) * (1 - w) / (ww - w * w) : 1 + 1 / n
  }

  /// Returns the least value of sign·w·r under all weightings of the decisions within the divergence phi; nil if there
  /// is none.
  func least(sign: Double, phi: Double) -> Double? {
    let (x, y, z): (Double, Double, Double)
    if let r = reward {
      x = sign * (r + wr - w * r)
      let share = n / (1 + n)
      y = share * ((r * w - wr) * (r * w - wr) - (r * r * ww - 2 * r * wwr + wwrr))
      z = phi + 1 / (2 * n)
    } else {
      let variance = ww - w * w
      guard variance > 0 else { return nil }
      let covariance = wwr - w * wr
      x = sign * (wr + (1 - w) * covariance / variance)
      y = covariance * covariance / variance - (wwrr - wr * wr)
      z = phi + 0.5 * (1 - w) * (1 - w) / variance
    }
    let product = y * z
    // Both factors vanish together up to rounding, so small products of either sign count as zero.
    guard product >= 0 ? z <= 0 || product <= 1e-18 : product >= -1e-18 else { return nil }
    return x - (2 * max(product, 0)).squareRoot()
  }
}
