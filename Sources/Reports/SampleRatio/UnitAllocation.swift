internal import Replay
internal import Specifications

/// The units first exposed to each variant of a place, and the probabilities that their decisions logged: the input
/// of the sample ratio mismatch test in every report.
struct UnitAllocation {
  /// A variant that units were exposed to.
  struct Arm {
    var variant: String
    var units: Int
    /// The units whose first exposure has no propensity.
    var withoutPropensity: Int
    /// The units that were later exposed to another variant.
    var crossedUnits = 0
    var propensities: PropensitySums
  }

  /// The expectations for variants, over some units.
  struct Expectation {
    var units = 0
    /// By variant, including those that no unit was exposed to, sorted by the bytes of their names.
    var variants: [(variant: String, sum: Double, variance: Double)] = []

    /// Whether a variant did not have the same probability p for all units: the variance Σ p·(1 − p) of the units that
    /// get it is then less than that of the mean probability, by Σ (p − mean)².
    var isChanging: Bool {
      let count = Double(units)
      return variants.contains { variant in
        let mean = variant.sum / count
        let spread = count * mean * (1 - mean) - variant.variance
        return spread > count * PropensityTally.tolerance * PropensityTally.tolerance
      }
    }

    mutating func add(_ sums: ExpectedExposures.Sums, _ name: (UInt32) -> String) {
      units += sums.units
      var places = Dictionary(
        variants.enumerated().map { (NameKey($1.variant), $0) },
        uniquingKeysWith: { first, _ in first })
      for (code, variant) in sums.variants {
        let name = name(code)
        if let index = places[NameKey(name)] {
          variants[index].sum += variant.sum
          variants[index].variance += variant.variance
        } else {
          places[NameKey(name)] = variants.count
          variants.append((name, variant.sum, variant.variance))
        }
      }
      variants.sort { $0.variant.utf8.lexicographicallyPrecedes($1.variant.utf8) }
    }
  }

  /// The variants, sorted by the bytes of their names.
  let arms: [Arm]
  /// The expectations under the logged probabilities of all choices.
  var logged = Expectation()
  /// The expectations under equal shares of the choices of each unit without probabilities.
  var listed = Expectation()
  /// Whether all units with choices had the same ones.
  var hasEqualLists = true
  /// Whether the decisions logged probabilities of all choices or changing choices, but the source, a database, does
  /// not store them.
  var lacksProbabilities = false

  /// Why a database does not have the test of its log.
  static let unstored =
    "the database does not store the choices of each decision and their probabilities, which this test needs here; "
    + "run the report on the log, or give the shares (--expect)"

  init(_ arms: [Arm]) {
    self.arms = arms.sorted { $0.variant.utf8.lexicographicallyPrecedes($1.variant.utf8) }
  }

  /// Adds sums over logged probabilities and choices.
  mutating func add(_ exposures: ExpectedExposures?, name: (UInt32) -> String) {
    guard let exposures else { return }
    if !exposures.isStored { lacksProbabilities = true }
    logged.add(exposures.logged, name)
    if exposures.listed.units > 0 {
      let isSame =
        listed.units == 0
        || Set(listed.variants.map { NameKey($0.variant) })
          == Set(exposures.listed.variants.keys.map { NameKey(name($0)) })
      hasEqualLists = hasEqualLists && exposures.hasEqualLists && isSame
    }
    listed.add(exposures.listed, name)
  }

  var units: Int { arms.reduce(0) { $0 + $1.units } }

  /// Whether the propensities of first exposures are not those of one fixed allocation: a variant has several, or
  /// those of all variants sum to more than 1. Then the policy used context or learned, and units of the variants are
  /// not comparable.
  var isAdaptive: Bool { hasChangingPropensities || logged.isChanging }

  private var hasChangingPropensities: Bool {
    arms.contains { !$0.propensities.isConstant } || shareSum > 1 + sumTolerance
  }

  private var shareSum: Double { arms.reduce(0) { $0 + ($1.propensities.mean ?? 0) } }

  private var sumTolerance: Double { PropensityTally.tolerance * Double(arms.count) }

  /// The intended allocation of units to variants.
  enum Intention {
    /// The share of each variant, including those without units; the rest up to 1 belongs to unknown variants.
    case shares([(variant: String, units: Int, share: Double)], rest: Double, source: String)
    /// Sums over first exposures of the probability of each variant, and the variance of the units.
    case sums([(variant: String, units: Int, expected: Double, variance: Double)], source: String)
    /// Only the propensity of the chosen variant is known, and it changed: Σ 1/p and its variance.
    case inverses(
      [(variant: String, units: Int, inverses: Double, variance: Double)], source: String)
    /// The allocation is unknown, for the reason given.
    case unknown(String)
  }

