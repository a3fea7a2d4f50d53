internal import Bandits
internal import Replay
internal import Specifications
internal import Statistics

/// The variants between which learning policies choose at each place of a log, and the rewards that they can earn.
struct ReplayedPlaces: Sendable {
  /// The problem of one place.
  struct Place: Sendable {
    /// The codes of the variants: all that were chosen or could have been, by name.
    var variants: [UInt32]
    /// The number of decisions.
    var decisions = 0
    /// Whether some decision had fewer choices.
    var hasUnavailableVariants = false
  }

  /// By number of the place.
  private(set) var places: [Place]
  /// The least propensity.
  private(set) var leastPropensity = 1.0
  /// The least and the greatest reward; nil without decisions.
  private(set) var rewards: ClosedRange<Double>?

  /// Collects the places of decisions.
  init(_ entries: [CreditedDecision], _ source: EvaluationSource) {
    var variants = source.variants.variants.map(Set.init)
    var lists = variants.map { _ in Set<Int>() }
    places = variants.map { _ in Place(variants: []) }
    for entry in entries {
      let place = Int(entry.place)
      leastPropensity = min(leastPropensity, entry.propensity)
      let reward = entry.reward
      rewards =
        min(rewards?.lowerBound ?? reward, reward)...max(rewards?.upperBound ?? reward, reward)
      places[place].decisions += 1
      let list = source.context.situations.list(of: entry.situation)
      if list > 0, lists[place].insert(list).inserted {
        variants[place].formUnion(source.context.situations.lists[list])
      }
    }
    for place in places.indices {
      places[place].variants = variants[place].sorted {
        (NameKey(source.names[$0] ?? ""), $0) < (NameKey(source.names[$1] ?? ""), $1)
      }
      places[place].hasUnavailableVariants = lists[place].contains {
        source.context.situations.lists[$0].count < variants[place].count
      }
    }
  }

  /// Returns the problem of a place.
  ///
  /// - Parameters:
  ///   - place: The number of the place.
  ///   - features: The features of decisions; nil for none.
  /// - Returns: The problem; its rewards are from 0 to 1 if all of the log are.
  func problem(_ place: Int, _ features: DecisionFeatures?) -> Problem {
    let isUnit = rewards.map { $0.lowerBound >= 0 && $0.upperBound <= 1 } ?? true
    var problem = Problem(
      variants: places[place].variants.count, horizon: places[place].decisions,
      rewards: isUnit ? 0...1 : rewards)
    if let map = features?.map {
      if map.specification.isShared {
        problem.sharedFeatures = map.columnCount
      } else {
        problem.variantFeatures = map.columnCount
      }
    }
    problem.hasUnavailableVariants = places[place].hasUnavailableVariants
    return problem
  }
}
