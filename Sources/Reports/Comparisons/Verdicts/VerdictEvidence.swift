package import Replay

/// Facts about the data of a comparison besides its own numbers.
package struct VerdictEvidence: Sendable {
  /// The data-quality checks of the same experiments; nil if they are unavailable.
  package var checks: [HealthCheck]? {
    didSet { telling = Self.telling(checks) }
  }
  /// Those of the checks that say something about comparisons: few, however many variants were checked.
  private var telling: [HealthCheck] = []
  /// By experiment, point and slot (an arm with variant 0), metrics that vary in all of its variants.
  package var varyingMetrics: [Arm: [Metric]] = [:]

  /// Whether units in several variants belong to their first one, so that none is left out for what it saw later.
  package var keepsCrossedUnits = false

  /// Creates evidence without any check.
  package init(checks: [HealthCheck]? = nil) {
    self.checks = checks
    telling = Self.telling(checks)
  }

  private static func telling(_ checks: [HealthCheck]?) -> [HealthCheck] {
    (checks ?? []).filter {
      VerdictFinding.effect(of: $0) != nil && $0.name != .sampleRatio && $0.name != .crossedUnits
    }
  }

  /// Returns the findings of a point and slot, of its experiment, and of the whole log. The sample ratio and units in
  /// several variants are those of the comparison itself.
  func findings(of pair: VariantPairs.Pair) -> [VerdictFinding] {
    var exposures = pair.findings
    for index in exposures.indices
    where keepsCrossedUnits && exposures[index].name == HealthCheck.Name.crossedUnits.rawValue {
      exposures[index].effect = .warns
      // Without the advice to do what was done.
      exposures[index].text = String(exposures[index].text.prefix { $0 != ";" })
    }
    let own = telling.filter { check in
      guard let experiment = check.experiment else { return true }
      guard Self.isSame(experiment, pair.experiment) else { return false }
      guard let point = check.point, let slot = check.slot else { return true }
      return Self.isSame(point, pair.point) && Self.isSame(slot, pair.slot)
        && check.dimensionValue == pair.value.text
    }
    return exposures + own.compactMap { VerdictFinding($0, of: pair.treatment.metric) }
  }

  /// By bytes: names that are equal in Swift may differ in how accents are composed.
  private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
