internal import Statistics

/// The probability that each of several independent curves yields the largest value: ∫ f_i(u)·∏_{j≠i} F_j(u) du, the
/// probability that Thompson sampling chooses it.
///
/// W. R. Thompson, "On the likelihood that one unknown probability exceeds another" (Biometrika 25, 1933); for more
/// than two variants: S. L. Scott, "A modern Bayesian look at the multi-armed bandit" (2010), equation 2.
///
/// The axis is cut into pieces of at most 2.5 widths of the narrowest peak there. On each piece, from the highest
/// downwards, the densities are evaluated at 16 Gauss–Legendre nodes; integrating the interpolating polynomials gives
/// the distribution functions at the nodes, and the quadrature weights the integral of the product. So a distribution
/// function costs no more than a density, whatever its parameters. The error estimate is the largest difference from
/// the same computation with 8 nodes, which far exceeds the error of the 16-node result, plus the mass cut off in the
/// tails and the rounding of positions on the axis.
///
/// Equal curves are computed once, and curves are processed in a canonical order, so the result does not depend on the
/// order given.
struct BestArmProbabilities<Curve: PosteriorCurve> {
  /// Equal curves, with their extent on the axis.
  private struct Group {
    var curve: Curve
    var copies: Int
    var low: Double
    var high: Double
    /// The index of the result in ``chances``.
    var index: Int
  }

  /// The probabilities in the order of the curves; they add up to 1 to within rounding.
  private(set) var chances: [Double] = []
  /// The error bound of each probability.
  private(set) var error = 0.0

  /// The tail probability that is cut off.
  private static var negligible: Double { 1e-14 }

  /// Computes the probabilities.
  ///
  /// - Parameters:
  ///   - curves: The distinct curves, in an order that does not depend on the one in which they were given.
  ///   - copies: The multiplicity of each curve, at least 1.
  init(_ curves: [Curve], copies: [Int]) {
    var groups = zip(curves, copies).enumerated().map { index, pair in
      let span = pair.0.span(logTail: Double.log(Self.negligible))
      return Group(
        curve: pair.0, copies: pair.1, low: span.low, high: span.high, index: index)
    }
    chances = [Double](repeating: 0, count: groups.count)
    // Below its lower end one curve is certainly not the largest, nor is any that ends before.
    guard let floor = groups.map(\.low).max() else { return }
    let all = groups
    groups = groups.filter { $0.high > floor }
    // Peaks so narrow, and so far from the origin, that both ends round to the same number.
    if groups.isEmpty {
      giveUp(all)
      return
    }
    groups.sort { $0.high != $1.high ? $0.high > $1.high : $0.index < $1.index }
    let pieces = Self.pieces(groups, floor: floor, count: copies.reduce(0, +))
    let fine = Self.integrate(groups, pieces, GaussRules.fine)
    let coarse = Self.integrate(groups, pieces, GaussRules.coarse)
    conclude(groups, fine, coarse, total: copies.reduce(0, +))
  }

  /// A piece of the axis, and the number of groups, sorted by upper end, that reach into it.
  private struct Piece {
    var low: Double
    var high: Double
    var active: Int
  }

  /// Cuts the axis from the highest end of a curve down to the floor.
  ///
  /// A curve that ends within a piece is active from the piece's top if the piece is short enough for it; otherwise the
  /// piece stops where the curve ends.
  private static func pieces(_ groups: [Group], floor: Double, count: Int) -> [Piece] {
    guard var place = groups.first?.high else { return [] }
    // The maximum of many has a smaller spread than each of them, by about the root of 2 ln count.
    let widths = 2.5 / max(1, Double.log(Double(count))).squareRoot()
    var (pieces, active, narrowest) = ([Piece](), 0, Double.infinity)
    while place > floor {
      var next = floor
      let longest = groups.reduce(Double.infinity) { min($0, $1.curve.longestPiece(at: place)) }
      while true {
        next = max(floor, place - min(longest, widths * narrowest))
        guard active < groups.count, groups[active].high > next else { break }
        let group = groups[active]
        if group.high < place - widths * group.curve.width {
          next = group.high
          break
        }
        narrowest = min(narrowest, group.curve.width)
        active += 1
      }
      // So far from the origin that the piece vanishes in rounding.
      guard next < place else { break }
      pieces.append(Piece(low: next, high: place, active: active))
      place = next
    }
    return pieces
  }

