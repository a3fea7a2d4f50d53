internal import Bandits
internal import Events
internal import Statistics

/// A plan as a line of JSON: the first line of a file of outcomes, which identifies their plan.
enum PlanLine {
  /// The version of the format; version 2 has a checksum in every line, version 3 the numerics mark.
  static let format: Int64 = 3
  static let formatKey = "bandolier_simulation"
  static let numericsKey = "numerics"

  /// The mark of how this build, on this machine, computes: outcomes with another mark may differ in last bits.
  static let numerics = NumericsMark.current.description

  static func json(_ plan: SimulationPlan, numerics: String = numerics) -> JSONValue {
    var line: JSONObject = [
      formatKey: .integer(format),
      numericsKey: .string(numerics),
      "environments": .array(plan.environments.map { .string($0) }),
      "policies": .array(plan.policies.map { .string($0) }),
      "horizon": .integer(Int64(plan.rules.horizon)),
      "steps": .array(plan.steps.map { .integer(Int64($0)) }),
      "batch": .integer(Int64(plan.rules.batch)),
      "runs": .integer(Int64(plan.runs)),
      // A seed may be larger than a JSON integer.
      "seed": .string(String(plan.seed)),
      "paired": .boolean(plan.isPaired),
    ]
    // Most plans have neither.
    line["warm_start"] = plan.warmStart.map { .string($0) }
    if !plan.sources.isEmpty {
      line["sources"] = .array(
        plan.sources.map {
          .object(["path": .string($0.path), "content": .string($0.content)])
        })
    }
    return .object(line)
  }

  /// Returns the checksum that seeds those of its runs.
  static func checksum(_ plan: SimulationPlan) -> UInt32 { CheckedLine.checksum(json(plan)) }

  /// Parses the plan of a line; nil if it is invalid.
  static func read(_ line: JSONValue) -> SimulationPlan? {
    guard line[formatKey]?.integer == format,
      let environments = texts(line["environments"]), let policies = texts(line["policies"]),
      let horizon = count(line["horizon"]), let batch = count(line["batch"]),
      let runs = count(line["runs"]), let steps = line["steps"]?.array?.compactMap(count),
      let seed = line["seed"]?.string.flatMap({ UInt64($0) }),
      let isPaired = line["paired"]?.boolean, let sources = sources(line["sources"])
    else { return nil }
    var plan = SimulationPlan(
      environments: environments, policies: policies,
      rules: RunRules(horizon: horizon, checkpoints: .given(steps), batch: batch), runs: runs,
      seed: seed, isPaired: isPaired, warmStart: line["warm_start"]?.string)
    plan.sources = sources
    return plan
  }

  /// Returns whether two plans give the same outcomes, however their checkpoints were specified.
  static func areSame(_ a: SimulationPlan, _ b: SimulationPlan) -> Bool { json(a) == json(b) }

  /// Describes the differences to another plan.
  static func difference(_ a: SimulationPlan, _ b: SimulationPlan) -> String {
    let names = [
      "environments", "policies", "horizon", "steps", "batch", "runs", "seed", "paired",
      "warm_start",
    ]
    let (one, other) = (json(a), json(b))
    let parts = names.filter { one[$0] != other[$0] } + changes(a.sources, b.sources)
    return parts.isEmpty ? "sources" : parts.joined(separator: ", ")
  }

  /// Describes the sources that both plans read with different contents.
  static func changes(_ before: [PlanSource], _ now: [PlanSource]) -> [String] {
    now.compactMap { source in
      guard let old = before.first(where: { $0.path == source.path }), old != source else {
        return nil
      }
      return "\(source.path) had \(old.content) then, and has \(source.content) now"
    }
  }

  private static func sources(_ value: JSONValue?) -> [PlanSource]? {
    guard let value else { return [] }
    guard let values = value.array else { return nil }
    let sources = values.compactMap { value -> PlanSource? in
      guard let path = value["path"]?.string, let content = value["content"]?.string else {
        return nil
      }
      return PlanSource(path: path, content: content)
    }
    return sources.count == values.count ? sources : nil
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
