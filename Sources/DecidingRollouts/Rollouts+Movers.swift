public import Events

extension Rollouts {
  /// Returns the share of units, in 0 ... 1, whose result would change with another configuration, for each
  /// experiment of either configuration.
  ///
  /// It is exact for units that have their variant from their number, of which all 1 000 000 are equally
  /// likely. Filters, conditions and restrictions are ignored. A unit that changes from a variant to the
  /// default, or back, counts as moved.
  ///
  /// - Complexity: O(number of variants) for each experiment.
  public static func movers(from old: RolloutConfiguration?, to new: RolloutConfiguration?)
    -> [ExperimentID: Double]
  {
    var names = Set((old?.experiments ?? []).map(\.name))
    names.formUnion((new?.experiments ?? []).map(\.name))
    var shares: [ExperimentID: Double] = [:]
    for name in names { shares[name] = movers(from: old?[name], to: new?[name]) }
    return shares
  }

  private static func movers(from old: RolloutExperiment?, to new: RolloutExperiment?) -> Double {
    let (before, after) = (NumberRanges(old), NumberRanges(new))
    let staying = new?.isSticky == true ? Set(after.variants) : []
    var moved = 0
    var start = 0
    // Nothing changes between two adjacent ends of either configuration, so one number represents the range.
    for end in Set(before.ends + after.ends).sorted() where end > start {
      let (was, now) = (before.variant(at: end), after.variant(at: end))
      let stays = was.map(staying.contains) ?? false
      if was != now, !stays { moved += end - start }
      start = end
    }
    return Double(moved) / 1_000_000
  }
}

/// The number ranges of the variants, in millionths.
private struct NumberRanges {
  let variants: [VariantID]
  let ends: [Int]
  private let walk: RolloutWalk

  init(_ experiment: RolloutExperiment?) {
    let variants = experiment?.variants ?? []
    self.variants = variants.map(\.name)
    walk = RolloutWalk(variants.map(\.weight))
    ends = walk.bounds.filter { $0 >= 0 }.map(Self.last) + [1_000_000]
  }

  func variant(at millionths: Int) -> VariantID? {
    walk.index(of: Double(millionths) / 1_000_000).map { variants[$0] }
  }

  /// Returns the last number within the bound.
  private static func last(_ bound: Double) -> Int {
    var number = Int((bound * 1_000_000).rounded())
    if Double(number) / 1_000_000 > bound { number -= 1 }
    return number
  }
}
