/// The tallies of two variants, in registers.
struct PairTally {
  private var decisions: SIMD2<Int64>
  private var rewarded: SIMD2<Int64>
  private var sum: SIMD2<Double>
  private var squares: SIMD2<Double>

  init(_ arms: [ArmTally]) {
    decisions = SIMD2(Int64(arms[0].decisions), Int64(arms[1].decisions))
    rewarded = SIMD2(Int64(arms[0].rewarded), Int64(arms[1].rewarded))
    sum = SIMD2(arms[0].sum, arms[1].sum)
    squares = SIMD2(arms[0].squares, arms[1].squares)
  }

  /// The tally of a variant.
  @inline(__always)
  subscript(_ variant: Int) -> ArmTally {
    ArmTally(
      decisions: Int(decisions[variant]), rewarded: Int(rewarded[variant]), sum: sum[variant],
      squares: squares[variant])
  }

  /// The tallies of both.
  var arms: [ArmTally] { [self[0], self[1]] }

  /// Adds a reward of each variant, 0 or 1.
  @inline(__always)
  mutating func learn(_ rewards: SIMD2<Double>) {
    decisions &+= 1
    rewarded &+= SIMD2<Int64>.zero.replacing(with: 1, where: rewards .> 0)
    sum += rewards
    squares += rewards
  }

  @inline(__always)
  mutating func replace(with other: PairTally, where mask: SIMDMask<SIMD2<Int64>>) {
    decisions.replace(with: other.decisions, where: mask)
    rewarded.replace(with: other.rewarded, where: mask)
    sum.replace(with: other.sum, where: mask)
    squares.replace(with: other.squares, where: mask)
  }
}
