/// The weights in each replicate of pairs of a numerator and a denominator that units have in common: adding a weight
/// is several times as fast as adding a pair, and many units have the same one, such as no reward and one decision.
///
/// A pair that comes twice in a row among those with its hash gets counts; others are refused, and left to be added one
/// by one. Which pairs that are changes nothing but time: sums of pairs are integers.
///
/// - Complexity: 4 bytes per replicate for each of at most ``places`` pairs.
struct RepeatedPairs: Sendable {
  /// The most pairs.
  static let places = 32

  /// The greatest number of units whose weights, at most 12 each, a count can hold.
  private static let most = Int(UInt32.max / 12)

  private struct Pair: Sendable {
    var above = 0 as Int128
    var below = 0 as Int128
    /// The number of units in the counts.
    var units = 0
  }

  private var pairs: [Pair] = []
  /// For each pair by replicate the sum of the weights; empty until the pair has come twice.
  private var counts: [[UInt32]] = []

  /// Adds a unit's weight in each replicate; returns whether its pair has counts.
  @inline(__always)
  mutating func add(
    _ above: Int128, _ below: Int128, unit: UInt64, _ weights: PoissonWeights, replicates: Int
  ) -> Bool {
    if pairs.isEmpty {
      pairs = Array(repeating: Pair(), count: Self.places)
      counts = Array(repeating: [], count: Self.places)
    }
    let place = Self.place(above, below)
    guard pairs[place].above == above, pairs[place].below == below else {
      if counts[place].isEmpty { pairs[place] = Pair(above: above, below: below) }
      return false
    }
    guard pairs[place].units < Self.most else { return false }
    if counts[place].isEmpty { counts[place] = Array(repeating: 0, count: replicates) }
    pairs[place].units += 1
    var span = counts[place].mutableSpan
    weights.forEach(below: span.count, of: unit) { span[$0] &+= UInt32(truncatingIfNeeded: $1) }
    return true
  }

  /// Calls the closure with each pair and its weight in a replicate.
  func forEach(
    in replicate: Int, _ body: (_ above: Int128, _ below: Int128, _ weight: Int) -> Void
  ) {
    for place in counts.indices where !counts[place].isEmpty {
      body(pairs[place].above, pairs[place].below, Int(counts[place][replicate]))
    }
  }

  private static func place(_ above: Int128, _ below: Int128) -> Int {
    let mixed =
      UInt64(truncatingIfNeeded: above ^ above >> 64) &* 0x9E37_79B9_7F4A_7C15
      ^ UInt64(truncatingIfNeeded: below ^ below >> 64) &* 0xC2B2_AE3D_27D4_EB4F
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) >> 17 & UInt64(places - 1))
  }
}
