internal import Bandits
internal import Events

/// A plan as a line of JSON: the head of a file of outcomes, by which it is known what they are of.
enum PlanLine {
  static let format: Int64 = 1

  static func json(_ plan: SimulationPlan) -> JSONValue {
    .object(
      JSONObject([
        JSONObject.Member(name: "bandolier_simulation", value: .integer(format)),
        JSONObject.Member(
          name: "environments", value: .array(plan.environments.map { .string($0) })),
        JSONObject.Member(name: "policies", value: .array(plan.policies.map { .string($0) })),
        JSONObject.Member(name: "horizon", value: .integer(Int64(plan.rules.horizon))),
        JSONObject.Member(name: "steps", value: .array(plan.steps.map { .integer(Int64($0)) })),
        JSONObject.Member(name: "batch", value: .integer(Int64(plan.rules.batch))),
        JSONObject.Member(name: "runs", value: .integer(Int64(plan.runs))),
        // A seed may be larger than a JSON integer.
        JSONObject.Member(name: "seed", value: .string(String(plan.seed))),
        JSONObject.Member(name: "paired", value: .boolean(plan.isPaired)),
      ]))
  }

  /// The plan of a line; nil when it is none.
  static func read(_ line: JSONValue) -> SimulationPlan? {
    guard line["bandolier_simulation"]?.integer == format,
      let environments = texts(line["environments"]), let policies = texts(line["policies"]),
      let horizon = count(line["horizon"]), let batch = count(line["batch"]),
      let runs = count(line["runs"]), let steps = line["steps"]?.array?.compactMap(count),
      let seed = line["seed"]?.string.flatMap({ UInt64($0) }),
      let isPaired = line["paired"]?.boolean
    else { return nil }
    return SimulationPlan(
      environments: environments, policies: policies,
      rules: RunRules(horizon: horizon, checkpoints: .given(steps), batch: batch), runs: runs,
      seed: seed, isPaired: isPaired)
  }

  /// Whether two plans give the same outcomes, however their checkpoints were said.
  static func areSame(_ a: SimulationPlan, _ b: SimulationPlan) -> Bool { json(a) == json(b) }

  /// What a plan differs in from another, in words.
  static func difference(_ a: SimulationPlan, _ b: SimulationPlan) -> String {
    let names = [
      "environments", "policies", "horizon", "steps", "batch", "runs", "seed", "paired",
    ]
    let (one, other) = (json(a), json(b))
    return names.filter { one[$0] != other[$0] }.joined(separator: ", ")
  }

  private static func texts(_ value: JSONValue?) -> [String]? {
    guard let values = value?.array else { return nil }
    let texts = values.compactMap(\.string)
    return texts.count == values.count ? texts : nil
  }

  private static func count(_ value: JSONValue?) -> Int? {
    guard let number = value?.integer.flatMap({ Int(exactly: $0) }), number >= 1 else { return nil }
    return number
  }
}
