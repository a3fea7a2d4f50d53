import Foundation
import Prediction
import Specifications
import TestSupport
import Testing

@Suite("Mixtures of predictors")
struct MixtureTests {
  /// The log loss of each take, predicted and then learned.
  private func losses(_ predictor: Predictor, _ takes: [Int]) -> [Double] {
    var learning = predictor.beginning
    learning.apply(.define(takes: [0, 0, 0, 0], encounters: 0), at: 0)
    return takes.enumerated().map { number, take in
      let time = Int64(number) * 3_600_000_000
      let loss = -log(learning.forecast(at: time).confidences[take])
      learning.take(take, at: time)
      return loss
    }
  }

  /// A mixture of one: the predictor as it is heard in a mixture.
  private func single(_ predictor: Predictor) throws -> Predictor { try .mixture([predictor]) }

  @Test("the log loss is at most ln(experts) above that of the best one", arguments: 0..<40)
  func regret(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let experts = try ["beauchamp", "half-life:days=1", "last", "markov", "ppm", "uniform"].map {
      try Predictors.named($0)
    }
    var takes = [0]
    let (habit, repeated) = (Double.random(in: 0..<1, using: &generator), generator.chance(0.5))
    for _ in 0..<150 {
      let usual = repeated ? takes[takes.count - 1] : (takes[takes.count - 1] + 1) % 4
      takes.append(generator.chance(habit) ? usual : generator.index(4))
    }
    let best = try experts.map { losses(try single($0), takes).reduce(0, +) }.min() ?? 0
    let mixed = losses(try .mixture(experts), takes).reduce(0, +)
    #expect(mixed <= best + log(6) + 1e-9, "seed \(seed): \(mixed), best \(best)")
    // And it is the mean of the likelihoods, to the digit.
    let likelihoods = try experts.map { exp(-losses(try single($0), takes).reduce(0, +)) }
    #expect(abs(mixed + log(likelihoods.reduce(0, +) / 6)) < 1e-9, "seed \(seed)")
  }

  @Test("when the world changes, experts that share their weights follow it", arguments: 0..<5)
  func change(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var takes = [0]
    while takes.count < 800 {
      let last = takes[takes.count - 1]
      let usual = takes.count / 200 % 2 == 0 ? last : generator.index(4)
      takes.append(usual)
    }
    let experts = [Predictor.last, .uniform]
    let fixed = losses(try .mixture(experts), takes).reduce(0, +)
    let sharing = losses(try .mixture(experts, share: 0.02), takes).reduce(0, +)
    #expect(sharing < fixed - 20, "seed \(seed): \(sharing), not below \(fixed)")
  }

  @Test("weights begin alike, and again when the study does; at rate 0 they stay alike")
  func weights() throws {
    for rate in [0.0, 1] {
      let mixture = try Mixture { ($0.experts, $0.rate) = ([.last, .beauchamp, .uniform], rate) }
      var (learning, pool) = (mixture.beginning, mixture.emptyPool)
      let alike = [1.0 / 3, 1.0 / 3, 1.0 / 3]
      learning.apply(.define(takes: [0, 0], encounters: 0), at: 0)
      #expect(learning.weights == alike)
      for _ in 0..<20 { learning.take(1, in: Situation(places: 2, at: 0), pool: &pool) }
      #expect((learning.weights == alike) == (rate == 0), "\(learning.weights)")
      #expect(learning.weights[2] <= learning.weights[0])
      learning.apply(.define(takes: [0, 0], encounters: 0), at: 0)
      #expect(learning.weights == alike)
    }
  }

  @Test("units learn from each other where they do so in an expert, however deep")
  func isPooled() throws {
    #expect(try !Predictors.named("mixture").isPooled)
    #expect(try Predictors.named("mixture:experts=(last);(popular)").isPooled)
    #expect(
      try Predictors.named("mixture:experts=(last);(mixture:experts=(uniform);(pooled))").isPooled)
    #expect(try !Predictors.named("mixture:experts=(last);(mixture)").isPooled)
  }

  @Test("a weight lost for long is not lost for good where weights are shared")
  func lasting() throws {
    let mixture = try Mixture {
      $0.experts = [.last, .uniform]
      ($0.rate, $0.share, $0.floor) = (100, 1e-300, 1e-9)
    }
    var (learning, pool) = (mixture.beginning, mixture.emptyPool)
    learning.apply(.define(takes: [0, 0, 0], encounters: 0), at: 0)
    learning.take(0, in: Situation(places: 3, at: 0), pool: &pool)
    for number in 0..<500 {
      learning.take(number % 3, in: Situation(places: 3, at: 0), pool: &pool)
      #expect(learning.isSound && learning.weights.allSatisfy { $0 >= 0 && $0 <= 1 })
    }
    #expect(learning.weights[1] > 0.99)
    for _ in 0..<5000 { learning.take(1, in: Situation(places: 3, at: 0), pool: &pool) }
    #expect(learning.isSound && learning.weights[0] > 0.99)
  }
}
