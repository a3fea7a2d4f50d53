/// The estimates of the indices of all variants, computed at once from flat numbers, two variants at a time.
struct IndexEstimates: Sendable {
  /// The numbers of variants 2i and 2i + 1; a variant that does not exist is minus infinity.
  private var pairs: [IndexTerms<SIMD2<Double>>]
  /// The estimates, as of the last search.
  private var values: [SIMD2<Double>]

  /// The variant with the largest estimate, and the largest other one.
  struct Leader {
    var variant: Int
    var first: Double
    var second: Double
  }

  init(_ variants: Int) {
    let unknown = IndexTerms<Double>.unknown
    let pair = IndexTerms(
      a: SIMD2(repeating: unknown.a), b: SIMD2(repeating: unknown.b),
      c: SIMD2(repeating: unknown.c))
    pairs = [IndexTerms<SIMD2<Double>>](repeating: pair, count: (variants + 1) / 2)
    values = [SIMD2<Double>](repeating: pair.a, count: pairs.count)
    if variants % 2 == 1 { set(variants, .certain(-.infinity)) }
  }

  /// Sets the numbers of a variant.
  @inline(__always)
  mutating func set(_ variant: Int, _ terms: IndexTerms<Double>) {
    let isSet = SIMD2<Int64>(repeating: Int64(variant & 1)) .== SIMD2<Int64>(0, 1)
    var pair = pairs[variant &>> 1]
    pair.a.replace(with: terms.a, where: isSet)
    pair.b.replace(with: terms.b, where: isSet)
    pair.c.replace(with: terms.c, where: isSet)
    pairs[variant &>> 1] = pair
  }

  /// Returns the estimate of a variant.
  @inline(__always)
  func estimate<P: IndexPolicy>(_ variant: Int, _ policy: P, _ x: Double) -> Double {
    let pair = policy.estimate(pairs[variant &>> 1], x)
    return variant & 1 == 0 ? pair[0] : pair[1]
  }

  /// The estimate of a variant, as of the last search.
  @inline(__always)
  subscript(_ variant: Int) -> Double {
    let pair = values[variant &>> 1]
    return variant & 1 == 0 ? pair[0] : pair[1]
  }

  /// Excludes a variant from ``largest`` until the next search.
  @inline(__always)
  mutating func exclude(_ variant: Int) { values[variant &>> 1][variant & 1] = -.infinity }

  /// Computes all estimates.
  ///
  /// - Returns: The largest one.
  @inline(__always)
  mutating func searchLargest<P: IndexPolicy>(_ policy: P, _ x: Double) -> Double {
    Self.searchLargest(pairs, into: &values, policy, x)
  }

  @inline(__always)
  private static func searchLargest<P: IndexPolicy>(
    _ pairs: [IndexTerms<SIMD2<Double>>], into values: inout [SIMD2<Double>], _ policy: P,
    _ x: Double
  ) -> Double {
    var first = SIMD2(repeating: -Double.infinity)
    let terms = pairs.span
    var estimates = values.mutableSpan
    for index in terms.indices {
      let estimate = policy.estimate(terms[index], x)
      estimates[index] = estimate
      first.replace(with: estimate, where: estimate .> first)
    }
    return first[1] > first[0] ? first[1] : first[0]
  }

  /// Returns the number of estimates from a bound on, and the variant if it is the only one, found without a branch for
  /// each.
  @inline(__always)
  func variant(from least: Double) -> (count: Int, variant: Int) {
    let bound = SIMD2(repeating: least)
    var (count, variants, place) = (SIMD2<Int64>.zero, SIMD2<Int64>.zero, SIMD2<Int64>(0, 1))
    let estimates = values.span
    for index in estimates.indices {
      let isNear = estimates[index] .>= bound
      count.replace(with: count &+ 1, where: isNear)
      variants.replace(with: place, where: isNear)
      place &+= 2
    }
    return (Int(count[0] &+ count[1]), Int(variants[0] | variants[1]))
  }

  /// Computes all estimates.
  ///
  /// - Returns: The variant with the largest one, found without a branch for each, and the largest other one.
  @inline(__always)
  mutating func search<P: IndexPolicy>(_ policy: P, _ x: Double) -> Leader {
    _ = searchLargest(policy, x)
    return leader
  }

  /// The variant with the largest estimate, and the largest other one, as of the last search.
  @inline(__always)
  var leader: Leader {
    var first = SIMD2(repeating: -Double.infinity)
    var (second, places, place) = (first, SIMD2(0.0, 1.0), SIMD2(0.0, 1.0))
    let estimates = values.span
    for index in estimates.indices {
      let estimate = estimates[index]
      let isBetter = estimate .> first
      let lesser = estimate.replacing(with: first, where: isBetter)
      second.replace(with: lesser, where: lesser .> second)
      first.replace(with: estimate, where: isBetter)
      places.replace(with: place, where: isBetter)
      place += 2
    }
    let isSecond = first[1] > first[0]
    let (winner, loser) = isSecond ? (first[1], first[0]) : (first[0], first[1])
    let rest = second[0] > second[1] ? second[0] : second[1]
    return Leader(
      variant: Int(isSecond ? places[1] : places[0]), first: winner,
      second: loser > rest ? loser : rest)
  }

  /// Calls a function for each estimate from a bound on, in the order of the variants.
  @inline(__always)
  func forEach(from least: Double, _ body: (Int, Double) -> Void) {
    for place in values.indices {
      let pair = values[place]
      if pair[0] >= least { body(2 &* place, pair[0]) }
      if pair[1] >= least { body(2 &* place &+ 1, pair[1]) }
    }
  }

  /// The largest factor b and the largest magnitude of a number a, of variants for which a is finite.
  var steepest: (b: Double, a: Double) {
    var (b, a) = (SIMD2(repeating: 0.0), SIMD2(repeating: 0.0))
    for pair in pairs {
      let size = pair.a.replacing(with: -pair.a, where: pair.a .< 0)
      let isFinite = size .< .infinity
      b.replace(with: pair.b, where: (pair.b .> b) .& isFinite)
      a.replace(with: size, where: (size .> a) .& isFinite)
    }
    return (max(b[0], b[1]), max(a[0], a[1]))
  }

  /// The variant with the largest estimate that was not excluded since the last search.
  @inline(__always)
  var largest: Int { leader.variant }
}
