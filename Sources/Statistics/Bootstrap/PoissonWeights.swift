/// Poisson(1) weights, as a function of a seed, a unit and the number of a replicate.
///
/// A unit has the same weight in a replicate wherever and whenever it occurs, on any thread, in any part of a log. The
/// numbers come from SplitMix64, started at a mix of seed and unit: each of its words serves two replicates with 32
/// bits. The weight is found by inversion, so each has its Poisson probability to within 2⁻³²; the greatest is 12.
public struct PoissonWeights: Sendable, Equatable {
  /// The seed of the weights.
  public let seed: UInt64

  /// Creates the weights of a seed.
  public init(seed: UInt64) { self.seed = seed }

  /// Returns the weight of a unit in a replicate.
  ///
  /// - Parameters:
  ///   - unit: A hash of the unit, or any number unique to it.
  ///   - replicate: The number of the replicate, not negative.
  /// - Returns: The weight, 0 ... 12.
  /// - Complexity: O(1).
  public func weight(of unit: UInt64, in replicate: Int) -> Int {
    let place = UInt64(truncatingIfNeeded: replicate)
    let state = start(unit) &+ (place >> 1) &* SplitMix64.increment
    var words = SplitMix64(seed: state)
    let word = words.next()
    return Self.weight(UInt32(truncatingIfNeeded: place & 1 == 0 ? word : word >> 32))
  }

  /// Returns the sum of the weights of a number of units in a replicate, a Poisson number with that mean.
  ///
  /// - Parameters:
  ///   - key: A number unique to the units.
  ///   - replicate: The number of the replicate, not negative.
  ///   - units: The number of units, in 0 ... 1e15.
  /// - Returns: The weight.
  /// - Complexity: O(1).
  public func weight(of key: UInt64, in replicate: Int, units: Int) -> Int {
    guard units != 1 else { return weight(of: key, in: replicate) }
    let place = UInt64(truncatingIfNeeded: replicate)
    // Another stream than that of single units.
    var words = SplitMix64(seed: SplitMix64.mix(~start(key) ^ SplitMix64.mix(place)))
    return Draw.poisson(mean: Double(units), using: &words)
  }

  /// Calls the closure with every replicate in 0 ..< `count`, in order, and the weight of the unit in it, which may be
  /// zero.
  ///
  /// - Complexity: O(`count`), without allocation.
  @inline(__always)
  func forEach(below count: Int, of unit: UInt64, _ body: (_ replicate: Int, _ weight: Int) -> Void) {
    var words = SplitMix64(seed: start(unit))
    let known = Self.table.span
    var replicate = 0
    while replicate < count {
      let word = words.next()
      body(replicate, Self.weight(UInt32(truncatingIfNeeded: word), known))
      if replicate + 1 < count {
        body(replicate + 1, Self.weight(UInt32(truncatingIfNeeded: word >> 32), known))
      }
      replicate += 2
    }
  }

  private func start(_ unit: UInt64) -> UInt64 {
    SplitMix64.mix(SplitMix64.mix(seed &+ SplitMix64.increment) ^ unit)
  }

  /// P(weight ≤ k)·2³² for k from 0, rounded; less than 2⁻³² remains above the last one.
  private static let thresholds: InlineArray<12, UInt32> = [
    1_580_030_169, 3_160_060_337, 3_950_075_422, 4_213_413_783, 4_279_248_374, 4_292_415_292,
    4_294_609_778, 4_294_923_276, 4_294_962_463, 4_294_966_817, 4_294_967_253, 4_294_967_292,
  ]

  /// The weight at all positions that begin with the eight bits of the index; 255 if it is not unique.
  private static let table: [UInt8] = (0..<256).map { index in
    let first = UInt32(index) << 24
    let (least, most) = (weight(first), weight(first | 0xFF_FFFF))
    return least == most ? UInt8(least) : 255
  }

  /// Returns the weight at a position in the distribution, without a data-dependent branch in 97 % of the cases.
  @inline(__always)
  private static func weight(_ place: UInt32, _ known: borrowing Span<UInt8>) -> Int {
    let weight = known[Int(place >> 24)]
    return weight == 255 ? Self.weight(place) : Int(weight)
  }

  /// Returns the weight at a position in the distribution: the number of thresholds at or below it.
  static func weight(_ place: UInt32) -> Int {
    var weight = 0
    while weight < 12, place >= thresholds[weight] { weight += 1 }
    return weight
  }
}
