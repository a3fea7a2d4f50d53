internal import DecidingCore
internal import Events

/// A configuration in use, with all that it settles for one unit worked out beforehand.
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
  /// One experiment.
  final class Entry: Sendable {
    let isSticky: Bool
    let choices: [VariantID]
    /// What the app gets for each choice.
    let answers: [String]
    /// Weight over sum; nil when no weight is positive.
    let propensities: [Double]?
    /// Why the unit is kept out whatever the time: held out, or in another experiment of a group.
    let restriction: Reason?
    /// When it runs.
    let schedule: Schedule?
    /// Why the filters do not admit the unit.
    let filter: Reason?

    private let walk: RolloutWalk
    private let indices: [VariantID: Int]

    /// - Returns: nil for an experiment without `Variants`.
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

    /// Where the variant stands; nil when it is not there, or there is none.
    func index(of variant: VariantID?) -> Int? { variant.flatMap { indices[$0] } }

    /// Which variant the number leads to; nil when no weight is positive.
    func index(of number: Double) -> Int? { walk.index(of: number) }

    /// Why the unit is kept out before anything is drawn; nil when it is not.
    func refusal(at time: Timestamp) -> Reason? {
      if let restriction { return restriction }
      guard let schedule, !schedule.contains(time) else { return nil }
      return .outsideSchedule
    }
  }
}

/// The way of a number along weights.
struct RolloutWalk: Sendable {
  /// Up to which number each weight reaches, the number included; below 0 for one that is not positive.
  let bounds: [Double]
  /// Weight over the sum of all; nil when no weight is positive.
  let propensities: [Double]?

  init(_ weights: [Double]) {
    let total = weights.reduce(0, +)
    guard total > 0 else {
      bounds = weights.map { _ in -1 }
      propensities = nil
      return
    }
    var sum = 0.0
    // The last positive weight reaches the same sum as the total, so its bound is exactly 1.
    bounds = weights.map { weight in
      sum += weight
      return weight > 0 ? sum / total : -1
    }
    propensities = weights.map { $0 / total }
  }

  /// The first weight whose bound is not below the number, which is in 0 ... 1; nil when no weight is
  /// positive.
  func index(of number: Double) -> Int? { bounds.firstIndex { number <= $0 } }
}
