package import Replay
internal import Specifications

/// Facts about the data of a comparison besides its own numbers.
package struct VerdictEvidence: Sendable {
  /// The data-quality checks of the same experiments; nil if they are unavailable.
  package var checks: [HealthCheck]? {
    didSet { telling = Self.telling(checks) }
  }
  /// Those of the checks that say something about comparisons, with their place among all: few for an experiment,
  /// however many variants were checked. By experiment, nil for those of the whole log.
  private var telling: [NameKey?: [(place: Int, check: HealthCheck)]] = [:]
  /// By experiment, point and slot (an arm with variant 0), metrics that vary in all of its variants.
  package var varyingMetrics: [Arm: [Metric]] = [:]

  /// Whether units in several variants belong to their first one, so that none is left out for what it saw later.
  package var keepsCrossedUnits = false

  /// Creates evidence without any check.
  package init(checks: [HealthCheck]? = nil) {
    self.checks = checks
    telling = Self.telling(checks)
  }

  private static func telling(
    _ checks: [HealthCheck]?
  ) -> [NameKey?: [(place: Int, check: HealthCheck)]] {
    let telling = (checks ?? []).enumerated().filter { _, check in
      VerdictFinding.effect(of: check) != nil && check.name != .sampleRatio
        && check.name != .crossedUnits
    }
    return Dictionary(grouping: telling.map { (place: $0, check: $1) }) { _, check in
      check.experiment.map(NameKey.init)
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
    let own = (telling[NameKey(pair.names.experiment)] ?? []).filter { _, check in
      guard let point = check.point, let slot = check.slot else { return true }
      return point.isSameName(as: pair.names.point) && slot.isSameName(as: pair.names.slot)
        && check.dimensionValue == pair.names.value.text
    }
    let all = ((telling[nil] ?? []) + own).sorted { $0.place < $1.place }
    return exposures + all.compactMap { VerdictFinding($0.check, of: pair.treatment.metric) }
  }
}
