import Events
import TestSupport

@testable import Replay

/// Units, their exposures and their conversions by the words of their definition: what a projector is held against.
struct NaiveUnits {
  /// An exposure, or a conversion or goal; `experiment` is empty for conversions.
  struct Signal {
    var unit: String
    var experiment: String
    /// Point and slot of an exposure, the goal of the others.
    var place: String
    var variant = ""
    var time: Int64
    var value = 0.0
    var isNegative = false
  }

  private(set) var exposures: [Signal] = []
  private(set) var conversions: [Signal] = []
  private(set) var goals: [Signal] = []

  init(_ events: [Event]) {
    var held: [Signal] = []
    for (_, event) in EventOrder.sorted(events) {
      let (unit, time) = (event.unit.rawValue, event.time.microseconds)
      switch event.payload {
      case .decision(let decision):
        let signal = Signal(
          unit: unit, experiment: decision.experiment.rawValue,
          place: Self.place(decision.point, decision.slot), variant: decision.variant.rawValue,
          time: time)
        if [nil, .confirmed, .repeated].contains(decision.status) { exposures.append(signal) }
        if decision.status == .provisional { held.append(signal) }
      case .decisionConfirmed(let confirmed):
        let isConfirmed = { (signal: Signal) in
          signal.unit == unit && signal.experiment == confirmed.experiment.rawValue
            && (confirmed.slot.map { signal.place == Self.place(confirmed.point, $0) }
              ?? signal.place.hasPrefix((confirmed.point ?? .standard).rawValue + "/"))
        }
        exposures += held.filter(isConfirmed).map { signal in
          var signal = signal
          signal.time = time
          return signal
        }
        held.removeAll(where: isConfirmed)
      case .conversion(let conversion):
        let isNegative = conversion.takesBack
        let revenue = conversion.revenue ?? 0
        conversions.append(
          Signal(
            unit: unit, experiment: "", place: conversion.goal.rawValue, time: time,
            value: isNegative ? -revenue.magnitude : revenue, isNegative: isNegative))
      case .goal(let goal) where goal.status != .refused:
        goals.append(
          Signal(
            unit: unit, experiment: goal.experiment.rawValue, place: goal.goal.rawValue, time: time,
            value: goal.value ?? 1))
      default: break
      }
    }
  }

  private static func place(_ point: PointID?, _ slot: SlotID?) -> String {
    (point ?? .standard).rawValue + "/" + (slot ?? .standard).rawValue
  }

  func signals(_ source: ConversionSource) -> [Signal] {
    source == .conversions ? conversions : goals
  }

  /// Since when each unit belongs to which variants of an experiment, at each of its places.
  func assigned(_ experiment: String, _ attribution: Attribution) -> [String: [String: [Int64]]] {
    let variants = Array(Set(exposures.map(\.variant)))
    var result: [String: [String: [Int64]]] = [:]
    let here = exposures.filter { $0.experiment == experiment }
    for (key, exposures) in Dictionary(grouping: here, by: { [$0.unit, $0.place] }) {
      let assignment = attribution.assignment(
        of: exposures.map {
          Exposure(time: $0.time, variant: UInt32(variants.firstIndex(of: $0.variant) ?? 0))
        })
      guard let (variant, since) = assignment else { continue }
      let name = variants[Int(variant)]
      result[key[0], default: [:]][name, default: []].append(since)
    }
    return result
  }

  /// What counts for the variants of a unit in an experiment, in order, by variant: a limit is one of each goal at each place.
  func counted(
    _ source: ConversionSource, unit: String, experiment: String, variants: [String: [Int64]],
    _ attribution: Attribution
  ) -> [String: [Signal]] {
    let all = signals(source).filter {
      $0.unit == unit && ($0.experiment == "" || $0.experiment == experiment)
    }
    let most = attribution.counting == .once ? 1 : attribution.limit ?? .max
    let open = { (since: Int64) in
      attribution.counted(
        all.map { GoalSignal(time: $0.time, value: source == .conversions ? abs($0.value) : $0.value) }, since: since)
    }
    return variants.mapValues { times in
      let earliest = Set(open(times.min() ?? .max))
      let first = times.flatMap { since in
        Dictionary(grouping: open(since).filter(earliest.contains)) { all[$0].place }.values
          .flatMap { $0.prefix(most) }
      }
      return Set(first).sorted().map { all[$0] }
    }
  }

  func goals(_ source: ConversionSource, of experiment: String) -> Set<String> {
    Set(
      signals(source).filter { $0.experiment == "" || $0.experiment == experiment }.map(\.place))
  }
}

extension SmallWorld {
  /// Any attribution to first exposures, in which nothing is too rare to be met.
  static func attribution(_ random: inout SeededGenerator) -> Attribution {
    var attribution = Attribution(rule: .first)
    let window = random.chance(0.6) ? Int64(random.index(8)) : nil
    attribution = attribution.limited(to: window)
    if random.chance(0.3) { attribution.delay = Int64(random.index(3)) }
    if random.chance(0.2) { attribution.counting = .once }
    if random.chance(0.2) { attribution.limit = 1 + random.index(3) }
    if random.chance(0.2) { attribution.minimum = Double(random.index(3)) - 1 }
    if random.chance(0.2) { attribution.maximum = Double(random.index(5)) }
    if random.chance(0.4) {
      attribution.end = Timestamp(microseconds: Int64(random.index(12)))
      attribution.excludesInProgress = random.chance(0.5)
    }
    if random.chance(0.4) { attribution.crossing = .first }
    return attribution
  }
}
