/// Powers without logarithms, so that their bits do not depend on a C library.
enum BetaPower {
  /// Returns xᵖ·yᵠ for integers p and q from 0 up, where x and y are the distances of a point from 0 and 1 as
  /// multiples of those of the mode p/(p + q).
  ///
  /// Both exponents are processed from their leading bits together, with one squaring for each bit (Straus's method).
  /// The intermediate result is thus about a root of the result, which is at most 1, and cannot overflow where xᵖ
  /// alone would.
  ///
  /// - Complexity: O(log of the larger exponent).
  static func product(_ x: Double, _ p: Int, _ y: Double, _ q: Int) -> Double {
    var bit = Int.bitWidth - max(p, q).leadingZeroBitCount - 1
    var result = 1.0
    while bit >= 0 {
      result *= result
      if p &>> bit & 1 == 1 { result *= x }
      if q &>> bit & 1 == 1 { result *= y }
      bit -= 1
    }
    return result
  }
}

/// The posterior Beta distribution of a probability after some successes and failures.
struct ArmPosterior {
  /// The number of successes plus one.
  var a: Int
  /// The number of failures plus one.
  var b: Int

  var mean: Double { Double(a) / (Double(a) + Double(b)) }

  var standardDeviation: Double {
    (mean * (1 - mean) / (Double(a) + Double(b) + 1)).squareRoot()
  }

  /// Returns the density at x in (0, 1) relative to the density at the mode.
  func relativeDensity(at x: Double) -> Double {
    let (p, q) = (a - 1, b - 1)
    let total = Double(p) + Double(q)
    let left = p == 0 ? 1 : x * total / Double(p)
    let right = q == 0 ? 1 : (1 - x) * total / Double(q)
    return BetaPower.product(left, p, right, q)
  }

  /// Returns the probability of each of several posteriors to have the largest value: the choice probabilities of
  /// Thompson sampling.
  ///
  /// The integral over x of one density times the distribution functions of all others, by the midpoint rule over the
  /// range that holds all of the mass. It uses only + − × ÷ and square roots, so the result has the same bits on every
  /// machine. The error is below 1e-4 as long as the narrowest posterior is not much narrower than a cell, which is
  /// 1/256 of the range.
  ///
  /// - Complexity: O(256·count·log of the parameters).
  static func probabilitiesOfBest(_ posteriors: [ArmPosterior]) -> [Double] {
    let cells = 256
    let low = posteriors.map { $0.mean - 8 * $0.standardDeviation }.min() ?? 0
    let high = posteriors.map { $0.mean + 10 * $0.standardDeviation }.max() ?? 1
    let (start, end) = (max(0, low), min(1, high))
    let masses = posteriors.map { $0.masses(from: start, to: end, cells: cells) }
    var below = posteriors.map { _ in 0.0 }
    var result = below
    for cell in 0..<cells {
      for index in posteriors.indices {
        var share = masses[index][cell]
        for other in posteriors.indices where other != index {
          share *= below[other] + masses[other][cell] / 2
        }
        result[index] += share
      }
      for index in posteriors.indices { below[index] += masses[index][cell] }
    }
    let total = result.reduce(0, +)
    guard total > 0 else { return result.map { _ in 1 / Double(max(1, result.count)) } }
    return result.map { $0 / total }
  }

  /// Returns the probability of each cell of a range, summing to 1.
  private func masses(from start: Double, to end: Double, cells: Int) -> [Double] {
    let width = (end - start) / Double(cells)
    var result = (0..<cells).map { relativeDensity(at: start + (Double($0) + 0.5) * width) }
    let total = result.reduce(0, +)
    if total > 0 {
      for cell in result.indices { result[cell] /= total }
    } else {
      // Far narrower than a cell: all of the mass is in one.
      let cell = min(cells - 1, max(0, Int((mean - start) / width)))
      result[cell] = 1
    }
    return result
  }
}
