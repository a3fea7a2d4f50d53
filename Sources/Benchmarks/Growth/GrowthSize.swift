/// The size of a log, or of a simulation, along one axis of growth.
struct GrowthSize {
  /// The axis of a growth benchmark: its size varies while the others stay.
  enum Axis: String, CaseIterable { case events, units, variants, experiments }

  let axis: Axis
  var events: Int
  var units = 10_000
  /// The variants of each experiment.
  var variants = 100
  var experiments = 1

  /// Whether the rows of reports grow along the axis.
  var growsRows: Bool { axis == .variants || axis == .experiments }

  /// The axis that varies.
  var varied: Int {
    switch axis {
    case .events: events
    case .units: units
    case .variants: variants
    case .experiments: experiments
    }
  }

  /// The sizes of every axis in ascending order: 1, 4, 16 and 64 times the smallest number of events; four times it by
  /// 10, 10,000 and 1,000,000 units, and by 2, 100 and 10,000 variants; and the smallest number by 1 to 10,000
  /// experiments of two variants, with ten events for each unit.
  static func all(from smallest: Int) -> [GrowthSize] {
    [1, 4, 16, 64].map { GrowthSize(axis: .events, events: smallest * $0) }
      + [10, 10_000, 1_000_000].map { GrowthSize(axis: .units, events: smallest * 4, units: $0) }
      + [2, 100, 10_000].map {
        GrowthSize(axis: .variants, events: smallest * 4, variants: $0)
      }
      + [1, 100, 1_000, 10_000].map {
        GrowthSize(
          axis: .experiments, events: smallest, units: max(1, smallest / 10), variants: 2,
          experiments: $0)
      }
  }
}
