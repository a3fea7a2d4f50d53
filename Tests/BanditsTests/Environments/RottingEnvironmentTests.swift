import Testing

@testable import Bandits

@Suite("Rotting variants")
struct RottingEnvironmentTests {
  @Test("a mean decays with the variant's own choices only")
  func own() throws {
    var run = try steps("rotting:means=1;0.75,rates=0.25,decay=linear")
    var seen: [[Double]] = []
    for (step, choice) in [1, 1, 0, 1].enumerated() {
      run.begin(step)
      seen.append([run.mean(0), run.mean(1)])
      _ = run.reward(choice)
    }
    #expect(seen == [[1, 0.75], [1, 0.5], [1, 0.25], [0.75, 0.25]])
  }

  @Test("the optimum is that of the greedy policy with its own choices, by hand")
  func optimum() throws {
    var run = try steps("rotting:means=1;0.75,rates=0.25,decay=linear,low=0.25")
    let optima = (0..<8).map { step in
      run.begin(step)
      _ = run.reward(1)
      return run.optimum
    }
    #expect(optima == [1, 0.75, 0.75, 0.5, 0.5, 0.25, 0.25, 0.25])
  }

  @Test(
    "no sequence of choices beats the greedy policy",
    arguments: ["power", "linear", "exponential"])
  func best(decay: String) throws {
    let text = "rotting:means=0.9;0.8;0.5,rates=0.3;0.2;0.01,decay=\(decay)"
    var best = 0.0
    for code in 0..<729 {
      var (run, rest, total) = (try steps(text), code, 0.0)
      for step in 0..<6 {
        run.begin(step)
        total += run.mean(rest % 3)
        _ = run.reward(rest % 3)
        rest /= 3
      }
      best = max(best, total)
    }
    var run = try steps(text)
    let greedy = (0..<6).reduce(0.0) { sum, step in
      run.begin(step)
      return sum + run.optimum
    }
    #expect(abs(greedy - best) < 1e-12)
  }

  @Test(
    "decay functions",
    arguments: [("power", 0.4), ("linear", 0.0), ("exponential", 0.8 / 20.085536923187668)])
  func shapes(decay: String, afterThree: Double) throws {
    let rate = decay == "power" ? 0.5 : 1
    var run = try steps("rotting:means=0.8,rates=\(rate),decay=\(decay)")
    for step in 0..<3 {
      run.begin(step)
      _ = run.reward(0)
    }
    #expect(abs(run.mean(0) - afterThree) < 1e-15)
    #expect(try EnvironmentExamples.make("rotting:means=0.8").rewardsDependOnChoices)
  }
}
