/// The counts of NaNs and infinities that a sum has seen. Counted, rather than flagged, so that each can be removed
/// again.
struct SpecialValues: Sendable {
  private(set) var positiveInfinities = 0
  private(set) var negativeInfinities = 0
  private(set) var nans = 0

  init() {}

  init(positiveInfinities: Int, negativeInfinities: Int, nans: Int) {
    self.positiveInfinities = positiveInfinities
    self.negativeInfinities = negativeInfinities
    self.nans = nans
  }

  var isEmpty: Bool { positiveInfinities | negativeInfinities | nans == 0 }

  /// Whether each kind occurs.
  var kinds: [Bool] { [positiveInfinities != 0, negativeInfinities != 0, nans != 0] }

  /// Records infinities or NaNs.
  @inline(never)
  mutating func insert(_ x: Double, times count: Int = 1) {
    if x.isNaN {
      nans &+= count
    } else if x > 0 {
      positiveInfinities &+= count
    } else {
      negativeInfinities &+= count
    }
  }

  mutating func merge(_ other: SpecialValues) {
    positiveInfinities &+= other.positiveInfinities
    negativeInfinities &+= other.negativeInfinities
    nans &+= other.nans
  }

  mutating func subtract(_ other: SpecialValues) {
    positiveInfinities &-= other.positiveInfinities
    negativeInfinities &-= other.negativeInfinities
    nans &-= other.nans
  }

  /// The sum as determined by these values; nil if it is determined by the finite values.
  var total: Double? {
    if isEmpty { return nil }
    if nans != 0 || positiveInfinities != 0 && negativeInfinities != 0 { return .nan }
    return positiveInfinities != 0 ? .infinity : -.infinity
  }
}
