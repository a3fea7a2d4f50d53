internal import Statistics

/// How units needed and smallest effects are computed.
public enum PowerMethod: String, Sendable, CaseIterable {
  /// The two-sided t test; beyond 100,000 units a group the z test, which then differs by less than a unit.
  case t
  /// The z test by its closed form, which leaves the wrong tail out.
  case z
  /// The z test with both tails.
  case exactZ = "exact-z"
  /// Two proportions, with the standard error of each.
  case unpooled
  /// Two proportions, with the standard error pooled under no difference (Fleiss).
  case pooled
  /// Two proportions, by the difference of their arcsines.
  case arcsine

  /// Whether it is for metrics that are 0 or 1 for each unit.
  public var isOfProportions: Bool { self == .unpooled || self == .pooled || self == .arcsine }
}

/// All that a calculation of power is asked for.
public struct PowerPlan: Sendable {
  /// How units and effects are computed; nil for `unpooled` of what is 0 or 1, and `t` of the rest.
  public var method: PowerMethod?
  /// The power, between 0 and 1.
  public var power = 0.8
  /// The level of the two-sided test.
  public var alpha = 0.05
  /// The relative lift to be found, not 0.
  public var lift = 0.05
  /// The variant whose mean and variance are taken; nil for one whose name says it, else the first.
  public var baseline: String?

  /// A power of 80 % for a lift of 5 % at the level of 5 %.
  public init() {}
}

/// What a calculation of power came to.
struct PowerAnswer {
  /// Units per variant, not rounded; nil where there is no answer.
  var units: Double?
  /// The smallest difference that is found with the units there are, in units of the metric; nil where there is none.
  var smallestEffect: Double?
  var status: String?
  var method: String
}

extension PowerPlan {
  /// The answer for a baseline.
  ///
  /// - Parameters:
  ///   - baseline: Mean and variance of one unit.
  ///   - isBinary: Whether a unit has either 0 or 1.
  ///   - present: Units per variant; nil when they are not known.
  /// - Returns: Units and smallest effect, or why there are none.
  func answer(_ baseline: SampleMean?, isBinary: Bool, present: Double?) -> PowerAnswer {
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
      answer.smallestEffect = smallestEffect(present, method) * deviation
    }
    guard baseline.mean != 0 else {
      answer.status = "the baseline's mean is zero: no lift"
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

  /// Beyond so many units a group t and z are the same, and t takes long.
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

  /// The smallest effect in standard deviations; of proportions with the variance of the baseline in both groups.
  private func smallestEffect(_ count: Double, _ method: PowerMethod) -> Double {
    method == .t && count <= Self.mostForT
      ? Power.tEffect(count: count, power: power, alpha: alpha)
      : Power.zEffect(count: count, power: power, alpha: alpha)
  }
}
