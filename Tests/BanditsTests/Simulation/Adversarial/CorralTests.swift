import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

/// One step of mirror descent by bisection.
private func descend(_ p: [Double], _ rates: [Double], _ index: Int, _ loss: Double) -> [Double] {
  func next(_ lambda: Double) -> [Double] {
    p.indices.map { 1 / (1 / p[$0] + rates[$0] * (($0 == index ? loss : 0) - lambda)) }
  }
  var (low, high) = (0.0, loss)
  for _ in 0..<300 {
    let middle = (low + high) / 2
    let candidate = next(middle)
    if candidate.contains(where: { $0 < 0 }) || candidate.reduce(0, +) > 1 {
      high = middle
    } else {
      low = middle
    }
  }
  return next(low)
}

@Suite("Corral")
struct CorralTests {
  @Test("probabilities follow the paper over thousands of losses")
  func weights() {
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let count = random.index(4) + 1
      let (eta, horizon) = (random.pick([0.01, 0.1, 1, 5], or: 1), 500.0)
      var ours = CorralWeights(count, eta: eta, horizon: horizon)
      var p = [Double](repeating: 1 / Double(count), count: count)
      var mixed = p
      var rates = [Double](repeating: eta, count: count)
      var limits = [Double](repeating: 2 * Double(count), count: count)
      for _ in 0..<100 {
        let index = random.index(count)
        let loss = random.chance(0.3) ? 0 : Double.random(in: 0...1, using: &random) / mixed[index]
        ours.learn(index, loss)
        p = descend(p, rates, index, loss)
        mixed = p.map { (1 - 1 / horizon) * $0 + 1 / horizon / Double(count) }
        for other in 0..<count where 1 / mixed[other] > limits[other] {
          limits[other] = 2 / mixed[other]
          rates[other] *= exp(1 / log(horizon))
        }
        #expect(zip(ours.mixed, mixed).allSatisfy { abs($0 - $1) < 1e-9 }, "seed \(seed)")
        #expect(abs(ours.mixed.reduce(0, +) - 1) < 1e-12)
      }
    }
  }

  @Test("with deterministic policies the propensity is known")
  func propensity() throws {
    let name = "corral:policies=(fixed:variant=1);(fixed:variant=2);(fixed:variant=2),eta=0.1"
    for feedback in ["chosen", "agreeing"] {
      var ours = CorralWeights(3, eta: 0.1, horizon: 1000)
      let start = try freshState(name + ",feedback=" + feedback, variants: 2)
      var random = Xoshiro256(seed: 3)
      var state = start
      for step in 0..<500 {
        var before = random
        for _ in 0..<3 { _ = before.next() }
        let followed = ours.mixed.place(of: Draw.unit(using: &before))
        let choice = state.choose(.none, &random)
        #expect(choice.variant == min(followed, 1))
        let expected = followed == 0 ? ours.mixed[0] : ours.mixed[1] + ours.mixed[2]
        #expect(abs(choice.propensity - expected) < 1e-12)
        let reward = mixedReward(3)(step, choice.variant)
        ours.learn(followed, (1 - reward) / ours.mixed[followed])
        state.learn(choice, reward, .none)
      }
    }
  }

  @Test("it learns to follow the better policy, with propensities if known")
  func follows() throws {
    let runs = try outcomes(
      "corral:policies=(fixed:variant=1);(ucb1),eta=0.1", Problems.b4, horizon: 5000, runs: 10)
    let alone = try outcomes("uniform", Problems.b4, horizon: 5000, runs: 10)
    #expect(mean(runs) { $0.points.last?.regret ?? 0 }.mean < 150)
    #expect(mean(alone) { $0.points.last?.regret ?? 0 }.mean > 400)
    let exact = try freshState("corral:policies=(exp3);(tsallis-inf)", variants: 4)
    let choices = wander(exact, steps: 200, seed: 1, reward: mixedReward(1))
    #expect(choices.allSatisfy { $0.propensity > 0 && $0.propensity <= 1 })
    let open = try freshState("corral:policies=(thompson);(ucb1)", variants: 4)
    #expect(
      wander(open, steps: 9, seed: 1, reward: mixedReward(1)).contains { $0.propensity.isNaN })
  }

  @Test(
    "invalid parameters are rejected with a reason",
    arguments: [
      ("corral", "write corral:policies=(ucb1);(thompson)"),
      ("corral:policies=(ucb1);()", "has no name"),
      ("corral:policies=(ucb1);(what)", "unknown policy \"what\""),
      ("corral:policies=(ucb1),feedback=x", "must be chosen or agreeing"),
      ("corral:policies=(ucb1),eta=x", "eta=x of corral must be a number"),
      ("exp3-s:horizon=0", "horizon=0 of exp3-s must be a whole number"),
      ("tsallis-inf:estimator=x", "must be iw or rv"),
      ("exp4:experts=", "has no name"),
      (
        "corral:policies="
          + String(repeating: "(corral:policies=", count: 9) + "(ucb1)"
          + String(repeating: ")", count: 9),
        "10 deep; 8 are the most"
      ),
      (
        "floor:policy=" + String(repeating: "floor:policy=", count: 20_000) + "ucb1",
        "20000 deep; 8 are the most"
      ),
    ])
  func refused(text: String, reason: String) throws {
    let error = #expect(throws: SpecificationError.self) { try Policies.named(text) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test("choices are kept until 65,536 others follow")
  func ring() {
    var ring = PendingChoices(width: 2, note: 0)
    var random = SeededGenerator(seed: 9)
    var open: Set<Int> = []
    for number in 0..<70_000 {
      let made = [Choice(number), Choice(-number)]
      #expect(ring.add(number, made) == number)
      open.insert(number)
      guard random.chance(0.7),
        let taken = random.chance(0.5) ? number : open.randomElement(using: &random)
      else { continue }
      open.remove(taken)
      if number - taken < 65_536 {
        #expect(ring.take(taken) == taken)
        #expect(ring.choice(taken, 0).variant == taken && ring.choice(taken, 1).variant == -taken)
      }
      #expect(ring.take(taken) == nil)
    }
    #expect(ring.take(-1) == nil && ring.take(.max) == nil && ring.take(.min) == nil)
    for _ in 0..<65_536 { _ = ring.add(-5, [Choice(1), Choice(2)]) }
    #expect(open.allSatisfy { ring.take($0) == nil })
  }
}
