extension Draw {
  /// Returns an index with a probability proportional to its weight.
  ///
  /// For a single draw; ``AliasTable`` is faster for many. An index of weight zero is never drawn.
  ///
  /// - Precondition: the weights are not negative, and their sum is positive and finite.
  /// - Complexity: O(number of weights), one word, without allocation.
  @inlinable
  public static func index(
    weights: [Double], using generator: inout some RandomNumberGenerator
  ) -> Int {
    var total = 0.0
    for weight in weights {
      precondition(weight >= 0, "a weight is not negative")
      total += weight
    }
    precondition(total > 0 && total < .infinity, "the sum of the weights is positive and finite")
    var rest = unit(using: &generator) * total
    var last = 0
    for index in weights.indices where weights[index] > 0 {
      if rest < weights[index] { return index }
      rest -= weights[index]
      last = index
    }
    // Rounding may leave a rest after the last weight.
    return last
  }
}

/// A table from which an index is drawn in constant time, with probabilities proportional to weights.
///
/// A. J. Walker's alias method with the construction of M. D. Vose, "A linear algorithm for generating random numbers
/// with a given distribution" (IEEE Transactions on Software Engineering 17, 1991): every column holds its own index up
/// to a threshold and one other index above it.
package struct AliasTable: Sendable, Equatable {
  /// The share of each column that belongs to its own index.
  @usableFromInline let thresholds: [Double]

  /// The index that has the rest of each column.
  @usableFromInline let aliases: [Int]

  /// Builds the table.
  ///
  /// - Precondition: the weights are not negative, and their sum is positive and finite.
  /// - Complexity: O(number of weights).
  package init(weights: [Double]) {
    let total = ExactSum(weights).value
    precondition(weights.allSatisfy { $0 >= 0 }, "a weight is not negative")
    precondition(total > 0 && total < .infinity, "the sum of the weights is positive and finite")
    let count = Double(weights.count)
    var shares = weights.map { $0 / total * count }
    var aliases = Array(weights.indices)
    var small = shares.indices.filter { shares[$0] < 1 }
    var large = shares.indices.filter { shares[$0] >= 1 }
    while let giver = large.last, let taker = small.popLast() {
      aliases[taker] = giver
      shares[giver] -= 1 - shares[taker]
      if shares[giver] < 1 { small.append(large.removeLast()) }
    }
    // The remaining columns are full but for rounding, unless their weight is zero: then rounding has used up all other
    // shares, and the column goes to an index that has weight.
    let fallback = weights.indices.first { weights[$0] > 0 } ?? 0
    for index in large + small {
      if weights[index] > 0 { shares[index] = 1 } else { aliases[index] = fallback }
    }
    (thresholds, self.aliases) = (shares, aliases)
  }

  /// The number of indices.
  package var count: Int { thresholds.count }

  /// Returns an index with a probability proportional to its weight; never one of weight zero.
  ///
  /// - Complexity: O(1), two words.
  @inlinable
  package func draw(using generator: inout some RandomNumberGenerator) -> Int {
    let column = Draw.index(below: thresholds.count, using: &generator)
    return Draw.unit(using: &generator) < thresholds[column] ? column : aliases[column]
  }
}
