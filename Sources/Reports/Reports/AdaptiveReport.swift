package import EventLog
public import Replay
internal import Statistics
package import Tables

/// The weighting of decisions in the report `adaptive`.
public enum AdaptiveAllocation: String, CaseIterable, Sendable {
  /// Equal weights: plain augmented inverse propensity weighting.
  case uniform
  /// Weights proportional to the square root of the probability.
  case constant = "constant-allocation"
  /// The two-point allocation with α = 0.7, with the number of decisions as its horizon.
  case twoPoint = "two-point"

  func weighting(_ decisions: Int) -> AdaptiveWeighting {
    switch self {
    case .uniform: .uniform
    case .constant: .constantAllocation
    case .twoPoint: .twoPoint(horizon: max(1, decisions))
    }
  }

  var description: String {
    switch self {
    case .uniform: "AIPW, uniform weights"
    case .constant: "adaptively weighted AIPW, constant allocation"
    case .twoPoint: "adaptively weighted AIPW, two-point allocation (alpha 0.7)"
    }
  }
}

/// The parameters of the report `adaptive`.
public struct AdaptivePlan: Sendable {
  /// The attribution of goals.
  public var attribution: Attribution
  /// The weighting of decisions.
  public var allocation: AdaptiveAllocation
  /// The name of the variant that others are compared with; nil for the first by bytes.
  public var baseline: String?
  /// The confidence level of intervals, between 0 and 1, exclusive.
  public var level: Double

  /// Creates a plan.
  public init(
    _ attribution: Attribution = Attribution(), allocation: AdaptiveAllocation = .constant,
    baseline: String? = nil, level: Double = 0.95
  ) {
    self.attribution = attribution
    self.allocation = allocation
    self.baseline = baseline
    self.level = level
  }
}

/// The report `adaptive`: mean rewards of variants under adaptive allocation, such as a bandit's.
public struct AdaptiveReport: RewardedReport {
  public static let name = "adaptive"
  public static let abstract =
    "Mean rewards of variants where a policy learned from the rewards."

  public static let discussion = """
    Under adaptive allocation, such as a bandit's, the plain mean reward of a variant is biased and its confidence \
    interval has too low a coverage. The adaptively weighted mean corrects this, also where probabilities depend on \
    the context; its interval begins with 20 effective decisions, 5 rewards and 5 non-rewards of the variant. Both \
    need the choices of every decision and a probability for each. Rewards are those of `report rewards`. `bandolier \
    explain adaptive` has the formulas.
    """

