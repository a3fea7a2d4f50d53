import EventLog
import Events
import Replay
import TestSupport
import Testing

@testable import Reports

@Suite("Analysis files")
struct AnalysisPlanTests {
  private static let whole = """
    experiments:
      homepage:
        baseline: control
        since: 2026-01-01
        until: 2026-02-01T12:00:00Z
        metric: converted:goal=purchase
        secondary: [revenue, reward]
        guardrails: [{metric: visits, margin: 2%}, decisions]
        dimensions: [context.country, day]
        shares: {control: 0.5, blue: 0.5}
        minimum_effect: 0.02
      plain:
    """

  @Test("every key is read; an experiment without settings has the defaults")
  func whole() throws {
    let plan = try AnalysisPlan(yaml: Self.whole, path: "plan.yaml")
    #expect(plan.entries.map(\.experiment) == ["homepage", "plain"])
    let entry = try #require(plan.entry(of: "homepage"))
    #expect(entry.baseline == "control" && entry.metric == Metric(.converted, goal: "purchase"))
    #expect(entry.since.map { "\($0)" }?.hasPrefix("2026-01-01T00:00:00") == true)
    #expect(entry.until.map { "\($0)" }?.hasPrefix("2026-02-01T12:00:00") == true)
    #expect(entry.secondary == [Metric(.revenue), Metric(.reward)])
    #expect(
      entry.guardrails == [.init(Metric(.visits), margin: 0.02), .init(Metric(.decisions))])
    #expect(entry.dimensions == [.context("country"), .day])
    #expect(entry.shares == ["control": 0.5, "blue": 0.5] && entry.minimumEffect == 0.02)
    #expect(
      entry.metrics.map(\.description) == [
        "converted:goal=purchase", "revenue", "reward", "visits", "decisions",
      ])
    #expect(plan.entry(of: "plain") == AnalysisPlan.Entry("plain"))
  }

  @Test(
    "a bad file is an error with the line, and with what to write instead",
    arguments: [
      ("", "it must have experiments"), ("experiments: [", "not YAML"), ("[]", "it must have"),
      ("experiments: {}", "must have names of experiments"),
      (
        "experimnts: {a: {}}",
        "plan.yaml:1:1: unknown key of an analysis file \"experimnts\"; did you mean \"experiments\"?"
      ),
      (
        "experiments:\n  a:\n    basline: x",
        "plan.yaml:3:5: unknown key of an experiment \"basline\"; did you mean \"baseline\"?"
      ),
      ("experiments:\n  a: {}\n  a: {}", "plan.yaml:3:3: \"a\" is there twice"),
      ("experiments:\n  a: 5", "must be KEY: VALUE"),
      (
        "experiments:\n  a:\n    metric: revenu",
        "plan.yaml:3:13: unknown metric \"revenu\"; did you mean \"revenue\"?"
      ),
      ("experiments:\n  a:\n    metric: goals(purchase)", "unknown metric"),
      ("experiments:\n  a:\n    since: yesterday", "since must be a date"),
      ("experiments:\n  a:\n    since: 2026-02-01\n    until: 2026-01-01", "not later than since"),
      ("experiments:\n  a:\n    dimensions: [country]", "written context.country"),
      ("experiments:\n  a:\n    dimensions: [dya]", "did you mean \"day\"?"),
      ("experiments:\n  a:\n    shares: {a: 1}", "at least two variants"),
      ("experiments:\n  a:\n    shares: {a: 1, b: -1}", "a share must be a number of 0 or more"),
      ("experiments:\n  a:\n    minimum_effect: 0", "must be a number above 0"),
      (
        "experiments:\n  a:\n    minimum_effect: 30",
        "minimum_effect: \"30\" is 3000 % of the baseline's mean; write 30%, or 3000% if that is meant"
      ),
      ("experiments:\n  a:\n    minimum_effect: 5pp", "write one such as 5% or 0.05"),
      ("experiments:\n  a:\n    guardrails: [{margin: 0.1}]", "a guardrail needs a metric"),
      (
        "experiments:\n  a:\n    guardrails: [{metric: visits, margn: 0.1}]",
        "did you mean \"margin\"?"
      ),
      ("experiments:\n  a:\n    secondary: {metric: visits}", "must be"),
    ])
  func wrong(yaml: String, message: String) {
    let error = #expect(throws: ReportError.self) {
      try AnalysisPlan(yaml: yaml, path: "plan.yaml")
    }
    #expect(error?.code == .badData)
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    #expect(error?.description.hasPrefix("plan.yaml") == true)
    #expect(error?.description.contains("\n") == false)
  }

  @Test("effects and margins are parts of the mean, above all of it as percentages", arguments: ["30%", "0.3", "110%"])
  func parts(effect: String) throws {
    let yaml = """
      experiments:
        a: {minimum_effect: \(effect), guardrails: [{metric: "reward:direction=lower", margin: \(effect)}]}
      """
    let plan = try AnalysisPlan(yaml: yaml, path: "plan.yaml")
    #expect(plan.entries[0].minimumEffect == (effect == "110%" ? 1.1 : 0.3))
    #expect(plan.entries[0].guardrails[0].margin == plan.entries[0].minimumEffect)
    #expect(try AnalysisPlan(yaml: plan.yaml, path: "plan.yaml") == plan)
  }

  @Test("--margin is in units of the metric, and of a share in percentage points")
  func amounts() throws {
    let margin = { try GivenOptions([("margin", $0)]).report(ComparisonReport.self).plan.margin }
    #expect(try margin("0.5pp") == 0.005)
    #expect(try margin("30") == 30)
    let error = #expect(throws: ReportError.self) { try margin("5%") }
    #expect(error?.description.contains("0.5pp") == true)
  }

  @Test("the text of a plan reads back as the same plan, whatever its names are")
  func text() throws {
    let names = [
      "a", "true", "null", "1", "=1+1", "<script>", "a: b", "- x", "#", "\"quoted\"", "back\\slash",
      "two\nlines", "tab\t", "\u{202E}right", "\u{0}\u{7F}", "cafe\u{301}", "🎉", "",
      "*", "&a", "!tag", "%", "@", "{}", "[x]", " ",
    ]
    var entries = names.map { AnalysisPlan.Entry($0) }
    for index in entries.indices {
      entries[index].baseline = names[(index + 1) % names.count]
      if entries[index].baseline == "" { entries[index].baseline = nil }
      entries[index].shares = ["x": 0.1, names[index]: 0.9]
      entries[index].metric = Metric(
        .converted, goal: names[index].filter { $0 != "," && $0 != "=" })
      if entries[index].metric.goals == [""] { entries[index].metric = Metric(.reward) }
    }
    entries[0] = try #require(
      try AnalysisPlan(yaml: Self.whole, path: "plan.yaml").entry(of: "homepage"))
    let plan = AnalysisPlan(entries.filter { (try? Metric(parsing: "\($0.metric)")) == $0.metric })
    #expect(plan.entries.count > 20)
    let yaml = plan.yaml
    #expect(yaml.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 && $0 != "\u{202E}" })
    let again = try AnalysisPlan(yaml: yaml, path: "again.yaml")
    #expect(again.entries == plan.entries)
    #expect(again.yaml == yaml)
  }

  // MARK: Names

  private func check(_ yaml: String) throws -> String? {
    let log = try ComparisonLog(
      ComparedUnits.units("control", ["buy": [1, 2]]) + ComparedUnits.units("blue", ["buy": [1]]))
    let plan = try AnalysisPlan(yaml: yaml, path: "plan.yaml")
    do {
      _ = try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 1))
      return nil
    } catch let error as ReportError { return error.description }
  }

  @Test("a name that the log does not have is an error with its line and the nearest name")
  func names() throws {
    #expect(try check("experiments:\n  e: {baseline: control}") == nil)
    for (yaml, line, near) in [
      ("experiments:\n  ee:\n", 2, "\"e\""),
      ("experiments:\n  e:\n    baseline: contrl", 3, "did you mean \"control\"?"),
      ("experiments:\n  e:\n    metric: goals:goal=by", 3, "did you mean \"buy\"?"),
      ("experiments:\n  e:\n    secondary:\n      - goals:goal=by", 4, "did you mean \"buy\"?"),
      ("experiments:\n  e:\n    guardrails: [goals:goal=by]", 3, "did you mean \"buy\"?"),
      ("experiments:\n  e:\n    shares: {control: 1, blu: 1}", 3, "did you mean \"blue\"?"),
      ("experiments:\n  e:\n    dimensions: [context.country]", 3, "context.country"),
    ] {
      let text = try #require(try check(yaml), "\(yaml)")
      #expect(text.hasPrefix("plan.yaml:\(line): ") && text.contains(near), "\(text)")
    }
  }

  @Test("a baseline that another experiment has is an error with its line")
  func baseline() throws {
    let log = try ComparisonLog(
      ComparedUnits.units("control", ["buy": [1, 2]]) + ComparedUnits.units("blue", ["buy": [1]])
        + [ComparedUnits.decision(1, "other", "green", experiment: "f")])
    let plan = try AnalysisPlan(
      yaml: "experiments:\n  e:\n    metric: goals\n    baseline: green", path: "plan.yaml")
    let error = #expect(throws: ReportError.self) {
      try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 1))
    }
    #expect(error?.description.hasPrefix("plan.yaml:4: baseline \"green\" is not") == true)
  }
}
