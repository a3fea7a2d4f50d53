extension StorefrontExperiment {
  /// The expectation and variance of the reward of a decision.
  struct Moments {
    let mean: Double
    let variance: Double
  }

  /// Returns the moments of a variant of a slot on one device, or, without one, over all units.
  ///
  /// A goal is credited in every slot, so the reward probability of a variant is its own plus the average of the other
  /// slot's variants, which are drawn uniformly. The sums are integers, divided once.
  func moments(of variant: Int, in slot: Int, device: Int? = nil) -> Moments {
    var weighted = 0
    var divisor = 10_000
    for other in UnitTraits.devices.indices where device == nil || device == other {
      let weight = device == nil ? UnitTraits.devices[other].percent : 100
      weighted += weight * summedChance(of: variant, in: slot, device: other)
    }
    divisor *= 100
    for other in slots.indices where other != slot { divisor *= slots[other].variants.count }
    guard case .cents(let ranges) = worth else {
      return Moments(
        mean: Double(weighted) / Double(divisor),
        variance: Double(weighted * (divisor - weighted)) / Double(divisor * divisor))
    }
    let (mean, meanSquare) = Self.amount(in: ranges[variant])
    let chance = Double(weighted) / Double(divisor)
    let rewardMean = Double(weighted) * mean / Double(divisor)
    return Moments(mean: rewardMean, variance: chance * meanSquare - rewardMean * rewardMean)
  }

  /// Returns the mean and the mean square of an amount drawn from a range of cents.
  static func amount(in range: ClosedRange<Int>) -> (mean: Double, meanSquare: Double) {
    let mean = Double(range.lowerBound + range.upperBound) / 200
    let count = Double(range.count)
    // A uniform integer among n has variance (n² − 1)/12.
    return (mean, mean * mean + (count * count - 1) / 12 / 10_000)
  }

  /// Returns the reward probability on a device, summed over the variants of the other slot, if there is one.
  private func summedChance(of variant: Int, in slot: Int, device: Int) -> Int {
    var count = 1
    var sum = 0
    for other in slots.indices where other != slot {
      count *= slots[other].variants.count
      for chances in chances[other] { sum += chances[device] }
    }
    return count * chances[slot][variant][device] + sum
  }
}
