import Statistics
import TestSupport

@testable import Bandits
@testable import OffPolicy

/// Random rows for reward models.
struct ModelRows {
  struct Row {
    var row: RewardRow
    var features: FeatureVector
    var unit: UInt64
  }

  static let columns = 6
  static let problem = RewardProblem(slots: 2, variants: 3, columns: columns)
  var rows: [Row] = []

  /// Rows with an intercept, three numbers of which some are zero, and two indicators. Rewards are in 0 ... 1.
  init(_ count: Int, _ random: inout SeededGenerator, weighted: Bool = true) {
    for _ in 0..<count {
      var entries: [(column: Int, value: Double)] = [(0, 1)]
      for column in 1...3 where random.chance(0.8) {
        entries.append((column, Double.random(in: -2...3, using: &random)))
      }
      entries.append((random.chance(0.5) ? 4 : 5, 1))
      let features = FeatureVector(entries)
      let mean = LogisticModels.sigmoid(features.dot([-0.5, 1, -0.5, 0.2, 1, 0]))
      let reward = random.chance(0.5) ? (random.chance(mean) ? 1 : 0) : mean
      rows.append(
        Row(
          row: RewardRow(
            slot: random.index(2), variant: random.index(3), reward: reward,
            weight: weighted ? Double.random(in: 0.1...5, using: &random) : 1),
          features: features, unit: UInt64(random.index(count))))
    }
  }

  /// Fits by passes that are each split into parts, in random order.
  static func fit(
    _ model: any RewardModel, _ rows: [Row], folds: Int = 1, parts: Int = 1,
    _ random: inout SeededGenerator, passes: inout Int
  ) throws -> CrossFittedModels {
    var fitting = try CrossFitting(model, problem, folds: folds)
    passes = 0
    repeat {
      var pieces = (0..<parts).map { _ in fitting.emptyPart }
      for row in parts > 1 ? rows.shuffled(using: &random) : rows {
        pieces[random.index(parts)].add(row.row, row.features, unit: row.unit)
      }
      for piece in pieces { fitting.merge(piece) }
      passes += 1
    } while try fitting.finishPass()
    return try fitting.models()
  }

  static func fit(_ model: any RewardModel, _ rows: [Row]) throws -> any FittedRewardModel {
    var random = SeededGenerator(seed: 1)
    var passes = 0
    return try fit(model, rows, &random, passes: &passes).model(for: 0)
  }

  static func predictions(_ model: any FittedRewardModel, _ rows: [Row]) -> [Double] {
    rows.map { model.reward(of: $0.row.variant, in: $0.row.slot, $0.features) }
  }

  /// Returns the features as a dense vector.
  static func dense(_ row: Row) -> [Double] {
    var x = [Double](repeating: 0, count: columns)
    for entry in row.features.entries { x[entry.column] = entry.value }
    return x
  }
}

/// Naive twins of the fits.
enum NaiveFits {
  /// Solves a system by Gauss' elimination with pivots.
  static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double] {
    var rows = zip(matrix, right).map { $0 + [$1] }
    for column in right.indices {
      let pivot = (column..<rows.count).max { abs(rows[$0][column]) < abs(rows[$1][column]) }
      rows.swapAt(column, pivot ?? column)
      for row in rows.indices where row != column {
        let factor = rows[row][column] / rows[column][column]
        for place in column...right.count { rows[row][place] -= factor * rows[column][place] }
      }
    }
    return rows.indices.map { rows[$0][right.count] / rows[$0][$0] }
  }

  /// Ridge regression from the dense normal equations.
  static func ridge(_ rows: [ModelRows.Row], _ lambda: Double) -> [Double] {
    let d = ModelRows.columns
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: d), count: d)
    var right = [Double](repeating: 0, count: d)
    for i in 1..<d { matrix[i][i] = lambda }
    for row in rows {
      let x = ModelRows.dense(row)
      for i in 0..<d {
        right[i] += row.row.weight * row.row.reward * x[i]
        for j in 0..<d { matrix[i][j] += row.row.weight * x[i] * x[j] }
      }
    }
    return solve(matrix, right)
  }

  /// Logistic regression by plain Newton steps.
  static func logistic(_ rows: [ModelRows.Row], _ lambda: Double) -> [Double] {
    let d = ModelRows.columns
    var weights = [Double](repeating: 0, count: d)
    for _ in 0..<30 {
      var matrix = [[Double]](repeating: [Double](repeating: 0, count: d), count: d)
      var gradient = weights.enumerated().map { $0 == 0 ? 0 : -lambda * $1 }
      for i in 1..<d { matrix[i][i] = lambda }
      for row in rows {
        let x = ModelRows.dense(row)
        let p = 1 / (1 + Double.exp(-zip(x, weights).map(*).reduce(0, +)))
        for i in 0..<d {
          gradient[i] += row.row.weight * (row.row.reward - p) * x[i]
          for j in 0..<d { matrix[i][j] += row.row.weight * p * (1 - p) * x[i] * x[j] }
        }
      }
      weights = zip(weights, solve(matrix, gradient)).map(+)
    }
    return weights
  }

  /// Boosted stumps that try every value of every column as the threshold in every round, over all rows.
  static func stumps(
    _ rows: [ModelRows.Row], rounds: Int, rate: Double, lambda: Double, leastWeight: Double
  ) -> [Double] {
    let x = rows.map(ModelRows.dense)
    let w = rows.map(\.row.weight)
    let total = w.reduce(0, +)
    let mean = zip(rows, w).map { $0.row.reward * $1 }.reduce(0, +) / total
    var values = [Double](repeating: mean, count: rows.count)
    for _ in 0..<rounds {
      var best: (gain: Double, column: Int, bound: Double, low: Double, high: Double)?
      for column in 0..<ModelRows.columns {
        for bound in Set(x.map { $0[column] }).sorted().dropFirst() {
          let (low, high) = (
            rows.indices.filter { x[$0][column] < bound },
            rows.indices.filter { x[$0][column] >= bound }
          )
          func weight(_ side: [Int]) -> Double { side.map { w[$0] }.reduce(0, +) }
          func sum(_ side: [Int]) -> Double {
            side.map { w[$0] * (rows[$0].row.reward - values[$0]) }.reduce(0, +)
          }
          guard weight(low) >= leastWeight, weight(high) >= leastWeight else { continue }
          let a = sum(low) / (weight(low) + lambda)
          let b = sum(high) / (weight(high) + lambda)
          let gain = a * sum(low) + b * sum(high)
          if gain > best?.gain ?? 0 { best = (gain, column, bound, rate * a, rate * b) }
        }
      }
      guard let best else { break }
      for row in rows.indices {
        values[row] += x[row][best.column] < best.bound ? best.low : best.high
      }
    }
    return values
  }
}
