internal import Statistics

/// When a planned experiment may be decided, and by which test, so that looking at it more than once does not raise the
/// rate of wrong decisions.
public enum StoppingRule: Equatable, Sendable {
  /// At every look, by an asymptotic confidence sequence: over all looks together, a metric of two equal variants is
  /// found different with a probability of at most the significance level.
  case everyLook
  /// Once, when all variants together have the planned number of units, by Welch's test.
  case atUnits(Int)
  /// At planned looks, by a group sequential test.
  case atLooks(LookPlan)

  /// The statistical method of the comparison that decides.
  var method: ComparisonMethod {
    switch self {
    case .everyLook: .asymptoticCS
    case .atUnits: .welch
    case .atLooks: .groupSequential
    }
  }

  /// The rule in words, for notes, with what decided; without methods that of the rule.
  func text(_ methods: [String] = []) -> String {
    let own = methods.isEmpty || methods.contains(method.rawValue) ? [method.rawValue] : []
    let by = "compare by " + (own + methods.filter { $0 != method.rawValue }).joined(separator: " and ")
    switch self {
    case .everyLook: return "every look, by a confidence sequence (\(by))"
    case .atUnits(let units): return "once, at \(units) units, by \(by)"
    case .atLooks(let looks): return "at \(looks.text), by \(by)"
    }
  }

  /// Returns the units of all variants that an experiment needs.
  ///
  /// A confidence sequence is wider than the interval of a single look, c standard errors instead of z: it needs
  /// ((c + q)/(z + q))² times the units, where q is the normal quantile of the power.
  ///
  /// - Parameters:
  ///   - fixed: The units needed by a test at a single look; nil if they are not known.
  ///   - plan: The comparison, whose level and confidence sequence count.
  ///   - power: The power of the single look.
  /// - Returns: The units, rounded up; nil if they are not known.
  func units(_ fixed: Double?, _ plan: ComparisonPlan, power: Double) -> Double? {
    switch self {
    case .atUnits(let units): return Double(units)
    case .atLooks(let looks): return Double(looks.units)
    case .everyLook: break
    }
    guard plan.method == .asymptoticCS, let fixed, fixed >= 1 else { return fixed }
    let sequence = AsymptoticSequence(tightestAt: plan.tightestUnits, alpha: plan.alpha)
    let q = StandardNormal.quantile(power)
    let single = q - StandardNormal.quantile(plan.alpha / 2)
    var units = fixed
    for _ in 0..<40 {
      let ratio = (sequence.multiplier(units) + q) / single
      units = fixed * ratio * ratio
    }
    return units.isFinite ? units.rounded(.up) : nil
  }
}
