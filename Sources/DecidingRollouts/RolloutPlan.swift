internal import DecidingCore
internal import Events

/// A configuration in use, with everything about one unit computed in advance.
final class RolloutPlan: Sendable {
  let configuration: RolloutConfiguration
  /// The experiments that have `Variants`.
  let entries: [ExperimentID: Entry]

  init(
    _ configuration: RolloutConfiguration, unit: UnitID, locale: UserLocale,
    restrictions: Restrictions
  ) {
    self.configuration = configuration
    var entries: [ExperimentID: Entry] = [:]
    for experiment in configuration.experiments {
      entries[experiment.name] = Entry(
        experiment, unit: unit, locale: locale, restrictions: restrictions)
    }
    self.entries = entries
  }
}

extension RolloutPlan {
  /// The plan of one experiment.
  final class Entry: Sendable {
    let isSticky: Bool
    let choices: [VariantID]
    /// The value that the app gets for each choice.
    let answers: [String]
    /// The weights over their sum; nil when no weight is positive.
    let propensities: [Double]?
    /// The restriction that excludes the unit at all times: the holdout, or an exclusion group.
    let restriction: Reason?
    /// The schedule of the experiment.
    let schedule: Schedule?
    /// The filter that excludes the unit.
    let filter: Reason?

    private let walk: RolloutWalk
    private let indices: [VariantID: Int]

    /// - Returns: Nil for an experiment without `Variants`.
    init?(
      _ experiment: RolloutExperiment, unit: UnitID, locale: UserLocale, restrictions: Restrictions
    ) {
      guard let variants = experiment.variants else { return nil }
      isSticky = experiment.isSticky
      choices = variants.map(\.name)
      answers = choices.map { "\(experiment.name)_\($0)" }
      walk = RolloutWalk(variants.map(\.weight))
      propensities = walk.propensities
      indices = Dictionary(
        choices.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { a, _ in a })
      schedule = restrictions.schedules[experiment.name]
      var timeless = restrictions
      timeless.schedules = [:]
      restriction = timeless.refusal(
        of: unit, in: experiment.name, at: Timestamp(microseconds: 0))
      if !RolloutFilter.admits(language: locale.languages.first, in: experiment.languages) {
        filter = .language
      } else {
        filter =
          RolloutFilter.admits(country: locale.region, in: experiment.countries) ? nil : .country
      }
    }

    /// Returns the index of the variant; nil when it does not exist or is nil.
    func index(of variant: VariantID?) -> Int? { variant.flatMap { indices[$0] } }

    /// Returns the index of the variant for the number; nil when no weight is positive.
    func index(of number: Double) -> Int? { walk.index(of: number) }

    /// Returns why the unit is excluded before anything is drawn; nil when it is not.
    func refusal(at time: Timestamp) -> Reason? {
      if let restriction { return restriction }
      guard let schedule, !schedule.contains(time) else { return nil }
      return .outsideSchedule
    }
  }
}

/// The mapping of numbers to weights.
struct RolloutWalk: Sendable {
  /// The upper bounds of the number ranges of the weights, inclusive; negative for weights that are not
  /// positive.
  let bounds: [Double]
  /// The weights over their sum; nil when no weight is positive.
  let propensities: [Double]?

  init(_ weights: [Double]) {
    let total = weights.reduce(0, +)
    guard total > 0 else {
      bounds = weights.map { _ in -1 }
      propensities = nil
      return
    }
    var sum = 0.0
    // The cumulative weight at the last positive weight equals the total, so its bound is exactly 1.
    bounds = weights.map { weight in
      sum += weight
      return weight > 0 ? sum / total : -1
    }
    propensities = weights.map { $0 / total }
  }

  /// Returns the index of the first weight whose bound is not less than the number, which is in 0 ... 1; nil
  /// when no weight is positive.
  func index(of number: Double) -> Int? { bounds.firstIndex { number <= $0 } }
}
