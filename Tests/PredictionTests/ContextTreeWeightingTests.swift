import Foundation
import Prediction
import Specifications
import TestSupport
import Testing

@Suite("Reference numbers: sequence predictors")
struct ContextTreeWeightingTests {
  @Test("R30: the Krichevsky-Trofimov estimator")
  func krichevskyTrofimov() {
    #expect(NaiveTree.estimate([2, 0]) == 3.0 / 8)
    #expect(NaiveTree.estimate([1, 1]) == 1.0 / 8)
    #expect(NaiveTree.estimate([3, 2]) == 3.0 / 256)
    #expect(NaiveTree.estimate([0, 0, 0]) == 1)
  }

  @Test("R30: context tree weighting of depth 3 gives 0110100 after 010 the probability 95/32768")
  func published() throws {
    var learning = try ContextWeighting { $0.depth = 3 }.beginning
    learning.apply(.define(takes: [0, 0], encounters: 0), at: nil)
    for symbol in [0, 1, 0] { learning.recall(symbol) }
    var probability = 1.0
    for symbol in [0, 1, 1, 0, 1, 0, 0] {
      probability *= learning.forecast().confidences[symbol]
      learning.take(symbol, at: nil)
    }
    #expect(abs(probability * 32768 / 95 - 1) < 1e-14)
    #expect(abs(-log2(probability) - 8.43014439) < 5e-9)
    let naive = NaiveTree(symbols: 2, depth: 3, past: [0, 1, 0], sequence: [0, 1, 1, 0, 1, 0, 0])
    #expect(naive.weighted([]) == 95.0 / 32768)
  }

  @Test("the probabilities of random sequences are those of the recursion", arguments: 0..<20)
  func twin(chunk: Int) throws {
    for seed in chunk * 20..<chunk * 20 + 20 {
      var random = SeededGenerator(seed: UInt64(seed))
      let (symbols, depth) = (2 + random.index(3), random.index(4))
      let past = (0..<depth).map { _ in random.index(symbols) }
      let sequence = (0..<random.index(20)).map { _ in random.index(symbols) }
      var learning = try ContextWeighting { $0.depth = depth }.beginning
      learning.apply(.define(takes: [Int](repeating: 0, count: symbols), encounters: 0), at: nil)
      for symbol in past { learning.recall(symbol) }
      var probability = 1.0
      for symbol in sequence {
        let confidences = learning.forecast().confidences
        #expect(abs(confidences.reduce(0, +) - 1) < 1e-14, "seed \(seed)")
        probability *= confidences[symbol]
        learning.take(symbol, at: nil)
      }
      let naive = NaiveTree(symbols: symbols, depth: depth, past: past, sequence: sequence)
      #expect(abs(probability / naive.weighted([]) - 1) < 1e-12, "seed \(seed)")
    }
  }

  @Test("a long sequence neither underflows nor stops learning")
  func long() throws {
    var learning = try ContextWeighting { $0.depth = 2 }.beginning
    learning.apply(.define(takes: [0, 0], encounters: 0), at: nil)
    for step in 0..<20_000 { learning.take(step & 1, at: nil) }
    #expect(learning.forecast().confidences[0] > 0.999)
  }
}

/// The recursion as it is printed, over the whole sequence at once.
private struct NaiveTree {
  var symbols: Int
  var depth: Int
  var past: [Int]
  var sequence: [Int]

  /// Pe from products of halves, which stay exact.
  static func estimate(_ counts: [Int]) -> Double {
    let above = counts.flatMap { 0..<$0 }.reduce(1.0) { $0 * (Double($1) + 0.5) }
    let below = (0..<counts.reduce(0, +)).reduce(1.0) {
      $0 * (Double($1) + Double(counts.count) / 2)
    }
    return above / below
  }

  /// How often each symbol follows a context, the latest symbol of which comes first.
  private func counts(_ context: [Int]) -> [Int] {
    var result = [Int](repeating: 0, count: symbols)
    let all = past + sequence
    for place in past.count..<all.count
    where Array(all[..<place].suffix(context.count).reversed()) == context {
      result[all[place]] += 1
    }
    return result
  }

  func weighted(_ context: [Int]) -> Double {
    let estimate = Self.estimate(counts(context))
    guard context.count < depth else { return estimate }
    return (0..<symbols).reduce(1.0) { $0 * weighted(context + [$1]) } / 2 + estimate / 2
  }
}
