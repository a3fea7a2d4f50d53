internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// The pairs to compare in every experiment, point, slot and value of the dimension, for every metric.
struct VariantPairs {
  /// A variant and its baseline.
  struct Pair {
    /// The experiment, point and slot, with variant 0.
    var place: Arm
    var names: ArmNames
    var baseline: String?
    var treatment: MetricSample
    /// Nil if there is nothing to compare with, for the reason given.
    var control: MetricSample?
    var reason: String?
    /// The groups within each stratum; empty without post-stratification.
    var strata: [(treatment: MetricSample, control: MetricSample)] = []
    /// The p-value of the sample ratio mismatch test.
    var sampleRatio: Double?
    /// The faults of the data that the first exposures show.
    var findings: [VerdictFinding] = []
  }

  /// The variants of one point and slot, for one value of the dimension.
  fileprivate struct Cell {
    /// Identified by code: two names may differ only in how accents are composed.
    var variants: [(code: UInt32, name: String, list: MetricTallyList)] = []
    /// By code, the place among the variants until they are sorted.
    var places: [UInt32: Int] = [:]
    /// The tallies by value of the dimension, with post-stratification.
    var strata: [NameKey: [UInt32: MetricTallyList]] = [:]
    /// The first exposures to each variant, including units that are excluded.
    var exposures: [UInt32: FirstExposures] = [:]
    /// The expected exposures of each variant under the logged probabilities.
    var expected: [ExpectedExposures] = []
  }

  private struct Place: Hashable {
    var arm: Arm
    var value: DimensionValue
  }

  let pairs: [Pair]
  /// The number of times each expectation of the units was used, by its description.
  let expectations: [String: Int]

  init(_ tallies: MetricTallies, _ metrics: [Metric], _ names: LogNames, _ plan: ComparisonPlan) {
    var cells: [Place: Cell] = [:]
    for (segment, list) in tallies.segments {
      var place = Place(arm: segment.arm, value: plan.isPostStratified ? .unknown : segment.value)
      place.arm.variant = 0
      let name = names.string(segment.arm.variant, in: .variants) ?? ""
      cells[place, default: Cell()].add(
        segment.arm.variant, name, list, stratum: plan.isPostStratified ? segment.value : nil)
    }
    for (segment, exposures) in tallies.exposures {
      let value = plan.isPostStratified ? DimensionValue.unknown : segment.value
      var place = Place(arm: segment.arm, value: value)
      place.arm.variant = 0
      cells[place]?.exposures[segment.arm.variant, default: FirstExposures()].merge(exposures)
    }
    for (segment, expected) in tallies.expected {
      let value = plan.isPostStratified ? DimensionValue.unknown : segment.value
      cells[Place(arm: segment.arm, value: value)]?.expected.append(expected)
    }
    var expectations: [String: Int] = [:]
    pairs = cells.flatMap { place, cell in
      let cell = cell.sorted()
      let allocation = Self.allocation(cell, names)
      let finding = Self.sampleRatio(allocation, plan)
      if let finding { expectations[finding.source ?? finding.detail, default: 0] += 1 }
      let findings = VerdictFinding.findings(of: allocation, finding)
      return Self.pairs(place.arm, place.value, cell, metrics, names, plan).map { pair in
        var pair = pair
        (pair.sampleRatio, pair.findings) = (finding?.pValue, findings)
        return pair
      }
    }
    self.expectations = expectations
  }

