internal import Bandits

/// The rounds of boosted stumps, computed from the normal equations of the indicators of bins.
struct StumpBoosting: Sendable {
  let rounds: Int
  let rate: Double
  let lambda: Double
  let leastWeight: Double

  /// A stump: the bins below a threshold and those from it on.
  private struct Stump {
    var column: Int
    /// The lowest bin of the upper side.
    var bin: Int
    var gain: Double
    var low: Double
    var high: Double
  }

  /// The sums of weights and of weighted residuals of each index.
  private struct State {
    let bins: ColumnBins
    /// The full symmetric matrix of the normal equations, row by row.
    let matrix: [Double]
    var residuals: [Double]
    /// The value of each index; that of a row is their sum, with the intercept.
    var values: [Double]

    var count: Int { residuals.count }

    func weight(_ index: Int) -> Double { matrix[index * count + index] }

    /// Adds to the value of an index.
    mutating func add(_ value: Double, to index: Int) {
      values[index] += value
      for other in residuals.indices { residuals[other] -= matrix[index * count + other] * value }
    }
  }

  /// Returns the sum of the stumps.
  func fitted(_ bins: ColumnBins, _ sums: NormalSums) -> any FittedRewardModel {
    let d = sums.dimension
    guard d > 0 else { return StumpPredictor(bins: bins, values: [0]) }
    let packed = sums.matrix
    var matrix = [Double](repeating: 0, count: d * d)
    var place = 0
    for row in 0..<d {
      for column in row..<d {
        matrix[row * d + column] = packed[place]
        matrix[column * d + row] = packed[place]
        place += 1
      }
    }
    var state = State(
      bins: bins, matrix: matrix, residuals: sums.vector,
      values: [Double](repeating: 0, count: d))
    guard state.weight(0) > 0 else { return StumpPredictor(bins: bins, values: [0]) }
    state.add(state.residuals[0] / state.weight(0), to: 0)
    for _ in 0..<rounds {
      guard let stump = best(state) else { break }
      apply(stump, to: &state)
    }
    return StumpPredictor(bins: bins, values: state.values)
  }

  /// Returns the stump that reduces the squared error most; nil if none does.
  private func best(_ state: State) -> Stump? {
    var best: Stump?
    for column in 0..<state.bins.columnCount {
      let sides = sides(column, state)
      for bin in sides.indices.dropFirst() {
        let low = sides[bin - 1]
        let high = (weight: state.weight(0) - low.weight, sum: state.residuals[0] - low.sum)
        guard low.weight >= leastWeight, high.weight >= leastWeight, low.weight > 0,
          high.weight > 0
        else { continue }
        let gain =
          low.sum * (low.sum / (low.weight + lambda))
          + high.sum * (high.sum / (high.weight + lambda))
        guard gain > best?.gain ?? 0 else { continue }
        best = Stump(
          column: column, bin: bin, gain: gain, low: rate * low.sum / (low.weight + lambda),
          high: rate * high.sum / (high.weight + lambda))
      }
    }
    return best
  }

  /// Returns the sums over the bins of a column up to each of them.
  private func sides(_ column: Int, _ state: State) -> [(weight: Double, sum: Double)] {
    let bins = 0..<state.bins.binCount(column)
    // The bin that holds zero has what the others leave.
    var zero = (weight: state.weight(0), sum: state.residuals[0])
    for bin in bins {
      guard let index = state.bins.index(column, bin) else { continue }
      zero.weight -= state.weight(index)
      zero.sum -= state.residuals[index]
    }
    var sides: [(weight: Double, sum: Double)] = []
    var side = (weight: 0.0, sum: 0.0)
    for bin in bins {
      if let index = state.bins.index(column, bin) {
        side.weight += state.weight(index)
        side.sum += state.residuals[index]
      } else {
        side.weight += zero.weight
        side.sum += zero.sum
      }
      sides.append(side)
    }
    return sides
  }

  /// Adds a stump: the value of the side with zero to the intercept, the difference to the bins of the other side.
  private func apply(_ stump: Stump, to state: inout State) {
    let isZeroLow = state.bins.zeros[stump.column] < stump.bin
    state.add(isZeroLow ? stump.low : stump.high, to: 0)
    let difference = isZeroLow ? stump.high - stump.low : stump.low - stump.high
    for bin in 0..<state.bins.binCount(stump.column) where (bin >= stump.bin) == isZeroLow {
      if let index = state.bins.index(stump.column, bin) { state.add(difference, to: index) }
    }
  }
}

/// A prediction that is a sum of values of bins.
struct StumpPredictor: FittedRewardModel {
  let bins: ColumnBins
  /// By the index of the bin; the first is the intercept.
  let values: [Double]

  func reward(of variant: Int, in slot: Int, _ features: FeatureVector) -> Double {
    var sum = values[0]
    guard values.count == bins.count else { return sum }
    for entry in features.entries where entry.column < bins.columnCount {
      if let index = bins.index(entry.column, bins.bin(entry.column, entry.value)) {
        sum += values[index]
      }
    }
    return sum
  }
}
