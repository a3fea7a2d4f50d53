import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Environments that change")
struct ChangingEnvironmentTests {
  /// The means of all variants at the first steps.
  private func means(_ text: String, steps count: Int, seed: UInt64 = 1) throws -> [[Double]] {
    var run = try steps(text, seed: seed)
    return (0..<count).map { step in
      run.begin(step)
      return (0..<run.variantCount).map { run.mean($0) }
    }
  }

  @Test("segments begin after the given numbers of decisions")
  func piecewise() throws {
    let text = "piecewise:means=0.3;0.9|0.8;0.2|0.5;0.6,changes=2;3"
    let (a, b, c) = ([0.3, 0.9], [0.8, 0.2], [0.5, 0.6])
    #expect(try means(text, steps: 5) == [a, a, b, c, c])
    #expect(try means("piecewise:means=0.3;0.9", steps: 2) == [a, a])
    var run = try steps(text)
    let optima = (0..<4).map { step in
      run.begin(step)
      return run.optimum
    }
    #expect(optima == [0.9, 0.9, 0.8, 0.6])
  }

  @Test("regret to the best of the moment, and to the best variant of all steps, by hand")
  func regrets() throws {
    let environment = try EnvironmentExamples.make(
      "piecewise:means=0.25;1|1;0,changes=2,deviation=0")
    let policy = try Policies.named("fixed:variant=1", variants: environment.variantNames)
    let outcome = try Simulation(environment, policy, RunRules(horizon: 5), seed: 1).run(0)
    let end = try #require(outcome.points.last)
    // The first variant gets 0.25·2 + 3, the second 2, the best of each moment 5.
    #expect(end.regret == 1.5)
    #expect(end.fixedRegret == 0)
    #expect(end.realizedRegret == 1.5)
    #expect(end.bestChoices == 3)
  }

  @Test("a walk stays within its bounds, with the given step size")
  func drifting() throws {
    let path = try means("drifting:variants=20,step=0.02", steps: 500)
    #expect(path.joined().allSatisfy { (0...1).contains($0) })
    var differences: [Double] = []
    for (before, after) in zip(path, path.dropFirst()) {
      for (x, y) in zip(before, after) where x > 0.1 && x < 0.9 { differences.append(y - x) }
    }
    #expect(distanceRatio(differences) { StandardNormal.cdf($0 / 0.02) } < 1)
    #expect(try means("drifting:means=0.2;0.7", steps: 1) == [[0.2, 0.7]])
    #expect(try means("drifting:means=0.2;0.7,step=0", steps: 9)[8] == [0.2, 0.7])
    let starts = try means("drifting:variants=1000", steps: 1)[0]
    #expect(distanceRatio(starts) { $0 } < 1)
  }

  @Test("values are reflected into bounds")
  func reflection() {
    /// Goes back at each bound until it is inside.
    func naive(_ value: Double, _ bounds: ClosedRange<Double>) -> Double {
      var value = value
      while !bounds.contains(value) {
        value =
          value < bounds.lowerBound ? 2 * bounds.lowerBound - value : 2 * bounds.upperBound - value
      }
      return value
    }
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      let low = Double.random(in: -2...2, using: &random)
      let bounds = low...(low + Double.random(in: 0.1...3, using: &random))
      let value = Double.random(in: -20...20, using: &random)
      #expect(abs(WalkPath.reflect(value, bounds) - naive(value, bounds)) < 1e-12)
    }
  }

  @Test("oscillations have the given mean, amplitude, period and phase")
  func sinusoidal() throws {
    let path = try means(
      "sinusoidal:means=0.5;0.4,amplitudes=0.5;0.2,periods=8;4,phases=0;0.25", steps: 17)
    let expected: [(Int, Double, Double)] = [
      (0, 0.5, 0.6), (1, 0.5 + 0.5 * 0.5.squareRoot(), 0.4), (2, 1, 0.2), (4, 0.5, 0.6),
      (6, 0, 0.2), (8, 0.5, 0.6), (16, 0.5, 0.6),
    ]
    for (step, first, second) in expected {
      #expect(abs(path[step][0] - first) < 1e-15 && abs(path[step][1] - second) < 1e-15)
    }
    let spread = try means("sinusoidal:means=0.5;0.5;0.5;0.5,amplitudes=0.5", steps: 1)[0]
    #expect(zip(spread, [0.5, 1, 0.5, 0]).allSatisfy { abs($0 - $1) < 1e-15 })
  }

  @Test("chains have the right sojourn times, and start in the stationary distribution")
  func restless() throws {
    let text = "restless:good=0.9;0.9;0.9;0.9,bad=0.1,rise=0.02,fall=0.1"
    let path = try means(text, steps: 4000)
    var (rises, falls): ([Double], [Double]) = ([], [])
    for (before, after) in zip(path, path.dropFirst()) {
      for (x, y) in zip(before, after) {
        if x == 0.1 { rises.append(y == 0.9 ? 1 : 0) } else { falls.append(y == 0.1 ? 1 : 0) }
      }
    }
    #expect(hasMean(rises, 0.02))
    #expect(hasMean(falls, 0.1))
    let starts = try (0..<1000 as Range<UInt64>).flatMap { try means(text, steps: 1, seed: $0)[0] }
    #expect(hasMean(starts.map { $0 == 0.9 ? 1 : 0 }, 1 / 6.0))
    let still = try means("restless:good=1;1;1,bad=0,rise=0,fall=0", steps: 50)
    #expect(still.allSatisfy { $0 == still[0] })
  }

  @Test("given rewards repeat row by row")
  func adversarial() throws {
    let environment = try EnvironmentExamples.make("adversarial:path=rewards.csv")
    #expect(environment.variantNames == ["north", "south"])
    #expect(environment.problem(horizon: 4).rewards == 0...1)
    #expect(
      try means("adversarial:path=rewards.csv", steps: 4)
        == [[0.5, 1], [0.25, 0], [1, 0.75], [0.5, 1]])
    #expect(
      try sample("adversarial:path=rewards.csv", variant: 0, count: 4) == [0.5, 0.25, 1, 0.5])
    let policy = try Policies.named("fixed:variant=south", variants: environment.variantNames)
    let outcome = try Simulation(environment, policy, RunRules(horizon: 3), seed: 1).run(0)
    // The rows' best are 1 + 0.25 + 1; north gets 1.75, and so does south.
    #expect(outcome.points.last?.regret == 0.5)
    #expect(outcome.points.last?.fixedRegret == 0)
  }
}
