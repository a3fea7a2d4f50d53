extension UnitAllocation {
  /// Returns a check of the units in several variants, the same in `compare` and `health`. Policies that decide anew at
  /// every request cross units on purpose, so for them the check never fails.
  func judgingCrossedUnits(_ check: HealthCheck) -> HealthCheck {
    let crossed = arms.reduce(0) { $0 + $1.crossedUnits }
    let rule = isAdaptive ? ShareRule.suspicious : .never
    var check = rule.check(check, crossed, of: units, "units")
    if crossed > 0 { check.detail += "; results over decisions hold, those over units suffer" }
    if isAdaptive {
      check.detail += "; propensities are those of an adaptive policy, so it never fails"
    }
    return check
  }
}