  public static let examples = [
    #"""
    bandolier report adaptive datasets/storefront.log \
      --experiment recommendations
    """#,
    #"""
    bandolier report adaptive datasets/storefront.log \
      --experiment recommendations --baseline popular
    """#,
  ]

  /// The attribution of goals, the weighting of decisions and the comparison of variants.
  public var plan = AdaptivePlan()

  /// Whether it is an error if no decision has the probabilities of its choices; otherwise rows have a status that says
  /// so.
  package var requiresProbabilities = true

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.choice("weighting", \.plan.allocation, "which", "Weights of decisions.").grouped(.statistics)
    Option.baseline(
      \.plan.baseline,
      "The variant that others are compared with (default: the first by name).")
    Option.rewardMetric(\.plan.attribution)
    Option.rule(\.plan.attribution.rule)
    Option.level(\.plan.level)
    Option.attribution(\.plan.attribution)
  }

  public static let needsLog = true

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: plan.level)
    try checkRewards()
  }

  /// It cannot: estimates depend on the order of all decisions.
  public var partials: PartialSupport {
    .none(
      instead:
        "its weights follow the order of all decisions; make it of the whole log, or of one experiment's events (`log "
        + "split` and `export` select them), or use compare, rewards or evaluate"
    )
  }

  public mutating func adopt(_ entry: AnalysisPlan.Entry) {
    adoptMetric(of: entry)
    plan.baseline = entry.baseline
    // One experiment of a plan may lack probabilities where others have them.
    requiresProbabilities = false
  }

  public static let directions: Set<Metric.Direction> = [.higher, .lower]

  public var rewards: Attribution {
    get { plan.attribution }
    set { plan.attribution = newValue }
  }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if the log does not have the baseline, or no decision has the probabilities of its
  ///   choices.
  public func result(of source: ReportSource) throws -> ReportResult {
    let streams = try source.adaptiveStreams(source.lookup.resolving(plan.attribution))
    try source.lookup.require(
      plan.baseline,
      among: streams.streams.flatMap { stream in stream.variants.map { (stream.place.experiment, $0.code) } })
    if requiresProbabilities { try Self.requireProbabilities(streams, source) }
    return ReportResult(
      try table(streams, names: source.names, dimension: source.dimension))
  }

  /// Throws an error if no decision has the probabilities of its choices, and warns if every estimate would be empty.
  private static func requireProbabilities(
    _ streams: AdaptiveStreams, _ source: ReportSource
  ) throws(ReportError) {
    let all = streams.streams
    guard !all.isEmpty, all.allSatisfy({ $0.withoutProbabilities + $0.withWrongProbabilities > 0 })
    else { return }
    let absent = all.reduce(0) { $0 + $1.withoutProbabilities }
    let wrong = all.reduce(0) { $0 + $1.withWrongProbabilities }
    let decisions = all.reduce(0) { $0 + $1.decisions }
    let problem =
      "\(source.path): nothing can be estimated: of \(decisions) decisions \(absent) have no probability for each of "
      + "their choices, and \(wrong) have wrong ones"
    guard absent + wrong < decisions else {
      throw ReportError(
        .badData,
        "\(problem); log \"choices\" and \"probabilities\", or use `bandolier report compare` if the shares never "
          + "changed"
      )
    }
    source.say(
      "warning: \(problem), some of them in every experiment; leave these out with --since or --without-reason"
    )
  }

  /// Returns one row for each arm with a counted decision, sorted by the bytes of their names.
  ///
  /// - Throws: `TableError`, and nothing else but what threads throw.
  package func table(
    _ streams: AdaptiveStreams, names: LogNames, dimension: Dimension? = nil
  ) throws -> Table {
    let variants = streams.streams.map { stream in
      stream.variants.map { names.string($0.code, in: .variants) ?? "" }
    }
    let baselines = variants.map(baseline(among:))
    let estimates = try streams.estimates { stream in
      (plan.allocation.weighting(stream.decisions), baselines[stream.number])
    }
    let rows = streams.streams.flatMap { stream in
      let (variants, baseline) = (variants[stream.number], baselines[stream.number])
      let estimates = estimates[stream.number]
      let choices = ChoiceTest(
        (estimates ?? []).map { ($0.choices.chosen, $0.choices.expected, $0.choices.variance) })
      return stream.variants.enumerated().map { index, variant in
        var arm = stream.place
        arm.variant = variant.code
        var row = AdaptiveRow(
          arm: ArmNames(arm, names, value: stream.value), rewards: variant.rewards,
          method: plan.allocation.description,
          baseline: baseline.map { variants[$0] } ?? plan.baseline)
        row.propensityPValue = estimates == nil ? nil : choices.findings[index]?.pValue
        if choices.verdict == .failed {
          row.refuse()
        } else {
          row.fill(
            stream, estimates?[index], hasBaseline: baseline != nil, isBaseline: baseline == index,
            plan.level)
        }
        return row
      }
    }
    var table = try Table(
      name: "adaptive", title: "Variants under adaptive allocation",
      columns: (isLessBetter ? Self.columns + Self.directionColumns : Self.columns)
        + .breakdown(dimension, \.arm.value), rows: rows)
    note(streams, names, &table)
    return summarized(table.sorted())
  }

  private var isLessBetter: Bool { rewards.metric.metric.direction == .lower }

  private func baseline(among variants: [String]) -> Int? {
    if let name = plan.baseline {
      return variants.firstIndex { $0.utf8.elementsEqual(name.utf8) }
    }
    return variants.indices.min {
      variants[$0].utf8.lexicographicallyPrecedes(variants[$1].utf8)
    }
  }

  private func note(_ streams: AdaptiveStreams, _ names: LogNames, _ table: inout Table) {
    table.note("attribution", plan.attribution.description)
    table.note(metric: plan.attribution.metric, streams.ledger.goals, names)
    table.note("weighting", plan.allocation.rawValue)
    table.note("interval", "Student's t, \(Percent.text(plan.level))")
    let all = streams.streams
    table.note(
      "decisions_without_probabilities", all.reduce(0) { $0 + $1.withoutProbabilities })
    table.note(
      "decisions_with_wrong_probabilities", all.reduce(0) { $0 + $1.withWrongProbabilities })
    table.note(streams.ledger.noted)
  }
}
