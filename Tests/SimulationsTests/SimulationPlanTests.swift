import Bandits
import Testing

@testable import Simulations

@Suite("Plans")
struct SimulationPlanTests {
  @Test("a plan in YAML can express all flags")
  func whole() throws {
    let yaml = """
      environments:
        - bernoulli:means=0.1;0.9
        - bernoulli: {means: [0.2, 0.3, 0.4]}
      policies: [thompson, "ucb:alpha=1", {ucb: {alpha: 0.5}}, {epsilon-greedy: {epsilon: 0.2}}]
      horizon: 500
      runs: 20
      seed: 18446744073709551615
      checkpoints: [10, 100]
      batch: 5
      paired: false
      warm_start: {log: {path: shop, experiment: button}}
      """
    let expected = SimulationPlan(
      environments: ["bernoulli:means=0.1;0.9", "bernoulli:means=0.2;0.3;0.4"],
      policies: ["thompson", "ucb:alpha=1", "ucb:alpha=0.5", "epsilon-greedy:epsilon=0.2"],
      rules: RunRules(horizon: 500, checkpoints: .given([10, 100]), batch: 5), runs: 20,
      seed: .max, isPaired: false, warmStart: "log:path=shop,experiment=button")
    #expect(try SimulationPlan(yaml: yaml, path: "p.yaml") == expected)
  }

  @Test(
    "what is no plan is refused with the line",
    arguments: [
      ("horizon: -1", "p.yaml:1:10: it must be a whole number from 1"),
      (
        "runs: 3\nhorizons: 5",
        "p.yaml:2:1: unknown key of a plan \"horizons\"; did you mean \"horizon\"?"
      ),
      ("policies: thompson", "p.yaml:1:11: it must be a list"),
      ("policies:\n  - [1, 2]", "p.yaml:2:5: it must be NAME:KEY=VALUE"),
      ("policies:\n  - ucb: 3", "p.yaml:2:10: the parameters of ucb must be KEY: VALUE"),
      ("checkpoints: often", "p.yaml:1:14: checkpoints must be log, linear:COUNT or a list"),
      ("paired: perhaps", "p.yaml:1:9: paired must be true or false"),
      ("seed: -5", "p.yaml:1:7: seed must be a whole number from 0"),
      ("- a", "p.yaml: it must be a mapping"), ("", "p.yaml: it must be a mapping"),
      ("a: [", "p.yaml:2:1: not YAML: "), ("runs: 1\nruns: 2", "p.yaml:2:1: \"runs\" is there twice"),
    ])
  func refusals(yaml: String, reason: String) {
    let error = #expect(throws: PlanError.self) { try SimulationPlan(yaml: yaml, path: "p.yaml") }
    #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
  }

  @Test(
    "a plan that cannot be carried out is refused before its first run",
    arguments: [
      ([], ["ucb1"], "there is no environment"),
      (["bernoulli:means=0.5"], [], "there is no policy"),
      (["bernoulli:means=2"], ["ucb1"], "environment bernoulli:means=2: "),
      (
        ["bernoulli:means=0.5"], ["ucb2000"],
        "policy ucb2000 in bernoulli:means=0.5: unknown policy"
      ),
      (["bernoulli:means=0.5"], ["ucb1", "ucb1"], "policy ucb1 is given twice"),
      (
        ["bernoulli:means=0.5"], ["fixed:variant=9"],
        "policy fixed:variant=9 in bernoulli:means=0.5: \"9\""
      ),
      (["bernoulli:means=0.5"], ["weights:values=1;2"], "policy weights:values=1;2 in bernoulli"),
    ] as [([String], [String], String)])
  func impossible(environments: [String], policies: [String], reason: String) {
    let error = #expect(throws: PlanError.self) {
      try PreparedPlan(SimulationPlan(environments: environments, policies: policies))
    }
    #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
  }

  @Test("a plan that no memory holds is refused")
  func tooLarge() {
    let plan = SimulationPlan(
      environments: ["bernoulli:means=0.5"], policies: ["ucb1"],
      rules: RunRules(horizon: 1_000_000, checkpoints: .linear(100_000)), runs: 501)
    let error = #expect(throws: PlanError.self) { try PreparedPlan(plan) }
    #expect(error?.description.contains("more than 50000000 checkpoints") == true)
  }

  @Test(
    "checkpoints are where they are said to be",
    arguments: [
      ("log", 10, [1, 2, 5, 10]), ("log", 700, [1, 2, 5, 10, 20, 50, 100, 200, 500, 700]),
      ("log", 1, [1]), ("linear:4", 10, [2, 5, 7, 10]), ("linear:50", 3, [1, 2, 3]),
      ("5;3;3;99", 10, [3, 5, 10]),
    ])
  func checkpoints(text: String, horizon: Int, steps: [Int]) {
    #expect(Checkpoints(text)?.steps(horizon: horizon) == steps)
  }

  @Test("bad values are refused", arguments: ["", "often", "linear:", "linear:0", "1;;2", "0"])
  func notCheckpoints(text: String) {
    #expect(Checkpoints(text) == nil)
  }
}
