internal import EventLog
internal import Replay
internal import Statistics
internal import Tables

extension SeriesReport {
  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var contrastColumns: ReportColumns<Row> {
    Columns.measure("baseline", "the variant that it is compared with", \.baseline)
    Columns.explained(
      """
      of reward_mean: less that of the baseline, and over it, less 1; asymptotic confidence sequence of the \
      difference, tightest at \(Int(SeriesContrast.tightestAt)) decisions of both, which holds at every period, and \
      Fieller's interval of the lift by the same standard errors; from \(SeriesContrast.leastDecisions) decisions of \
      each on. Decisions count as independent
      """,
      source: "I. Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, 2024",
      .measure("difference", "reward_mean less that of the baseline", \.soFar.difference).estimate,
      .interval("difference_ci", "its confidence sequence", \.soFar.interval).estimate,
      .measure("lift", "reward_mean over that of the baseline, less 1", \.soFar.lift).share,
      .interval("lift_ci", "the lift's confidence sequence", \.soFar.liftInterval).share)
    Columns.explained(
      """
      over the decisions of the period alone, each with its goals whenever they came, so that the latest periods can \
      still gain: the mean, and its difference from the baseline's (Welch) and lift (Fieller), for a single look at \
      one period; with --cohorts over the decisions of the units that joined in it
      """, source: "B. L. Welch, The generalization of Student's problem, 1947",
      .measure(
        "period_mean", "mean reward of the decisions of the period", \.tally.rewardsOfDecisions.mean
      ).estimate,
      .measure("period_difference", "period_mean less that of the baseline", \.own.difference).estimate,
      .interval("period_difference_ci", "its interval (Welch)", \.own.interval).estimate,
      .measure("period_lift", "period_mean over that of the baseline, less 1", \.own.lift).share,
      .interval("period_lift_ci", "the interval of period_lift (Fieller)", \.own.liftInterval).share)
    Columns.explained(
      """
      of reward_mean, less of it where direction=lower, against all variants of the experiment, point and slot: normal \
      posteriors of the means with a flat prior; from \(SeriesContrast.leastDecisions) decisions of each on, none of \
      more than \(BestChances.mostVariants) variants. Decisions count as independent
      """, source: "C. Stucchio, Bayesian A/B testing at VWO, 2015",
      .measure("chance_to_be_best", "posterior probability to have the best reward_mean", \.chance).share)
  }

  func contrast(_ treatment: Moments?, _ control: Moments?, isRepeated: Bool) -> SeriesContrast {
    guard let treatment, let control else { return SeriesContrast() }
    return SeriesContrast(treatment, control, level: level, isRepeated: isRepeated)
  }

  /// The baseline of a place, with its rewards up to a period.
  struct Control {
    let segment: Segment
    let name: String
    private let tallies: [Int64: SeriesTally]
    /// The periods that are not in ``soFar`` yet.
    private var rest: ArraySlice<Int64>
    private(set) var soFar = Moments()

    init(_ segment: Segment, _ name: String, _ tallies: [Int64: SeriesTally]) {
      (self.segment, self.name, self.tallies) = (segment, name, tallies)
      rest = tallies.keys.sorted()[...]
    }

    /// Adds the periods up to one; returns whether there are any.
    mutating func advance(to period: Int64) -> Bool {
      let start = rest.startIndex
      while let next = rest.first, next <= period {
        rest.removeFirst()
        if let tally = tallies[next] { soFar.merge(tally.perDecision) }
      }
      return rest.startIndex > start
    }

    /// The rewards of the decisions of a period.
    func own(_ period: Int64) -> Moments? { tallies[period]?.rewardsOfDecisions }
  }

  /// Returns the baseline of each place and value of the dimension.
  func baselines(_ tallies: SeriesTallies, _ places: [Segment: Variants]) -> [Segment: Control] {
    places.compactMapValues { variants in
      guard let index = BaselineRule(baseline).index(variants.map(\.name)) else { return nil }
      let (name, segment) = variants[index]
      return Control(segment, name, tallies.segments[segment] ?? [:])
    }
  }
}
