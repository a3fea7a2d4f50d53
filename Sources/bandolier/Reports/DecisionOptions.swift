import ArgumentParser
import Reports

extension DecisionReport: ReportWithOptions {
  typealias CommandOptions = DecisionOptions
}

/// The options of the report `decisions`, which are those of its analysis file.
struct DecisionOptions: ReportOptions {
  static let usage = "bandolier report decisions <log or database>\n  --analysis <file> [<options>]"

  static let discussion = """
    A variant is shipped if the goal metric is significantly higher and no guardrail is worse, rolled back if either is \
    lower, and kept running until the units that the minimum effect needs are there. Damaged data are not read. Look as \
    often as you like: it decides by a confidence sequence, or once, if the file has the planned units. \
    `bandolier explain decisions` has the rules.

    The file has a mapping of experiments; every key may be left out: baseline, since, until, metric (reward), secondary, \
    guardrails ({metric: visits, margin: 0.02}), dimensions, shares ({control: 0.5, blue: 0.5}), minimum_effect (0.02) \
    and units (20000, all variants together).
    """

  static let examples = [
    #"""
    bandolier report decisions datasets/storefront.log \
      --analysis datasets/analysis.yaml
    """#,
    #"""
    bandolier report compare datasets/storefront.log \
      --analysis datasets/analysis.yaml
    """#,
  ]

  func report() throws -> DecisionReport { DecisionReport(AnalysisPlan([])) }

  func report(of plan: AnalysisPlan?) throws -> DecisionReport? {
    guard let plan else {
      throw ValidationError(
        "name an analysis file with --analysis; it says which metric decides each experiment")
    }
    return DecisionReport(plan)
  }

  func validate(with verb: ReportVerb<Self>) throws {
    if verb.replay.by != nil { throw ValidationError("--by is not available for this report") }
    if verb.analysis.analysis == nil { _ = try report(of: nil) }
  }
}
