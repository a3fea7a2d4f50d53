import Foundation
import Prediction
import Specifications
import Statistics
import TestSupport
import Testing

@Suite("Thompson sampling over options")
struct ThompsonSamplingTests {
  private func chances(_ takes: [Int], prior: Double = 1) throws -> [Double] {
    var learning = try ThompsonSampling { $0.prior = prior }.beginning
    learning.apply(.define(takes: takes, encounters: 0), at: nil)
    return learning.forecast().confidences
  }

  @Test("for two options it matches the Beta distribution at one half")
  func two() throws {
    for prior in [0.01, 0.5, 1, 3.7, 1000] {
      for (a, b) in [(1, 0), (1, 1), (2, 1), (5, 0), (7, 3), (16, 14), (40, 20), (90, 110)] {
        try check(a, b, prior)
      }
    }
    for n in [1000, 1_000_000, 100_000_000] {
      let spread = Int(Double(n).squareRoot())
      for step in -6...6 { try check(n, n + step * spread, 1) }
      try check(n, 5, 1)
    }
  }

  private func check(_ a: Int, _ b: Int, _ prior: Double) throws {
    let found = try chances([a, b], prior: prior)
    let expected = SpecialFunctions.incompleteBeta(0.5, Double(b) + prior, Double(a) + prior)
    #expect(abs(found[0] - expected) < 1e-9, "\(a) \(b) \(prior): \(found[0]), not \(expected)")
  }

  @Test("of several options it is which of them is the last to arrive so often")
  func several() throws {
    for takes in [[1, 0, 0], [2, 1, 0], [3, 3, 1], [2, 1, 1, 0], [1, 1, 1, 1, 0], [5, 4, 0]] {
      let exact = Self.lastToArrive(takes.map { $0 + 1 })
      for (a, b) in zip(try chances(takes), exact) {
        #expect(abs(a - b) < 1e-9, "\(takes): \(a), not \(b)")
      }
    }
  }

  /// Arrivals of all kinds are equally likely at any time; which kind is the last to have arrived as often as it must.
  private static func lastToArrive(_ left: [Int]) -> [Double] {
    let waiting = left.indices.filter { left[$0] > 0 }
    if waiting.count == 1 { return left.map { $0 > 0 ? 1 : 0 } }
    var sum = left.map { _ in 0.0 }
    for option in waiting {
      var next = left
      next[option] -= 1
      for (place, chance) in lastToArrive(next).enumerated() {
        sum[place] += chance / Double(waiting.count)
      }
    }
    return sum
  }

  @Test("options taken equally often have the same, whatever their place")
  func places() throws {
    let (a, b) = (try chances([3, 9, 3, 8, 0]), try chances([0, 3, 8, 3, 9]))
    #expect(a[0] == a[2] && a[1] == b[4] && a[0] == b[1] && a[3] == b[2] && a[4] == b[0])
    let many = try chances([Int](repeating: 2, count: 1000) + [3])
    #expect(abs(many.reduce(0, +) - 1) < 1e-12 && many[1000] > many[0])
  }

  @Test("a favourite of many takes is nearly certain, though its share is not")
  func favourite() throws {
    let found = try chances([600, 400])
    #expect(found[0] > 0.999_999 && found[0] < 1)
    #expect(try chances([.max, 3, .max / 2]) == [1, 0, 0])
    #expect(try chances([.max, .max]) == [0.5, 0.5])
  }
}
