internal import EventLog
internal import Replay

/// A point and slot of an experiment, and the units that were exposed there first to each of its variants.
struct ExposurePlace {
  /// What is checked there, without a name yet.
  var experiment: String
  var point: String
  var slot: String
  var dimensionValue: String?
  /// The variants in the order of their names' bytes.
  var arms: [(variant: String, tally: ExposureTally)]

  /// The units of all variants.
  var units: Int { arms.reduce(0) { $0 + $1.tally.units } }

  /// A check of the place.
  func check(_ name: HealthCheck.Name, variant: String? = nil) -> HealthCheck {
    var check = HealthCheck(name, experiment: experiment)
    check.point = point
    check.slot = slot
    check.variant = variant
    check.dimensionValue = dimensionValue
    return check
  }

  /// The places of some tallies; their order does not matter, because reports are sorted.
  static func places(of tallies: HealthTallies, _ names: LogNames) -> [ExposurePlace] {
    let groups = Dictionary(grouping: tallies.exposures) { segment, _ in
      var place = segment
      place.arm.variant = 0
      return place
    }
    return groups.map { place, segments in
      let arms = segments.map {
        (variant: names.string($0.key.arm.variant, in: .variants) ?? "", tally: $0.value)
      }
      return ExposurePlace(
        experiment: names.string(place.arm.experiment, in: .experiments) ?? "",
        point: names.string(place.arm.point, in: .points) ?? "point-1",
        slot: names.string(place.arm.slot, in: .slots) ?? "decision-1",
        dimensionValue: place.value.text,
        arms: arms.sorted { $0.variant.utf8.lexicographicallyPrecedes($1.variant.utf8) })
    }
  }

  // MARK: Design

  /// Whether the propensities of first exposures are not those of one deal: a variant has several, or those of all
  /// variants add up to more than 1. Then the policy looked at something, or learned, and units of one variant are not
  /// like those of another.
  var isAdaptive: Bool {
    let known = arms.filter { $0.tally.lowestPropensity <= $0.tally.highestPropensity }
    return known.contains {
      $0.tally.highestPropensity - $0.tally.lowestPropensity > PropensityTally.tolerance
    } || known.reduce(0) { $0 + Self.share($1.tally) } > 1 + sumTolerance
  }

  private static func share(_ tally: ExposureTally) -> Double {
    (tally.lowestPropensity + tally.highestPropensity) / 2
  }

  private var sumTolerance: Double { PropensityTally.tolerance * Double(arms.count) }

  /// How the variants were meant to share the units.
  enum Intention {
    /// The share of each variant, also of those that no unit was exposed to; what is left of 1 belongs to variants that
    /// are not known.
    case shares([(variant: String, units: Int, share: Double)], rest: Double, source: String)
    /// It cannot be known, and why.
    case unknown(String)
  }

  /// The shares that were given, or that the propensities say, or equal ones where nothing is known.
  func intention(_ expected: ExpectedShares, among experiments: [String]) -> Intention {
    let seen = arms.map(\.variant)
    if let weights = expected.weights(of: experiment, among: experiments, seen: seen) {
      let known = Set(seen.map { Array($0.utf8) })
      let missing = weights.keys.filter { !known.contains($0) }.map {
        (String(decoding: $0, as: UTF8.self), 0)
      }
      let all = (arms.map { ($0.variant, $0.tally.units) } + missing).map {
        (variant: $0.0, units: $0.1, share: weights[Array($0.0.utf8)] ?? 0)
      }
      return .shares(
        all.sorted { $0.variant.utf8.lexicographicallyPrecedes($1.variant.utf8) }, rest: 0,
        source: "shares as given")
    }
    let unknown = arms.reduce(0) { $0 + $1.tally.unitsWithoutPropensity }
    if unknown == units {
      return .shares(
        arms.map { ($0.variant, $0.tally.units, 1) }, rest: 0,
        source: "equal shares, because no propensity is logged")
    }
    guard unknown == 0 else {
      return .unknown(
        "\(unknown) of \(units) first exposures have no propensity; give the shares (--expect)")
    }
    return intentionByPropensities()
  }

  /// A policy that always gave every variant the same propensity dealt units by these.
  private func intentionByPropensities() -> Intention {
    guard !isAdaptive else {
      return .unknown(
        "propensities are those of an adaptive policy; propensity_calibration compares variants with their logged "
          + "probabilities, or give the shares (--expect)")
    }
    let shares = arms.map { Self.share($0.tally) }
    guard shares.allSatisfy({ $0 > 0 }) else {
      return .unknown("a propensity is not above 0; give the shares (--expect)")
    }
    let rest = 1 - shares.reduce(0, +)
    return .shares(
      zip(arms, shares).map { ($0.variant, $0.tally.units, $1) },
      rest: rest > sumTolerance ? rest : 0, source: "logged propensities")
  }
}
