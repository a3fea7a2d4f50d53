internal import Statistics

/// The method by which sample sizes and detectable effects are computed.
public enum PowerMethod: String, Sendable, CaseIterable {
  /// The two-sided t test; above 100,000 units per group the z test, which then differs by less than a unit.
  case t
  /// The z test in closed form, which neglects the opposite tail.
  case z
  /// The z test with both tails.
  case exactZ = "exact-z"
  /// Two proportions, with the unpooled standard error.
  case unpooled
  /// Two proportions, with the standard error pooled under the null hypothesis (Fleiss).
  case pooled
  /// Two proportions, by the arcsine transformation.
  case arcsine

  /// Whether the method requires binary metrics, 0 or 1 for each unit.
  public var isOfProportions: Bool { self == .unpooled || self == .pooled || self == .arcsine }
}

/// The parameters of a power calculation.
public struct PowerPlan: Sendable {
  /// The method; nil for `unpooled` for binary metrics and `t` for the rest.
  public var method: PowerMethod?
  /// The power, between 0 and 1.
  public var power = 0.8
  /// The significance level of the two-sided test.
  public var alpha = 0.05
  /// The relative lift to detect, not 0.
  public var lift = 0.05
  /// The variant whose mean and variance are used; nil for a variant with a baseline's name, else the first.
  public var baseline: String?

  /// Creates a plan: 80 % power to detect a lift of 5 % at a significance level of 5 %.
  public init() {}
}

/// The result of a power calculation.
struct PowerAnswer {
  /// The required units per variant, not rounded; nil if there is no answer.
  var units: Double?
  /// The minimum detectable effect with the present units, in units of the metric; nil if there is none.
  var smallestEffect: Double?
  var status: String?
  var method: String
}

extension PowerPlan {
  /// Returns the sample size and minimum detectable effect for a baseline.
  ///
  /// - Parameters:
  ///   - baseline: Mean and variance of one unit.
  ///   - isBinary: Whether a unit has either 0 or 1.
  ///   - present: The present units per variant; nil if unknown.
  ///   - effects: The smallest effects of the t test that are known, by the units per variant: many places have as many
  ///     units as others, and an effect takes milliseconds.
  /// - Returns: Units and smallest effect, or why there are none.
  func answer(
    _ baseline: SampleMean?, isBinary: Bool, present: Double?, _ effects: inout [Double: Double]
  ) -> PowerAnswer {
    let method = method ?? (isBinary ? .unpooled : .t)
    var answer = PowerAnswer(method: method.rawValue)
    guard let baseline else {
      answer.status = "too few units"
      return answer
    }
    guard baseline.variance.isFinite, baseline.mean.isFinite else {
      answer.status = "values too large"
      return answer
    }
    guard baseline.variance > 0 else {
      answer.status = "no variance"
      return answer
    }
    if method.isOfProportions, !isBinary {
      answer.status = "the method is for metrics of 0 or 1"
      return answer
    }
    let deviation = baseline.variance.squareRoot()
    if let present, present >= 2 {
      answer.smallestEffect = smallestEffect(present, method, &effects) * deviation
    }
    guard baseline.mean > 0 else {
      answer.status =
        "the baseline's mean is \(baseline.mean == 0 ? "zero" : "negative"): no lift"
      return answer
    }
    let target = baseline.mean * (1 + lift)
    if method.isOfProportions {
      guard target > 0, target < 1 else {
        answer.status = "the lift leads out of 0 ... 1"
        return answer
      }
      answer.units = proportionUnits(baseline.mean, target, method)
    } else {
      answer.units = units(abs(lift * baseline.mean) / deviation, method)
    }
    return answer
  }

  /// The units per group beyond which t and z agree, and t is slow.
  private static let mostForT = 100_000.0

  private func units(_ effect: Double, _ method: PowerMethod) -> Double? {
    guard let z = Power.zCount(effect: effect, power: power, alpha: alpha), z.isFinite else {
      return nil
    }
    switch method {
    case .t where z <= Self.mostForT:
      return Power.tCount(effect: effect, power: power, alpha: alpha)
    case .exactZ: return Power.exactZCount(effect: effect, power: power, alpha: alpha)
    default: return z
    }
  }

  private func proportionUnits(_ p: Double, _ q: Double, _ method: PowerMethod) -> Double? {
    switch method {
    case .pooled: Power.pooledCount(p, q, power: power, alpha: alpha)
    case .arcsine: Power.arcsineCount(p, q, power: power, alpha: alpha)
    default: Power.unpooledCount(p, q, power: power, alpha: alpha)
    }
  }

  /// Returns the minimum detectable effect in standard deviations; for proportions with the baseline's variance in
  /// both groups.
  private func smallestEffect(
    _ count: Double, _ method: PowerMethod, _ effects: inout [Double: Double]
  ) -> Double {
    guard method == .t, count <= Self.mostForT else {
      return Power.zEffect(count: count, power: power, alpha: alpha)
    }
    let effect = effects[count] ?? Power.tEffect(count: count, power: power, alpha: alpha)
    effects[count] = effect
    return effect
  }
}
