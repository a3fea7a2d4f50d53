import TestSupport
import Testing

@testable import Bandits

@Suite("Flat arithmetic")
struct FlatArithmeticTests {
  private func vector(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
    (0..<count).map { _ in Double.random(in: -2...2, using: &random) }
  }

  /// The sums of every fourth product, the last ones in the first sum.
  private func naiveDot(_ a: ArraySlice<Double>, _ b: [Double]) -> Double {
    var sums = [0.0, 0, 0, 0]
    for (k, (x, y)) in zip(a, b).enumerated() { sums[k < a.count / 4 * 4 ? k % 4 : 0] += x * y }
    return (sums[0] + sums[1]) + (sums[2] + sums[3])
  }

  @Test("dot products are those of four sums, to the last bit", arguments: 0..<50)
  func dots(chunk: Int) {
    for seed in (chunk * 40)..<(chunk * 40 + 40) {
      var random = SeededGenerator(seed: UInt64(seed))
      let (count, vectors) = (random.index(30), random.index(9))
      let all = vector(count * vectors, &random)
      let other = vector(count + random.index(3), &random)
      var results = [Double](repeating: .nan, count: vectors)
      DotProducts.all(all, other, count: count, into: &results)
      for index in 0..<vectors {
        let expected = naiveDot(all[index * count..<(index + 1) * count], other)
        #expect(results[index] == expected, "seed \(seed)")
        #expect(DotProducts.one(all, index * count, other, count: count) == expected)
      }
    }
  }

  @Test(
    "products with packed matrices are those of plain loops, to the last bit", arguments: 0..<50)
  func packed(chunk: Int) {
    for seed in (chunk * 40)..<(chunk * 40 + 40) {
      var random = SeededGenerator(seed: UInt64(seed))
      let (d, before) = (random.index(20), random.index(4))
      var matrix = vector(before + PackedSymmetric.size(d) + 2, &random)
      let (x, factor) = (vector(d, &random), Double.random(in: -1...1, using: &random))
      func place(_ i: Int, _ j: Int) -> Int { before + i * (2 * d - i - 1) / 2 + j }

      var y = vector(d, &random)
      PackedSymmetric.multiply(matrix, before, x, into: &y)
      var products = vector(PackedSymmetric.size(d), &random)
      PackedSymmetric.products(of: x, into: &products)
      for i in 0..<d {
        let left = (0..<i).reduce(0.0) { $0 + matrix[place($1, i)] * x[$1] }
        let right = (i + 1..<max(i + 1, d)).reduce(matrix[place(i, i)] * x[i]) {
          $0 + matrix[place(i, $1)] * x[$1]
        }
        #expect(y[i] == left + right, "seed \(seed)")
        for j in i..<d {
          #expect(products[place(i, j) - before] == (i == j ? 1 : 2) * x[i] * x[j], "seed \(seed)")
        }
      }

      var expected = matrix
      for i in 0..<d { for j in i..<d { expected[place(i, j)] += factor * x[i] * x[j] } }
      PackedSymmetric.add(factor, x, to: &matrix, before)
      #expect(matrix == expected, "seed \(seed)")
    }
  }
}
