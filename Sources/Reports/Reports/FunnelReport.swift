public import EventLog
public import Replay
internal import Statistics
public import Tables

/// The report `funnel`: units of each variant that reached each funnel step.
public struct FunnelReport: UnitReport {
  public static let name = "funnel"
  public static let abstract =
    "Units of each variant that reached each step of a funnel."

  public static let discussion = """
    A step is a goal of the experiment or a conversion, by its name. Step 0 is the first exposure; each \
    step is the first such event after the previous step. The median of the time between them is exact, \
    and takes 8 bytes of memory for each unit and step.
    """

  public static let examples = [
    #"""
    bandolier report funnel datasets/storefront.log \
      --experiment recommendations --steps click,add-to-cart
    """#,
    #"""
    bandolier report funnel datasets/storefront.log \
      --steps click,purchase --any-order --window 14d
    """#,
  ]

  /// The names of the steps: goals of the experiment or conversions.
  public var steps: [String] = []
  /// The conversion window after the first exposure, in microseconds; nil for unlimited.
  public var window: Int64?
  /// The required order of steps.
  public var order = FunnelProjector.Order.ordered
  /// How units exposed to several variants are handled.
  public var crossing = Attribution.Crossing.drop
  /// The confidence level of intervals, between 0 and 1.
  public var level = 0.95

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.value(
      "steps", \.steps, "goals", "The steps, separated by commas, such as view,cart,purchase."
    ) { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    .with { $0.form = .required }
    Option.value(
      "window", \.window, "duration",
      "How long after the first exposure steps count, such as 7d, 12h, 30m or 90s; 7 is 7 days (default: none, "
        + "without limit).",
      OptionValue.window
    ).grouped(.attribution)
    Option.flag("ordered", "Steps must be reached in the given order (default).") {
      $0.order = .ordered
    }
    .with { $0.excludes = ["any-order"] }
    Option.flag("any-order", "Steps may be reached in any order.") { $0.order = .any }
    Option.level(\.level)
    Option.crossing(\.crossing)
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.require(
      steps.allSatisfy { !$0.isEmpty }, "steps",
      "has an empty name; give goals such as view,cart,purchase")
    try ReportError.require(
      order == .ordered || Set(steps).count == steps.count, "steps",
      "names a goal twice, which is ambiguous in any order (--any-order)")
    try ReportError.check(window: window)
    try ReportError.check(level: level)
  }

  public var partials: PartialSupport { .byUnitsUntilEnd }

  /// Returns the projector of the units that reached each step, by segment.
  ///
  /// - Throws: ``ReportError`` if the log does not have one of the steps.
  public func projector(_ lookup: NameLookup) throws -> FunnelProjector {
    FunnelProjector(
      steps: try steps.map { try lookup.code(of: $0, in: .goals) }, window: window, order: order,
      crossing: crossing)
  }

  struct Row {
    let arm: ArmNames
    let step: Int
    let name: String?
    let tally: FunnelTally
    let share: Proportion
    let interval: Interval?
    let previous: Proportion?
    let previousInterval: Interval?
    let hasWindow: Bool

    var median: Double? { step == 0 ? nil : tally.medianTime(step - 1).map { $0 / 1e6 } }
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.arm(\.arm)
    Columns.key("step", "number of the step; 0 is the first exposure", \.step)
    Columns.measure("step_name", "the goal or conversion; empty for the exposure", \.name).main
    Columns.explained(
      """
      units whose first exposure (confirmed or repeated decision) at the point and slot was to the variant; those seen \
      in several variants there are left out (--crossing first: belong to the first)
      """, .measure("units", "units of the variant", \.tally.units))
    Columns.explained(
      """
      units with the step after the step before, by event time and then position in the log, all of them after the \
      exposure at equal times (--any-order: with the step and all before it after the exposure; in report all without \
      --steps: with the step after the exposure, whatever others), within --window of the first exposure; refused \
      goals, goals that name another point or slot, and conversions that take one back are no \
      step
      """, .measure("reached", "units that reached the step", \.share.successes).main)
    Columns.explained(
      "reached / units, and reached / reached of the step before, with score intervals",
      source: "E. B. Wilson, Probable inference, 1927",
      .measure("share", "reached / units", \.share.value).share.main,
      .interval("ci", "its interval (Wilson)", \.interval).share.main,
      .measure(
        "share_of_previous", "reached / units that reached the step before", \.previous?.value
      ).share.main, .interval("previous_ci", "its interval (Wilson)", \.previousInterval).share)
    Columns.explained(
      """
      exact median of the time since the step before, or since the exposure where steps are each on their own; the \
      mean of the middle two of an even number
      """, .measure("median_seconds", "median time since the step before", \.median).duration.main)
    Columns.explained(
      "units whose window was not over at the latest event of the log; they are in units all the same",
      .measure("units_in_progress", "units whose window was not over at the end") {
        $0.hasWindow ? $0.tally.unitsInProgress : nil
      })
  }

  /// Returns one row for each arm with an assigned unit and each step, sorted by the bytes of their names.
  public func table(
    _ tallies: FunnelTallies, names: LogNames, dimension: Dimension?
  ) throws(TableError) -> Table {
    let reached = reachedSteps(tallies)
    let rows = tallies.segments.flatMap { segment, tally in
      let arm = ArmNames(segment, names)
      return (0...tally.times.count).filter { step in
        step == 0 || reached[segment.arm.experiment]?.contains(step - 1) ?? true
      }.map { row(arm, tally, $0) }
    }
    var table = try Table(
      name: "funnel", title: "Steps reached",
      columns: Self.columns + .breakdown(dimension, \.arm.value), rows: rows)
    table.note("steps", steps.joined(separator: ", "))
    for (step, name) in steps.enumerated() where names.code(of: name, in: .goals) == nil {
      table.note("step_\(step + 1)", "the log has no goal or conversion \"\(name)\"")
    }
    table.note("order", orderText)
    table.note("window", window.map(DurationText.text) ?? "none")
    table.note("interval", "Wilson, \(Percent.text(level))")
    table.note(tallies.ledger, crossing: crossing)
    return summarized(table.sorted())
  }

  /// Returns the steps that units of each experiment reached, if those that none of them reached have no rows: the
  /// goals of a log, each on its own, are those of several experiments. Empty otherwise.
  private func reachedSteps(_ tallies: FunnelTallies) -> [UInt32: Set<Int>] {
    guard order == .each else { return [:] }
    return tallies.segments.reduce(into: [:]) { all, segment in
      let (arm, tally) = (segment.0.arm, segment.1)
      all[arm.experiment, default: []].formUnion(
        tally.times.indices.filter { tally.reached($0) > 0 })
    }
  }

  /// The order of the steps in words.
  private var orderText: String {
    switch order {
    case .ordered: "one after the other"
    case .any: "any"
    case .each: "each on its own; one that no unit of an experiment reached has no row there"
    }
  }

  private func row(_ arm: ArmNames, _ tally: FunnelTally, _ step: Int) -> Row {
    let reached = step == 0 ? tally.units : tally.reached(step - 1)
    let share = Proportion(successes: reached, trials: tally.units)
    let previous =
      step == 0 || order == .each
      ? nil
      : Proportion(
        successes: reached, trials: step == 1 ? tally.units : tally.reached(step - 2))
    return Row(
      arm: arm, step: step, name: steps.indices.contains(step - 1) ? steps[step - 1] : nil,
      tally: tally, share: share, interval: share.wilsonInterval(level: level), previous: previous,
      previousInterval: previous?.wilsonInterval(level: level), hasWindow: window != nil)
  }
}

extension FunnelReport {
  public static let explanation = Explanation(
    question: "how many units reached each step of the funnel?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed, goals (time, unit, \
      experiment, point, slot, goal, status), conversions (time, unit, goal, negative)
      """, of: columns)
}