  /// Returns the probability that each group's curves are the largest, by one quadrature rule.
  private static func integrate<Vector: SIMD & Sendable>(
    _ groups: [Group], _ pieces: [Piece], _ rule: GaussRule<Vector>
  ) -> [Double] where Vector.Scalar == Double {
    var results = [Double](repeating: 0, count: groups.count)
    var above = results
    var densities = [Vector](repeating: Vector(), count: groups.count)
    var factors = densities
    var products = densities
    for piece in pieces {
      let half = 0.5 * (piece.high - piece.low)
      let middle = piece.low + half
      // The product of the distribution functions of the groups before each one.
      var product = Vector(repeating: 1)
      for index in 0..<piece.active {
        let curve = groups[index].curve
        var density = Vector()
        for lane in 0..<Vector.scalarCount {
          density[lane] = curve.density((middle - curve.center) + half * rule.nodes[lane])
        }
        let upper = above[index] + half * rule.integralsAbove(density)
        let lower = (1 - upper).clamped(lowerBound: Vector(), upperBound: Vector(repeating: 1))
        above[index] += half * rule.integral(density)
        let others = lower.raised(to: groups[index].copies - 1)
        densities[index] = density * others
        factors[index] = lower * others
        products[index] = product
        product *= factors[index]
      }
      let remaining = product[Vector.scalarCount - 1]
      product = Vector(repeating: 1)
      for index in (0..<piece.active).reversed() {
        results[index] += half * rule.integral(densities[index] * products[index] * product)
        product *= factors[index]
      }
      // Mass further down is no longer the largest.
      if remaining < negligible { break }
    }
    return results
  }

  /// Compares the two results and normalizes the more accurate one.
  private mutating func conclude(
    _ groups: [Group], _ fine: [Double], _ coarse: [Double], total: Int
  ) {
    var sum = 0.0
    var rounding = 0.0
    for (place, group) in groups.enumerated() {
      sum += fine[place] * Double(group.copies)
      error = max(error, abs(fine[place] - coarse[place]))
      rounding = max(rounding, (1 + abs(group.curve.center)) / group.curve.width)
    }
    error += abs(sum - 1) + Self.negligible * Double(total + 2) + 0x1p-50 * rounding
    error = min(1, error)
    guard sum > 0.5, sum < 1.5 else { return giveUp(groups) }
    for (place, group) in groups.enumerated() { chances[group.index] = fine[place] / sum }
  }

  /// Falls back to the curves with the largest center when values exceed the precision of Double.
  private mutating func giveUp(_ groups: [Group]) {
    error = 1
    let top = groups.map(\.curve.center).max() ?? 0
    let winners = groups.filter { $0.curve.center >= top }
    let count = winners.reduce(0) { $0 + $1.copies }
    for group in winners { chances[group.index] = 1 / Double(max(1, count)) }
  }
}

extension Allocation {
  /// Returns the probability that each of several independent posteriors yields the largest value.
  static func best<Curve: PosteriorCurve>(
    _ sources: [Curve.Source], as curve: Curve.Type
  ) -> Allocation {
    guard sources.count > 1 else { return .equal(sources.count) }
    var counts: [Curve.Source: Int] = [:]
    for source in sources { counts[source, default: 0] += 1 }
    let different = counts.keys.sorted()
    guard different.count > 1 else { return .equal(sources.count) }
    let chances = BestArmProbabilities(
      different.map(Curve.init), copies: different.map { counts[$0] ?? 1 })
    let places = Dictionary(uniqueKeysWithValues: zip(different, chances.chances))
    return Allocation(probabilities: sources.map { places[$0] ?? 0 }, error: chances.error)
  }
}
