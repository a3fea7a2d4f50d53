internal import Statistics
internal import Tables

extension PowerReport {
  public static let explanation = Explanation(
    question: "how many units does an experiment need, and what could it find by now?",
    inputs: "as report compare; without a log --rate, or --mean and --sd",
    of: keyColumns, figureColumns, paceColumns, wordColumns)

  struct Row {
    /// The experiment, point and slot; nil without a log, as are the next five.
    var place: ArmNames?
    var metric: String?
    var baseline: String?
    var variants: Int?
    var units: Int?
    /// New units by day.
    var days: [Int64: Int] = [:]
    let plan: PowerPlan
    let baselineUnits: Int?
    let mean: SampleMean?
    let answer: PowerAnswer

    var smallestLift: Double? {
      guard let mean, mean.mean > 0 else { return nil }
      return answer.smallestEffect.map { $0 / mean.mean }
    }

    /// The days from the first to the last with a new unit.
    var dayCount: Int? {
      guard let first = days.keys.min(), let last = days.keys.max() else { return nil }
      return Int(last - first + 1)
    }

    var unitsPerDay: Double? { dayCount.map { Double(units ?? 0) / Double($0) } }

    var daysNeeded: Int? {
      guard let unitsPerDay, unitsPerDay > 0, let needed = answer.units, let variants else {
        return nil
      }
      return Int(exactly: (needed.rounded(.up) * Double(variants) / unitsPerDay).rounded(.up))
    }
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var keyColumns: ReportColumns<Row> {
    Columns.place(\.place)
    Columns.key("metric", "what is measured of each unit", \.metric)
    Columns.key("baseline", "the variant whose mean and variance are taken", \.baseline)
    Columns.measure("variants", "variants with units", \.variants)
    Columns.measure("units", "units that belong to a variant", \.units)
  }

  @ColumnsBuilder<Row>
  static var figureColumns: ReportColumns<Row> {
    Columns.measure("baseline_units", "units of the baseline", \.baselineUnits).main
    Columns.explained(
      "as in report compare, of the baseline alone",
      .measure("baseline_mean", "mean of the metric, or ratio of sums", \.mean?.mean).estimate.main,
      .measure("baseline_variance", "variance of one unit", \.mean?.variance).estimate)
    Columns.measure("lift", "the relative lift to be found", \.plan.lift).share
    Columns.measure("power", "with what probability", \.plan.power).share
    Columns.measure("alpha", "level of the two-sided test", \.plan.alpha).share
    Columns.measure("units_needed", "units per variant, rounded up") {
      $0.answer.units.flatMap { Int(exactly: $0.rounded(.up)) }
    }.main
    Columns.measure("units_needed_exact", "the same, not rounded", \.answer.units).count
    Columns.explained(
      "smallest n with P(|T| > t) = power, T noncentral with 2(n - 1) degrees of freedom and d sqrt(n/2)",
      source: "J. Cohen, Statistical power analysis, 1988", as: "units_needed (t)")
    Columns.explained(
      "2 (z(1 - alpha/2) + z(power))^2 / d^2, d = lift * mean / sd",
      source: "J. Cohen, Statistical power analysis, 1988", as: "units_needed (z)")
    Columns.explained(
      "(z(1 - alpha/2) + z(power))^2 (p(1 - p) + q(1 - q)) / (p - q)^2",
      source: "J. L. Fleiss, Statistical methods for rates and proportions, 1981",
      as: "units_needed (unpooled, the default of converted)")
    Columns.explained(
      """
      (z(1 - alpha/2) sqrt(2 m (1 - m)) + z(power) sqrt(p(1 - p) + q(1 - q)))^2 / (p - q)^2, m = (p + q)/2; with \
      --method pooled
      """,
      source: "J. L. Fleiss, Statistical methods for rates and proportions, 1981", as: "units_needed (pooled)")
    Columns.explained(
      "as z, both tails counted (exact-z), with d = 2 asin(sqrt(p)) - 2 asin(sqrt(q)); with --method arcsine",
      source: "J. Cohen, Statistical power analysis, 1988", as: "units_needed (arcsine)")
    Columns.explained(
      "the difference that is found with the power with the present units, divided equally among variants",
      .measure(
        "smallest_effect", "smallest difference found with the units there are",
        \.answer.smallestEffect
      ).estimate,
      .measure("smallest_lift", "the same over the baseline's mean", \.smallestLift).share.main)
  }

  @ColumnsBuilder<Row>
  static var paceColumns: ReportColumns<Row> {
    Columns.measure("days", "calendar days from the first to the last new unit", \.dayCount)
    Columns.explained(
      "new units over the days from first to last; units_needed times variants over that, rounded up",
      .measure("units_per_day", "new units a day over these days", \.unitsPerDay).count,
      .measure(
        "days_needed", "days for the units that all variants need, at this pace", \.daysNeeded
      ).main)
  }

  @ColumnsBuilder<Row>
  static var wordColumns: ReportColumns<Row> {
    Columns.measure("status", "why a value is not there", \.answer.status).main
    Columns.measure("method", "what made units and smallest effect", \.answer.method)
  }
}
