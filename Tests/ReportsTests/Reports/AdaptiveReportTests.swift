import EventLog
import Events
import Replay
import Reports
import Tables
import TestSupport
import Testing

@Suite("Report: adaptive")
struct AdaptiveReportTests {
  private static func decision(
    _ second: Int, _ variant: String, _ probabilities: [(String, Double)]?, experiment: String = "e"
  ) -> String {
    let quoted = { (name: String) in
      "\""
        + name.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\\\"") + "\""
    }
    let known = probabilities.map { pairs in
      #","choices":[\#(pairs.map { quoted($0.0) }.joined(separator: ","))],"#
        + #""probabilities":[\#(pairs.map { "\($0.1)" }.joined(separator: ","))]"#
    }
    return #"{"type":"decision","time":"\#(Timestamp(microseconds: Int64(second) * 1_000_000))","unit":"u\#(second)","#
      + #""experiment":"\#(experiment)","variant":\#(quoted(variant))\#(known ?? "")}"#
  }

  private static func goal(_ second: Int, _ value: Double, experiment: String = "e") -> String {
    #"{"type":"goal","time":"1970-01-01T01:00:00Z","unit":"u\#(second)","#
      + #""experiment":"\#(experiment)","goal":"g","value":\#(value)}"#
  }

  private func report(_ lines: [String], _ plan: AdaptivePlan = AdaptivePlan()) throws
    -> Table
  {
    let log = try SmallLog(lines)
    let streams = try LogReplay(log.reader, jobs: 2).adaptiveStreams(
      UnitSelection(), plan.attribution)
    return try AdaptiveReport { $0.plan = plan }.table(streams, names: log.names)
  }

  private func csv(_ table: Table) -> [String] {
    text(write(table, as: .csv)).split(separator: "\n").map(String.init)
  }

  private static let heading =
    "experiment,point,slot,variant,decisions,reward_mean,aw_mean,standard_error,ci_low,ci_high,"
    + "difference,difference_ci_low,difference_ci_high,p_value,propensity_p_value,status,method,baseline"

  @Test("a log with few decisions has means, and no interval")
  func few() throws {
    // a: scores 2/0.5, 2, 2 + (4 - 2)/0.5, 3 = 4, 2, 6, 3: mean 3.75.
    // =b: scores 0, 1/0.5, 1, 1 + (3 - 1)/0.5 = 0, 2, 1, 5: mean 2.
    let half = [("a", 0.5), ("=b", 0.5)]
    let lines = [
      Self.decision(10, "a", half), Self.decision(11, "=b", half), Self.decision(12, "a", half),
      Self.decision(13, "=b", half), Self.goal(10, 2), Self.goal(11, 1), Self.goal(12, 4),
      Self.goal(13, 3),
    ]
    let table = try report(lines, AdaptivePlan(allocation: .uniform))
    let rows = csv(table)
    #expect(rows[0] == Self.heading)
    #expect(
      rows[1]
        == "e,point-1,decision-1,=b,2,2,2,,,,,,,,,too few decisions,\"AIPW, uniform weights\",=b")
    #expect(
      rows[2]
        == "e,point-1,decision-1,a,2,3,3.75,,,,,,,,,too few decisions,\"AIPW, uniform weights\",=b")
    #expect(table.notes.first { $0.name == "weighting" }?.value == .text("uniform"))
    #expect(table.notes.first { $0.name == "goals_credited" }?.value == .integer(4))
  }

  @Test("an interval and a difference match the formulas")
  func formulas() throws {
    let half = [("a", 0.5), ("b", 0.5)]
    var lines: [String] = []
    var (scores, means, counts) = ([[Double]](), [0.0, 0.0], [0.0, 0.0])
    for second in 10..<58 {
      let (arm, reward) = (second % 2, [2.0, 1, 4, 3][second % 4])
      lines += [Self.decision(second, ["a", "b"][arm], half), Self.goal(second, reward)]
      scores.append([0, 1].map { means[$0] + ($0 == arm ? (reward - means[$0]) / 0.5 : 0) })
      counts[arm] += 1
      means[arm] += (reward - means[arm]) / counts[arm]
    }
    let table = try report(lines, AdaptivePlan(allocation: .uniform))
    let average: [Double] = (0..<2).map { arm in
      let sum: Double = scores.reduce(0) { $0 + $1[arm] }
      return sum / 48
    }
    let spread: [Double] = (0..<2).map { arm in
      let squares: [Double] = scores.map { ($0[arm] - average[arm]) * ($0[arm] - average[arm]) }
      return squares.reduce(0, +).squareRoot() / 48
    }
    // Student's t with the 24 decisions of each variant less 1: 2.0686576.
    for arm in 0..<2 {
      #expect(abs(number(table.rows[arm][6]) - average[arm]) < 1e-12)
      #expect(abs(number(table.rows[arm][7]) - spread[arm]) < 1e-12)
      #expect(abs(number(table.rows[arm][8]) - (average[arm] - 2.0686576 * spread[arm])) < 1e-6)
      #expect(table.rows[arm][15] == .text("ok"))
    }
    let difference = average[1] - average[0]
    let error =
      scores.reduce(0) { $0 + ($1[1] - $1[0] - difference) * ($1[1] - $1[0] - difference) }
      .squareRoot() / 48
    #expect(abs(number(table.rows[1][10]) - difference) < 1e-12)
    #expect(abs(number(table.rows[1][12]) - (difference + 2.0686576 * error)) < 1e-6)
    #expect(number(table.rows[1][13]) > 0 && number(table.rows[1][13]) < 1)
  }

  private func number(_ cell: TableCell) -> Double {
    if case .decimal(let number) = cell { return number }
    return .nan
  }

  @Test("missing values have a reason")
  func statuses() throws {
    let half = [("a", 0.5), ("b \"x\"", 0.5)]
    let statuses = { (table: Table) in table.rows.map { $0[15] } }
    let lacking = try report([Self.decision(10, "a", half), Self.decision(11, "b \"x\"", nil)])
    #expect(statuses(lacking) == [.text("needs probabilities"), .text("needs probabilities")])
    #expect(lacking.rows.allSatisfy { $0[6...13].allSatisfy { $0 == .empty } })
    #expect(lacking.rows.map { $0[5] } == [.decimal(0), .decimal(0)])
    #expect(
      lacking.notes.first { $0.name == "decisions_without_probabilities" }?.value == .integer(1))
    let wrong = try report([Self.decision(10, "a", [("a", 0.4)])])
    #expect(statuses(wrong) == [.text("probabilities cannot be right")])
    let one = try report([Self.decision(10, "a", half)])
    #expect(statuses(one) == [.text("too few decisions")])
    let still = try report([Self.decision(10, "a", half), Self.decision(11, "a", half)])
    #expect(statuses(still) == [.text("no variance")])
    #expect(still.rows[0][7...13].allSatisfy { $0 == .empty })
    let never = try report([
      Self.decision(10, "a", [("a", 1)]), Self.decision(11, "b", [("b", 1)]),
      Self.decision(12, "a", [("a", 1)]), Self.decision(13, "b", [("b", 1)]),
    ])
    #expect(statuses(never).last == .text("never available together with the baseline"))
    let huge = try report([
      Self.decision(10, "a", [("a", 1e-10), ("b", 1)]), Self.decision(11, "b", [("b", 1)]),
      Self.goal(10, 1e300),
    ])
    #expect(statuses(huge) == [.text("values too large"), .text("values too large")])
    let other = try report(
      [Self.decision(10, "a", half), Self.decision(11, "b \"x\"", half), Self.goal(10, 1)],
      AdaptivePlan(baseline: "c"))
    #expect(statuses(other).first == .text("the baseline has no decisions"))
    #expect(other.rows.allSatisfy { $0[10] == .empty && $0[17] == .text("c") })
  }

  @Test("weightings, levels and baselines follow the parameters")
  func plans() throws {
    var lines: [String] = []
    for second in 10..<60 {
      let p = second % 3 == 0 ? 0.45 : 0.5
      lines.append(Self.decision(second, second % 2 == 0 ? "a" : "b", [("a", p), ("b", 1 - p)]))
      lines.append(Self.goal(second, Double(second % 5)))
    }
    var means: [[TableCell]] = []
    for allocation in AdaptiveAllocation.allCases {
      let table = try report(lines, AdaptivePlan(allocation: allocation, baseline: "b"))
      means.append(table.rows.map { $0[6] })
      #expect(table.rows.map { $0[15] } == [.text("ok"), .text("ok")])
      #expect(table.rows[1][10] == .empty && table.rows[0][10] != .empty)
    }
    #expect(means[0] != means[1] && means[1] != means[2] && means[0] != means[2])
    let wide = try report(lines, AdaptivePlan(level: 0.99)).rows[0]
    let narrow = try report(lines, AdaptivePlan(level: 0.5)).rows[0]
    #expect(number(wide[8]) < number(narrow[8]) && number(narrow[9]) < number(wide[9]))
  }

  @Test("where less is better, the card and the answer name the variant with the least")
  func lower() throws {
    let half = [("a", 0.5), ("b", 0.5)]
    let lines = (10..<58).flatMap { second in
      [Self.decision(second, ["a", "b"][second % 2], half), Self.goal(second, [20.0, 1, 24, 3][second % 4])]
    }
    var attribution = Attribution()
    attribution.metric = try RewardMetric(parsing: "reward:direction=lower")
    let (higher, lower) = try (report(lines), report(lines, AdaptivePlan(attribution)))
    #expect(lower.rows.map { Array($0.prefix(18)) } == higher.rows.map { Array($0) })
    #expect(lower.columns.last?.name == "direction" && lower.rows.allSatisfy { $0[18] == .text("lower") })
    #expect(higher.cards.first?.headline.hasPrefix("\"a\" earns most: ") == true)
    #expect(lower.cards.first?.headline.hasPrefix("\"b\" has the least: ") == true)
    #expect(lower.answer.first?.contains("b has the lowest adaptively weighted mean reward") == true)
  }

  /// Decisions of two variants with equal probabilities, each of which earns in a part of its decisions.
  private static func shares(_ a: Int, _ b: Int, earning: (Int, Int)) -> [String] {
    let half = [("a", 0.5), ("b", 0.5)]
    return (0..<a + b).flatMap { number in
      let isA = number * a / (a + b) != (number + 1) * a / (a + b)
      let (name, part) = isA ? ("a", earning.0) : ("b", earning.1)
      let earns = number / 2 % 10 < part
      return [decision(number, name, half)] + (earns ? [goal(number, 1)] : [])
    }
  }

  @Test("the card says by how much the first is ahead of the next, and whether choices fit their probabilities")
  func card() throws {
    let even = try #require(report(Self.shares(100, 100, earning: (3, 2))).cards.first)
    #expect(
      even.headline.hasPrefix("No winner yet: \"a\" leads with a reward of 0.")
        && even.headline.contains(" per decision (95 % interval 0."), "\(even.headline)")
    #expect(even.lines.map(\.name) == ["Trust", "Next"])
    #expect(
      even.lines[0].text
        == "yes: the policy chose variants as often as its probabilities say (p = 1); a unit may have several "
        + "variants, as each decision counts")
    let apart = try #require(report(Self.shares(100, 100, earning: (9, 2))).cards.first)
    #expect(apart.headline.hasPrefix("\"a\" earns most: a reward of 0.9") && apart.tone == .good, "\(apart.headline)")
    let wrong = try #require(report(Self.shares(160, 40, earning: (9, 2))).cards.first)
    #expect(
      wrong.headline == "Not valid: the policy did not choose variants as often as its probabilities say (p < 1e-9).")
    #expect(wrong.tone == .invalid && wrong.lines[0].text.hasPrefix("no: the policy did not choose"))
    #expect(wrong.table.rows.allSatisfy { $0.contains(.text("not valid")) })
    let refused = try report(Self.shares(160, 40, earning: (9, 2)))
    #expect(refused.rows.allSatisfy { $0[6...13].allSatisfy { $0 == .empty } && $0[14] != .empty })
    #expect(refused.answer == ["Nothing is estimated of e (probabilities do not fit the choices)."])
  }

  @Test("means of different decisions are not compared, and a variant without an interval does not lead")
  func incomparable() throws {
    let lists = [[("a", 0.5), ("b", 0.5)], [("b", 0.5), ("c", 0.5)]]
    let lines = (0..<400).flatMap { number in
      let list = lists[number % 2]
      return [Self.decision(number, list[number / 2 % 2].0, list)] + (number % 3 == 0 ? [Self.goal(number, 1)] : [])
    }
    let card = try #require(report(lines).cards.first)
    #expect(
      card.headline
        == "Not compared: variants were not always available, so that their means are of different decisions.")
    let rare = [("a", 0.5), ("b", 0.48), ("c", 0.02)]
    let few = (0..<200).flatMap { number in
      let variant = number % 50 == 7 ? "c" : ["a", "b"][number % 2]
      let earns = variant == "c" || number % 3 == 0
      return [Self.decision(number, variant, rare)] + (earns ? [Self.goal(number, 1)] : [])
    }
    let lead = try #require(report(few).cards.first)
    #expect(!lead.headline.contains("\"c\"") && lead.lines[0].text.hasPrefix("with care: no interval of \"c\""))
  }

  @Test("an empty log has a heading and notes")
  func empty() throws {
    let table = try report([])
    #expect(csv(table) == [Self.heading])
    #expect(table.notes.first { $0.name == "decisions_confirmed" }?.value == .integer(0))
  }
}
