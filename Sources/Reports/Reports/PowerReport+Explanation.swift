extension PowerReport {
  public static let explanation = Explanation(
    question: "how many units does an experiment need, and what could it find by now?",
    inputs: "as report compare; without a log --rate, or --mean and --sd",
    entries: [
      .init(
        "baseline_mean, baseline_variance", "as in report compare, of the baseline alone",
        source: "definition"),
      .init(
        "units_needed (t)",
        "smallest n with P(|T| > t) = power, T noncentral with 2(n - 1) degrees of freedom and d sqrt(n/2)",
        source: "J. Cohen, Statistical power analysis, 1988"),
      .init(
        "units_needed (z)", "2 (z(1 - alpha/2) + z(power))^2 / d^2, d = lift * mean / sd",
        source: "J. Cohen, Statistical power analysis, 1988"),
      .init(
        "units_needed (unpooled, the default of converted)",
        "(z(1 - alpha/2) + z(power))^2 (p(1 - p) + q(1 - q)) / (p - q)^2; pooled and arcsine on request",
        source: "J. L. Fleiss, Statistical methods for rates and proportions, 1981"),
      .init(
        "smallest_effect, smallest_lift",
        "the difference that is found with the power with the present units, divided equally among variants",
        source: "definition"),
      .init(
        "units_per_day, days_needed",
        "new units over the days from first to last; units_needed times variants over that, rounded up",
        source: "definition"),
    ])
}
