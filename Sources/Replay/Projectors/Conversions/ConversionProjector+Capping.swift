internal import Statistics

extension ConversionTally {
  /// Adds the revenue of a unit, capped at the given value.
  mutating func add(_ revenue: Double, cappedAt cap: Double) {
    if revenue > cap { cappedUnits += 1 }
    perUnit.add(revenue > cap ? cap : revenue)
  }
}

extension ConversionProjector {
  /// Computes the caps, and caps the revenues of units that were kept until the caps were known.
  func cap(
    _ result: inout ConversionTallies, _ goals: SegmentTable<GoalTally>,
    _ segments: [VariantSegment]
  ) {
    guard let capping else { return }
    var units: [UInt32: Int] = [:]
    for (segment, count) in result.units { units[segment.experiment, default: 0] += count }
    let groups = Dictionary(grouping: goals.tallies.indices) { place in
      let (segment, goal) = goals.segment(at: place)
      return UInt64(segments[Int(segment)].experiment) << 32 | UInt64(goal)
    }
    for (experiment, count) in units {
      for goal in result.goals(of: experiment) {
        let places = groups[UInt64(experiment) << 32 | UInt64(goal)] ?? []
        let revenues = places.flatMap { goals.tallies[$0].revenues }
        guard let cap = capping.limit(of: revenues, count: count) else { continue }
        result.caps[experiment, default: [:]][goal] = cap
        for place in places {
          let segment = segments[Int(goals.segment(at: place).subject)]
          for revenue in goals.tallies[place].revenues {
            result.converted[segment]?[goal]?.add(revenue, cappedAt: cap)
          }
        }
      }
    }
  }
}

extension Capping {
  /// Returns the cap for a number of units, of which some have the given values and the others have 0; nil if there is
  /// nothing to take a quantile of.
  func limit(of values: [Double], count: Int) -> Double? {
    switch self {
    case .absolute(let value): return value
    case .percentile(let p, let ignoringZeros):
      let all = ValueMultiset(values, zeros: count - values.count)
      return QuantileType.linear.quantile(p, of: ignoringZeros ? all.withoutZeros : all)
    }
  }
}
