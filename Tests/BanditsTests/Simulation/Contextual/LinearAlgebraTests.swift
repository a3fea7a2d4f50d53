import Foundation
import TestSupport
import Testing

@testable import Bandits

@Suite("Linear algebra of contextual policies")
struct LinearAlgebraTests {
  private func square(_ packed: [Double], _ d: Int) -> [[Double]] {
    (0..<d).map { i in
      (0..<d).map { j in
        let (row, column) = (min(i, j), max(i, j))
        return packed[row * (2 * d - row - 1) / 2 + column]
      }
    }
  }

  @Test("packed matrices multiply, factor and invert as square ones do")
  func packed() throws {
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let d = 1 + random.index(9)
      var packed = PackedSymmetric.units(d, 0.5, count: 2)
      let start = PackedSymmetric.size(d)
      func vector() -> [Double] {
        (0..<d).map { _ in Double.random(in: -2...2, using: &random) }
      }
      for _ in 0..<d + 2 { PackedSymmetric.add(0.7, vector(), to: &packed, start) }
      let matrix = square(Array(packed[start...]), d)
      let x = vector()
      var y = x
      PackedSymmetric.multiply(packed, start, x, into: &y)
      let product = matrix.map { inner($0, x) }
      var products = [Double](repeating: 0, count: start)
      PackedSymmetric.products(of: x, into: &products)
      let form = DotProducts.one(packed, start, products, count: start)
      #expect(abs(form - inner(x, product)) < 1e-11, "seed \(seed)")
      let factor = try #require(PackedSymmetric.factor(packed, start, d))
      let lower = choleskyLower(matrix)
      var (up, down) = (x, x)
      PackedSymmetric.solveUpper(factor, &up)
      PackedSymmetric.solveLower(factor, &down)
      let transposed = (0..<d).map { i in (0..<d).map { lower[$0][i] } }
      PackedSymmetric.invert(factor, d, into: &packed, start)
      let inverse = square(Array(packed[start...]), d)
      for i in 0..<d {
        #expect(abs(y[i] - product[i]) < 1e-11, "seed \(seed)")
        #expect(abs(up[i] - solve(transposed, x)[i]) < 1e-9, "seed \(seed)")
        #expect(abs(down[i] - solve(lower, x)[i]) < 1e-9, "seed \(seed)")
        #expect(abs(inner(inverse[i], x) - solve(matrix, x)[i]) < 1e-9, "seed \(seed)")
      }
    }
    #expect(PackedSymmetric.factor([1, 2, 1], 0, 2) == nil)
    #expect(PackedSymmetric.factor([.infinity], 0, 1) == nil)
  }

  @Test("ridge regressions keep up with their definition over many rewards")
  func ridges() {
    for seed in 0..<6 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let d = 1 + random.index(6)
      var models = RidgeModels(2, dimension: d, ridge: 0.3)
      var naive = [NaiveRidge(d, ridge: 0.3), NaiveRidge(d, ridge: 0.3)]
      for step in 0..<700 {
        let x = (0..<d).map { _ in Double.random(in: -1...1, using: &random) }
        let (model, reward) = (random.index(2), Double.random(in: -1...2, using: &random))
        let weight = random.chance(0.5) ? 1 : 0.4
        models.learn(model, x, reward, weight: weight)
        naive[model].learn(x, reward, weight: weight)
        guard step % 50 == 49 else { continue }
        var products = [Double](repeating: 0, count: PackedSymmetric.size(d))
        PackedSymmetric.products(of: x, into: &products)
        for model in 0..<2 {
          #expect(abs(models.mean(model, x) - inner(x, naive[model].theta)) < 1e-9, "seed \(seed)")
          let spread = models.spread(model, products: products)
          #expect(abs(spread - naive[model].spread(x)) < 1e-9, "seed \(seed)")
        }
      }
    }
  }

  @Test("rounding errors do not accumulate for nearly equal features")
  func drift() {
    var random = SeededGenerator(seed: 5)
    var models = RidgeModels(1, dimension: 2, ridge: 1e-3)
    var naive = NaiveRidge(2, ridge: 1e-3)
    for _ in 0..<2500 {
      let base = Double.random(in: 1...2, using: &random)
      let x = [base, base + 1e-4 * Double.random(in: -1...1, using: &random)]
      models.learn(0, x, base)
      naive.learn(x, base)
    }
    var products = [0.0, 0, 0]
    PackedSymmetric.products(of: [1, 0.9], into: &products)
    let spread = models.spread(0, products: products)
    #expect(abs(spread / naive.spread([1, 0.9]) - 1) < 1e-5)
  }

  @Test(
    "Laplace's approximation is where the gradient of the posterior vanishes",
    arguments: [false, true])
  func laplace(isFull: Bool) {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let d = 1 + random.index(4)
      var models = LogisticModels(1, dimension: d, ridge: 0.5, isFull: isFull)
      var precision = NaiveRidge(d, ridge: 0.5).a
      for step in 0..<300 {
        let size = random.chance(0.1) ? 50.0 : 1
        let x = (0..<d).map { _ in Double.random(in: -size...size, using: &random) }
        let reward = random.chance(0.3) ? 0.25 : random.chance(0.5) ? 1 : 0
        let before = models.weights
        let spread = models.spread(0, x)
        #expect(abs(spread / inner(x, solve(precision, x)) - 1) < 1e-6, "seed \(seed) \(step)")
        models.learn(0, x, reward)
        let p = 1 / (1 + exp(-inner(models.weights, x)))
        let moved = zip(models.weights, before).map { $0 - $1 }
        for i in 0..<d {
          let gradient = inner(precision[i], moved) + (p - reward) * x[i]
          #expect(abs(gradient) < 1e-8 * max(1, size * size), "seed \(seed) \(step)")
        }
        for i in 0..<d {
          for j in 0..<d where isFull || i == j { precision[i][j] += p * (1 - p) * x[i] * x[j] }
        }
      }
    }
  }
}
