internal import EventLog
internal import Replay

/// A point and slot of an experiment, with the units first exposed there to each of its variants.
struct ExposurePlace {
  /// The place as a check that has no name yet.
  var experiment: String
  var point: String
  var slot: String
  var dimensionValue: String?
  /// The variants, sorted by the bytes of their names.
  var arms: [(variant: String, tally: ExposureTally)]

  /// The number of units of all variants.
  var units: Int { arms.reduce(0) { $0 + $1.tally.first.units } }

  /// Creates a check of the place.
  func check(_ name: HealthCheck.Name, variant: String? = nil) -> HealthCheck {
    var check = HealthCheck(name, experiment: experiment)
    check.point = point
    check.slot = slot
    check.variant = variant
    check.dimensionValue = dimensionValue
    return check
  }

  /// Returns the places of tallies, in no particular order: reports are sorted.
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
      let sorted = arms.sorted { $0.variant.utf8.lexicographicallyPrecedes($1.variant.utf8) }
      var allocation = UnitAllocation(sorted.map { .init($0.variant, $0.tally.first) })
      allocation.add(tallies.expected[place]) { names.string($0, in: .variants) ?? "" }
      return ExposurePlace(
        experiment: names.string(place.arm.experiment, in: .experiments) ?? "",
        point: names.string(place.arm.point, in: .points) ?? "point-1",
        slot: names.string(place.arm.slot, in: .slots) ?? "decision-1",
        dimensionValue: place.value.text,
        arms: sorted, allocation: allocation)
    }
  }

  // MARK: Design

  /// The input of the sample ratio mismatch test.
  let allocation: UnitAllocation

  /// Whether the policy used context, or learned: ``UnitAllocation/isAdaptive``.
  var isAdaptive: Bool { allocation.isAdaptive }

  /// Returns the shares that were given, else those of the log, else equal shares.
  func intention(_ expected: ExpectedShares.Weights) -> UnitAllocation.Intention {
    allocation.intention(expected.weights(of: experiment, seen: arms.map(\.variant)))
  }
}
