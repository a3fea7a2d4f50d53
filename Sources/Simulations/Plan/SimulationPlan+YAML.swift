internal import Bandits
internal import Specifications
internal import YAML

extension SimulationPlan {
  /// Reads a plan from YAML:
  ///
  ///     environments: [bernoulli:means=0.1;0.9]
  ///     policies:
  ///       - thompson
  ///       - ucb: {alpha: 1}
  ///     horizon: 10000
  ///     runs: 200
  ///     seed: 1
  ///     checkpoints: log        # or linear:50, or a list of steps
  ///     batch: 1
  ///     paired: true
  ///     warm_start: log:path=shop,experiment=button
  ///
  /// The defaults are those of ``init(environments:policies:rules:runs:seed:isPaired:warmStart:)``.
  ///
  /// - Parameters:
  ///   - yaml: The text.
  ///   - path: The path of the file, for messages.
  /// - Throws: ``PlanError`` with the line.
  public init(yaml: String, path: String) throws(PlanError) {
    self.init()
    let reader = PlanReader(path: path)
    let root: YAMLNode?
    do { root = try YAMLNode.root(of: yaml, path: path) } catch { throw PlanError(error.description) }
    guard let members = root?.mapping else {
      throw PlanError("\(path): it must be a mapping with environments and policies")
    }
    for (key, value) in members {
      switch key.string ?? "" {
      case "environments": environments = try reader.specifications(value)
      case "policies": policies = try reader.specifications(value)
      case "horizon": rules.horizon = try reader.count(value)
      case "runs": runs = try reader.count(value)
      case "batch": rules.batch = try reader.count(value)
      case "checkpoints": rules.checkpoints = try reader.checkpoints(value)
      case "seed":
        guard let seed = UInt64(value.string ?? "") else {
          throw reader.error(value, "seed must be a whole number from 0")
        }
        self.seed = seed
      case "paired":
        guard let flag = value.bool else {
          throw reader.error(value, "paired must be true or false")
        }
        isPaired = flag
      case "warm_start": warmStart = try reader.specification(value)
      default:
        throw reader.error(
          key,
          NearestName.unknown(
            "key of a plan", key.string ?? "?",
            among: [
              "environments", "policies", "horizon", "runs", "seed", "checkpoints", "batch",
              "paired", "warm_start",
            ]))
      }
    }
  }
}

/// Reads the parts of a plan, and reports invalid ones.
private struct PlanReader {
  let path: String

  func error(_ node: YAMLNode, _ reason: String) -> PlanError {
    PlanError("\(path):\(node.mark.line):\(node.mark.column): \(reason)")
  }

  func count(_ node: YAMLNode) throws(PlanError) -> Int {
    guard let count: Int = WrittenValue.integer(node.string ?? ""), count >= 1 else {
      throw error(node, "it must be a whole number from 1")
    }
    return count
  }

  func checkpoints(_ node: YAMLNode) throws(PlanError) -> Checkpoints {
    if let text = node.string, let checkpoints = Checkpoints(text) { return checkpoints }
    guard let list = node.sequence else {
      throw error(node, "checkpoints must be log, linear:COUNT or a list of steps")
    }
    var steps: [Int] = []
    for item in list { steps.append(try count(item)) }
    return .given(steps)
  }

  /// Reads a list of texts such as `ucb:alpha=1`, or of names with their parameters nested below.
  func specifications(_ node: YAMLNode) throws(PlanError) -> [String] {
    guard let list = node.sequence else { throw error(node, "it must be a list") }
    var texts: [String] = []
    for item in list { texts.append(try specification(item)) }
    return texts
  }

  func specification(_ node: YAMLNode) throws(PlanError) -> String {
    if let text = node.string { return text }
    guard let mapping = node.mapping, mapping.count == 1, let (key, value) = mapping.first,
      let name = key.string
    else { throw error(node, "it must be NAME:KEY=VALUE,... or NAME with its parameters below it") }
    guard let parameters = value.mapping else {
      throw error(value, "the parameters of \(name) must be KEY: VALUE")
    }
    var parts: [String] = []
    for (key, value) in parameters {
      parts.append("\(key.string ?? "")=\(try self.value(value))")
    }
    return parts.isEmpty ? name : name + ":" + parts.joined(separator: ",")
  }

  /// Reads a value: a text or number, a list of these, or a nested specification.
  private func value(_ node: YAMLNode) throws(PlanError) -> String {
    if let text = node.string { return text }
    if let list = node.sequence {
      var parts: [String] = []
      for item in list { parts.append(try value(item)) }
      return parts.joined(separator: ";")
    }
    return "(" + (try specification(node)) + ")"
  }
}
