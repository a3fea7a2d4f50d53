internal import EventLog
internal import Replay
internal import Statistics

/// Which variant is compared with which, in every experiment, point, slot and value of the dimension, for every metric.
struct ComparisonPairs {
  /// A variant and its baseline.
  struct Pair {
    var experiment: String
    var point: String
    var slot: String
    var value: DimensionValue
    var variant: String
    var baseline: String?
    var treatment: ComparedGroup
    /// Nil when there is nothing to compare with, for the reason.
    var control: ComparedGroup?
    var reason: String?
    /// The same, stratum by stratum; empty without post-stratification.
    var strata: [(treatment: ComparedGroup, control: ComparedGroup)] = []
    /// The p-value of the test of sample ratio mismatch.
    var sampleRatio: Double?
  }

  /// The variants of one point and slot, for one value of the dimension.
  fileprivate struct Cell {
    /// Told apart by code: two names may be equal but for how accents are written.
    var variants: [(code: UInt32, name: String, list: MetricTallyList)] = []
    /// For each value of the dimension, with post-stratification.
    var strata: [String: [UInt32: MetricTallyList]] = [:]
  }

  private struct Place: Hashable {
    var arm: Arm
    var value: DimensionValue
  }

  let pairs: [Pair]

  init(_ tallies: MetricTallies, _ metrics: [Metric], _ names: LogNames, _ plan: ComparisonPlan) {
    var cells: [Place: Cell] = [:]
    for (segment, list) in tallies.segments {
      var place = Place(arm: segment.arm, value: plan.isPostStratified ? .unknown : segment.value)
      place.arm.variant = 0
      let name = names.string(segment.arm.variant, in: .variants) ?? ""
      cells[place, default: Cell()].add(
        segment.arm.variant, name, list, stratum: plan.isPostStratified ? segment.value : nil)
    }
    pairs = cells.flatMap { place, cell in
      Self.pairs(place.arm, place.value, cell.sorted(), metrics, names, plan)
    }
  }

  private static func pairs(
    _ place: Arm, _ value: DimensionValue, _ cell: Cell, _ metrics: [Metric], _ names: LogNames,
    _ plan: ComparisonPlan
  ) -> [Pair] {
    let baseline = BaselineRule(plan.baseline).index(cell.variants.map(\.name))
    let ratio = sampleRatio(cell, plan)
    var pairs: [Pair] = []
    for (index, variant) in cell.variants.enumerated()
    where index != baseline || cell.variants.count == 1 {
      for (number, metric) in metrics.enumerated() {
        let group = { (list: MetricTallyList) in
          ComparedGroup(metric: metric, units: list.units, tally: list.metrics[number])
        }
        let control = baseline.map { cell.variants[$0] }
        let isAlone = cell.variants.count == 1
        var pair = Pair(
          experiment: names.string(place.experiment, in: .experiments) ?? "",
          point: names.string(place.point, in: .points) ?? "point-1",
          slot: names.string(place.slot, in: .slots) ?? "decision-1", value: value,
          variant: variant.name, baseline: control?.name ?? plan.baseline,
          treatment: group(variant.list), sampleRatio: ratio)
        if let control, !isAlone {
          pair.control = group(control.list)
          pair.strata = cell.strata.keys.sorted(by: inBytes).compactMap { stratum in
            let lists = cell.strata[stratum] ?? [:]
            let none = variant.list.emptied
            return (group(lists[variant.code] ?? none), group(lists[control.code] ?? none))
          }
        } else {
          pair.reason = control == nil ? "the baseline has no units" : "no other variant"
        }
        pairs.append(pair)
      }
    }
    return pairs
  }

  /// Whether counts fit equal or expected shares; nil when a variant has no expected share, or there is only one.
  private static func sampleRatio(_ cell: Cell, _ plan: ComparisonPlan) -> Double? {
    guard plan.testsSampleRatio else { return nil }
    var counts = cell.variants.map(\.list.units)
    guard !plan.expectedShares.isEmpty else {
      return SampleRatio.chiSquared(counts: counts, shares: counts.map { _ in 1 })?.pValue
    }
    var shares: [Double] = []
    for variant in cell.variants {
      guard let share = plan.expectedShares[variant.name] else { return nil }
      shares.append(share)
    }
    // A variant that should have had units and has none counts too.
    let missing = plan.expectedShares.filter { share in
      !cell.variants.contains { $0.name == share.key }
    }
    for name in missing.keys.sorted(by: inBytes) {
      shares.append(missing[name] ?? 0)
      counts.append(0)
    }
    return SampleRatio.chiSquared(counts: counts, shares: shares)?.pValue
  }

  static func inBytes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

extension ComparisonPairs.Cell {
  fileprivate mutating func add(
    _ code: UInt32, _ name: String, _ list: MetricTallyList, stratum: DimensionValue?
  ) {
    if let index = variants.firstIndex(where: { $0.code == code }) {
      variants[index].list.merge(list)
    } else {
      variants.append((code, name, list))
    }
    guard let stratum else { return }
    // Unknown sorts before every text.
    strata[stratum.text.map { "t" + $0 } ?? "", default: [:]][code] = list
  }

  fileprivate func sorted() -> Self {
    var sorted = self
    sorted.variants.sort { ComparisonPairs.inBytes($0.name, $1.name) }
    return sorted
  }
}

/// Which variant of an experiment is the baseline.
struct BaselineRule {
  private let name: String?
  private static let known = ["control", "baseline", "a"]

  /// - Parameter name: The variant's name; nil for one whose name says it, whatever its case, else the first.
  init(_ name: String?) { self.name = name }

  /// The index of the baseline among names in the order of their bytes; nil when the name asked for is not there.
  func index(_ names: [String]) -> Int? {
    if let name { return names.firstIndex { $0 == name } }
    for known in Self.known {
      if let index = names.firstIndex(where: { $0.lowercased() == known }) { return index }
    }
    return names.isEmpty ? nil : 0
  }
}