  private static func pairs(
    _ place: Arm, _ value: DimensionValue, _ cell: Cell, _ metrics: [Metric], _ names: LogNames,
    _ plan: ComparisonPlan
  ) -> [Pair] {
    let baseline = BaselineRule(plan.baseline).index(cell.variants.map(\.name))
    var pairs: [Pair] = []
    for (index, variant) in cell.variants.enumerated()
    where index != baseline || cell.variants.count == 1 {
      for (number, metric) in metrics.enumerated() {
        let group = { (list: MetricTallyList) in
          MetricSample(metric: metric, units: list.units, tally: list.metrics[number])
        }
        let control = baseline.map { cell.variants[$0] }
        let isAlone = cell.variants.count == 1
        var arm = place
        arm.variant = variant.code
        var pair = Pair(
          place: place, names: ArmNames(arm, names, value: value), baseline: control?.name ?? plan.baseline,
          treatment: group(variant.list))
        if let control, !isAlone {
          pair.control = group(control.list)
          pair.strata = cell.strata.keys.sorted().compactMap { stratum in
            let lists = cell.strata[stratum] ?? [:]
            let none = variant.list.emptied
            return (group(lists[variant.code] ?? none), group(lists[control.code] ?? none))
          }
        } else {
          pair.reason =
            control == nil
            ? "the baseline \(pair.baseline.map(AnswerText.name) ?? "") has no units here" : "no other variant"
        }
        pairs.append(pair)
      }
    }
    return pairs
  }

  private static func allocation(_ cell: Cell, _ names: LogNames) -> UnitAllocation {
    let name = { (code: UInt32) in names.string(code, in: .variants) ?? "" }
    var allocation = UnitAllocation(cell.exposures.map { .init(name($0), $1) })
    for expected in cell.expected { allocation.add(expected, name: name) }
    return allocation
  }

  /// Tests first exposures for a sample ratio mismatch, as report `health` does; nil if there is only one variant, if
  /// the test is off, or if the expected shares are those of another place: it has variants without one, and some of
  /// those with a share are not there. A variant without a share beside all those with one is to have no units.
  private static func sampleRatio(
    _ allocation: UnitAllocation, _ plan: ComparisonPlan
  ) -> SampleRatioFinding? {
    guard plan.testsSampleRatio,
      allocation.arms.count > 1 || allocation.hasUnseenChoices || !plan.expectedShares.isEmpty
    else { return nil }
    guard !plan.expectedShares.isEmpty else { return SampleRatioFinding(allocation.intention(nil)) }
    let named = Set(plan.expectedShares.filter { $0.value > 0 }.keys.map(NameKey.init))
    let known = Set(plan.expectedShares.keys.map(NameKey.init))
    let seen = Set(allocation.arms.map { NameKey($0.variant) })
    guard seen.isSubset(of: known) || named.isSubset(of: seen) else { return nil }
    let weights = plan.expectedShares.map { (Array($0.key.utf8), $0.value) }
    return SampleRatioFinding(
      allocation.intention(Dictionary(weights, uniquingKeysWith: { $1 })))
  }

  static func inBytes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

extension VariantPairs.Cell {
  fileprivate mutating func add(
    _ code: UInt32, _ name: String, _ list: MetricTallyList, stratum: DimensionValue?
  ) {
    if let index = places[code] {
      variants[index].list.merge(list)
    } else {
      places[code] = variants.count
      variants.append((code, name, list))
    }
    guard let stratum else { return }
    // Unknown sorts before all texts.
    strata[NameKey(stratum.text.map { "t" + $0 } ?? ""), default: [:]][code] = list
  }

  fileprivate func sorted() -> Self {
    var sorted = self
    sorted.variants.sort { VariantPairs.inBytes($0.name, $1.name) }
    return sorted
  }
}

/// The rule that selects the baseline of an experiment.
package struct BaselineRule {
  private let name: String?
  /// The names of baselines, the most telling first.
  private static let known = ["control", "baseline", "off", "original", "default", "a"]
  /// The rule in words.
  package static let text =
    "named \(known.dropLast().joined(separator: ", ")) or \(known.last ?? ""), else the first by name"

  /// - Parameter name: The variant's name; nil for a variant with a baseline's name, in any case, else the first
  ///   variant.
  init(_ name: String?) { self.name = name }

  /// Returns whether a variant has the name of a baseline.
  static func isKnown(_ name: String) -> Bool { known.contains(name.lowercased()) }

  /// Returns the index of the baseline among names sorted by their bytes; nil if the requested name is missing.
  func index(_ names: [String]) -> Int? {
    if let name { return names.firstIndex(ofName: name) }
    for known in Self.known {
      if let index = names.firstIndex(where: { $0.lowercased() == known }) { return index }
    }
    return names.isEmpty ? nil : 0
  }
}