  /// Returns the shares that were given, else those of the log, else equal shares.
  ///
  /// - Parameter weights: Shares by the bytes of the variants' names; nil if none were given.
  /// - Returns: The allocation that the units are tested against.
  func intention(_ weights: [[UInt8]: Double]?) -> Intention {
    if let weights { return given(weights) }
    let unknown = arms.reduce(0) { $0 + $1.withoutPropensity }
    // Where only some have no propensity, the log tests nothing either, unless all have probabilities.
    if lacksProbabilities, !isByPropensities, unknown == 0 || unknown == units {
      return .unknown(Self.unstored)
    }
    if unknown == units, logged.units == 0 { return byChoices() }
    if logged.units == units, units > 0, !isByPropensities { return byProbabilities() }
    guard unknown == 0 else {
      return .unknown(
        "\(unknown) of \(units) first exposures have no propensity; give the shares (--expect)")
    }
    guard arms.allSatisfy({ $0.propensities.unusable == 0 }) else {
      return .unknown(
        "a propensity is not above \(PropensitySums.least) and at most 1; give the shares (--expect)"
      )
    }
    return byPropensities()
  }

  /// Whether the propensities of the chosen variants carry as much information as all probabilities.
  private var isByPropensities: Bool {
    guard arms.allSatisfy({ $0.withoutPropensity == 0 && $0.propensities.unusable == 0 }) else {
      return false
    }
    if !hasChangingPropensities || lacksProbabilities { return !hasChangingPropensities }
    return arms.count == 2 && !hasUnseenChoices
  }

  /// Whether there is a choice, with a probability above 0 or without a logged one, that no unit got.
  var hasUnseenChoices: Bool {
    let seen = Set(arms.map { NameKey($0.variant) })
    return (logged.variants + listed.variants).contains {
      $0.sum > 0 && !seen.contains(NameKey($0.variant))
    }
  }

  private func given(_ weights: [[UInt8]: Double]) -> Intention {
    let known = Set(arms.map { Array($0.variant.utf8) })
    let missing = weights.keys.filter { !known.contains($0) }.map {
      (String(decoding: $0, as: UTF8.self), 0)
    }
    let all = (arms.map { ($0.variant, $0.units) } + missing).map {
      (variant: $0.0, units: $0.1, share: weights[Array($0.0.utf8)] ?? 0)
    }
    return .shares(
      all.sorted { $0.variant.utf8.lexicographicallyPrecedes($1.variant.utf8) }, rest: 0,
      source: "shares as given")
  }

  /// Equal shares of the variants that units got or could have got.
  private func byChoices() -> Intention {
    let seen = Set(arms.map { NameKey($0.variant) })
    let isCovered = seen.isSubset(of: listed.variants.map { NameKey($0.variant) })
    guard listed.units > 0, !hasEqualLists || !isCovered else {
      let unseen = listed.variants.map { ($0.variant, 0) }.filter { !seen.contains(NameKey($0.0)) }
      let all = (arms.map { ($0.variant, $0.units) } + unseen).sorted {
        $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
      }
      return .shares(
        all.map { ($0.0, $0.1, 1) }, rest: 0,
        source: "equal shares, because no propensity is logged")
    }
    guard listed.units == units else {
      return .unknown(
        "\(units - listed.units) of \(units) first exposures do not list their choices, and those of others change; "
          + "give the shares (--expect)")
    }
    return sums(
      listed, "equal shares of the choices of each decision, because no propensity is logged")
  }

  private func byProbabilities() -> Intention {
    sums(logged, "logged probabilities of all choices, summed over first exposures")
  }

  private func sums(_ expectation: Expectation, _ source: String) -> Intention {
    var rows = expectation.variants.map {
      (variant: $0.variant, units: 0, expected: $0.sum, variance: $0.variance)
    }
    let places = Dictionary(
      rows.enumerated().map { (NameKey($1.variant), $0) }, uniquingKeysWith: { first, _ in first })
    for arm in arms {
      if let index = places[NameKey(arm.variant)] {
        rows[index].units += arm.units
      } else {
        rows.append((arm.variant, arm.units, 0, 0))
      }
    }
    rows.sort { $0.variant.utf8.lexicographicallyPrecedes($1.variant.utf8) }
    return .sums(rows, source: source)
  }

  private func byPropensities() -> Intention {
    guard hasChangingPropensities else {
      let rest = 1 - shareSum
      return .shares(
        arms.map { ($0.variant, $0.units, $0.propensities.mean ?? 0) },
        rest: rest > sumTolerance ? rest : 0, source: "logged propensities")
    }
    guard arms.count == 2, !hasUnseenChoices else {
      return .inverses(
        arms.map {
          ($0.variant, $0.units, $0.propensities.inverseSum, $0.propensities.inverseVariance)
        },
        source: "logged propensities of the chosen variants, which change: sums of 1/p")
    }
    // With two variants, the probability not given to one was given to the other.
    let sums = arms.map(\.propensities)
    let variance = sums[0].variance + sums[1].variance
    return .sums(
      [0, 1].map { index in
        let other = sums[1 - index]
        return (
          arms[index].variant, arms[index].units,
          sums[index].sum + (Double(other.known) - other.sum), variance
        )
      }, source: "logged propensities, summed over first exposures")
  }
}

extension UnitAllocation.Arm {
  /// Creates a variant with its first exposures.
  init(_ variant: String, _ exposures: FirstExposures) {
    self.init(
      variant: variant, units: exposures.units,
      withoutPropensity: exposures.unitsWithoutPropensity, crossedUnits: exposures.crossedUnits,
      propensities: exposures.propensities)
  }
}
