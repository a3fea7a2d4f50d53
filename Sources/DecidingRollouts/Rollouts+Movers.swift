public import Events

extension Rollouts {
  /// The share of units, in 0 ... 1, that a changed configuration would give something else, for each
  /// experiment of either configuration.
  ///
  /// It is exact for units that have their variant from their number, of which all 1 000 000 are as likely.
  /// Filters, conditions and restrictions are left out. A unit that gets the default counts as moved when it got
  /// a variant before, and the other way round.
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
    // Between two ends of either walk nothing changes, so one number speaks for all.
    for end in Set(before.ends + after.ends).sorted() where end > start {
      let (was, now) = (before.variant(at: end), after.variant(at: end))
      let stays = was.map(staying.contains) ?? false
      if was != now, !stays { moved += end - start }
      start = end
    }
    return Double(moved) / 1_000_000
  }
}

/// Which numbers lead to which variant, in millionths.
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

  /// The last number that is not beyond the bound.
  private static func last(_ bound: Double) -> Int {
    var number = Int((bound * 1_000_000).rounded())
    if Double(number) / 1_000_000 > bound { number -= 1 }
    return number
  }
}
