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

  /// The size along an axis.
  subscript(axis: Axis) -> Int {
    switch axis {
    case .events: events
    case .units: units
    case .variants: variants
    case .experiments: experiments
    }
  }

  /// The size along the axis that varies.
  var varied: Int { self[axis] }

  /// The probabilities of each decision in a log that has them, as many as the variants, 10 where the variants do not
  /// vary; nil if they were too many to be written into every decision.
  var probabilities: Int? {
    axis == .variants ? (variants <= 100 ? variants : nil) : min(variants, 10)
  }

  /// The sizes of every axis in ascending order: 1, 4, 16 and 64 times the smallest number of events; and four times it
  /// by 10, 10,000 and 1,000,000 units, by 2 to 10,000 variants, and by 1 to 10,000 experiments of two variants, with
  /// ten events for each unit.
  static func all(from smallest: Int) -> [GrowthSize] {
    let events = smallest * 4
    return [1, 4, 16, 64].map { GrowthSize(axis: .events, events: smallest * $0) }
      + [10, 10_000, 1_000_000].map { GrowthSize(axis: .units, events: events, units: $0) }
      + [2, 100, 1_000, 10_000].map { GrowthSize(axis: .variants, events: events, variants: $0) }
      + [1, 100, 1_000, 10_000].map {
        GrowthSize(
          axis: .experiments, events: events, units: max(1, events / 10), variants: 2,
          experiments: $0)
      }
  }
}
