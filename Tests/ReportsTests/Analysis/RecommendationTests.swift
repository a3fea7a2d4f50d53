import EventLog
import Events
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

/// Every rule of a recommendation has a small log that triggers it.
@Suite("What to do with a variant")
struct RecommendationTests {
  private static let day = ComparedUnits.day

  /// Units of a variant on several days, some of which convert, and of which some visit twice.
  private static func units(
    _ variant: String, _ count: Int, converted: Int, twice: Int = 0, days: Int = 4
  ) -> [Event] {
    (0..<count).flatMap { number -> [Event] in
      let unit = "\(variant)\(number)"
      let time = Int64(1 + number % days) * day
      return [ComparedUnits.decision(time, unit, variant)]
        + (number < converted ? [ComparedUnits.goal(time, unit, 1)] : [])
        + (number >= count - twice
          ? [ComparedUnits.goal(time + day / 2, unit, 1, goal: "again")] : [])
    }
  }

  private func decisions(_ events: [Event], _ settings: String) throws -> Table {
    let log = try ComparisonLog(events)
    let plan = try AnalysisPlan(yaml: "experiments:\n  e:\n\(settings)", path: "plan.yaml")
    return try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 2))
  }

  private func decision(_ events: [Event], _ settings: String) throws -> NamedRow {
    try #require(try decisions(events, settings).named.first)
  }

  /// What the card of the only variant says to do.
  private func next(_ events: [Event], _ settings: String) throws -> String? {
    let line = try decisions(events, settings).cards.first?.lines.last
    return line?.name == "Next" ? line?.text : nil
  }

  private static let goal = "    metric: converted:goal=g\n"

  @Test("a better goal metric ships")
  func ship() throws {
    let events = Self.units("a", 400, converted: 100) + Self.units("b", 400, converted: 180)
    let row = try decision(events, Self.goal)
    #expect(row.text("recommendation") == "ship" && row["until"] == .empty)
    #expect(
      row.text("reason") == "converted:goal=g (+80 %, p < 1e-9) is better"
        || row.text("reason")?.hasPrefix("converted:goal=g (+80 %, p = ") == true)
    #expect(row.text("verdict") == "better" && row.text("metric") == "converted:goal=g")
    let table = try decisions(events, Self.goal)
    #expect(
      table.answer.count == 1 && table.answer[0].hasPrefix("Ship b of e: converted:goal=g (+80 %"))
  }

  @Test("a worse goal metric rolls back")
  func lower() throws {
    let events = Self.units("a", 400, converted: 180) + Self.units("b", 400, converted: 100)
    let row = try decision(events, Self.goal)
    #expect(row.text("recommendation") == "roll back")
    #expect(row.text("reason")?.hasSuffix(" is worse") == true)
    #expect(try next(events, Self.goal) == "roll back \"b\", and keep \"a\"")
  }

  @Test(
    "a worse guardrail rolls back, however good the goal metric is, unless the loss is within its margin"
  )
  func guardrail() throws {
    let events =
      Self.units("a", 400, converted: 100, twice: 300)
      + Self.units("b", 400, converted: 180, twice: 200)
    let rule = "    guardrails: [{metric: \"converted:goal=again\", margin: MARGIN}]\n"
    let worse = try decision(events, Self.goal + rule.replacing("MARGIN", with: "0.05"))
    #expect(worse.text("recommendation") == "roll back")
    #expect(worse.text("reason")?.hasPrefix("guardrail converted:goal=again (-33.3 %") == true)
    let plain = try decision(events, Self.goal + "    guardrails: [\"converted:goal=again\"]\n")
    #expect(plain.text("recommendation") == "roll back")
    let tolerated = try decision(events, Self.goal + rule.replacing("MARGIN", with: "0.6"))
    #expect(tolerated.text("recommendation") == "ship")
    #expect(tolerated.text("reason")?.hasSuffix("no guardrail is worse") == true)
    let even =
      Self.units("a", 400, converted: 100, twice: 40)
      + Self.units("b", 400, converted: 180, twice: 40)
    let open = try decision(even, Self.goal + rule.replacing("MARGIN", with: "0.05"))
    #expect(open.text("recommendation") == "ship")
    #expect(
      open.text("reason")?.hasSuffix("but converted:goal=again not shown to hold") == true)
  }

  @Test("damaged data are not read")
  func damaged() throws {
    let events = Self.units("a", 600, converted: 100) + Self.units("b", 400, converted: 300)
    let row = try decision(events, Self.goal)
    #expect(row.text("recommendation") == "not valid")
    #expect(
      row.text("reason")?.hasPrefix(
        "sample ratio mismatch (p < 1e-9, limit 0.001): a has 600 units") == true)
    #expect(
      try next(events, Self.goal)
        == "do not use these numbers; find out why the split went wrong, mend it and start anew")
    let shares = try decision(events, Self.goal + "    shares: {a: 0.6, b: 0.4}\n")
    #expect(shares.text("recommendation") == "ship")
  }

  @Test(
    "an undecided experiment is kept running until the units needed are there at the present rate")
  func keepRunning() throws {
    let events = Self.units("a", 100, converted: 20) + Self.units("b", 100, converted: 22)
    let row = try decision(events, Self.goal + "    minimum_effect: 0.5\n")
    #expect(row.text("recommendation") == "keep running")
    // Two proportions of 0.2 and 0.3 need 291 units each (unpooled) at one look, and 2.1 times as many at every look:
    // 1051 more at 50 a day are 22 days after day 4.
    let needed = try #require(row.number("units_needed"))
    #expect(needed == 1_251)
    #expect(row["until"] == .timestamp("\(Timestamp(microseconds: 26 * Self.day))"))
    #expect(row.text("reason")?.contains("with 200 of 1251 units for an effect of 50 %") == true)
    let table = try decisions(events, Self.goal + "    minimum_effect: 0.5\n")
    #expect(table.answer[0].hasPrefix("Keep running b of e until 1970-01-27: "))
    #expect(
      table.cards.first?.headline
        == "No difference found yet: the difference in the share of units that reach g is between -27.4 pp and "
        + "+31.4 pp (95 % interval); 200 of about 1251 units are there, 22 more days at today's traffic.")
    #expect(table.cards.first?.lines.last?.text == "keep running until 1970-01-27")
    let planned = Self.goal + "    until: 1970-01-10\n    minimum_effect: 0.5\n"
    let late = try decision(events, planned)
    #expect(
      try next(events, planned)
        == "keep running beyond the planned end, until 1970-01-27")
    #expect(late.text("reason")?.hasSuffix("they come only after the planned end") == true)
    let unknown = try decision(events, Self.goal)
    #expect(unknown.text("recommendation") == "keep running" && unknown["until"] == .empty)
    #expect(unknown.text("reason")?.contains("minimum_effect") == true)
    #expect(
      try next(events, Self.goal) == "keep running; minimum_effect in the analysis file would say until when")
  }

  @Test("an undecided experiment with all the units needed stops")
  func stop() throws {
    let events = Self.units("a", 700, converted: 140) + Self.units("b", 700, converted: 142)
    let row = try decision(events, Self.goal + "    minimum_effect: 0.5\n")
    #expect(row.text("recommendation") == "stop")
    #expect(
      row.text("reason")?.hasSuffix("no effect of at least 50 % was found at 80 % power") == true)
    #expect(
      try next(events, Self.goal + "    minimum_effect: 0.5\n")
        == "stop, and keep \"a\": the planned lift of 50 % is ruled out")
  }

  @Test("nothing happened yet: keep running, with what is missing")
  func nothing() throws {
    let events = Self.units("a", 40, converted: 0) + Self.units("b", 40, converted: 0)
    let row = try decision(events, "    metric: reward\n    minimum_effect: 0.1\n")
    #expect(row.text("recommendation") == "keep running" && row["until"] == .empty)
    #expect(
      row.text("reason")
        == "reward is 0 for every unit; the units needed are not known (no variance)")
    #expect(
      try next(events, "    metric: reward\n    minimum_effect: 0.1\n")
        == "keep running; until when is not known yet")
  }

  @Test("the answer of many variants counts them, and then names what can be acted on")
  func many() throws {
    let events = (0..<5).flatMap { Self.units("v\($0)", 400, converted: 100 + 30 * $0) }
    let table = try decisions(events, Self.goal)
    #expect(table.answer.count == 3)
    #expect(table.answer[0].hasPrefix("Of 4 variants: "))
  }

  // MARK: The suggestion

  @Test("a suggested plan has what the log contains, and can be used as it is")
  func suggestion() throws {
    let events = Self.units("control", 40, converted: 10) + Self.units("new", 40, converted: 20)
    let log = try ComparisonLog(events)
    let plan = try AnalysisPlan.suggested(for: LogReplay(log.reader, jobs: 2))
    #expect(
      plan.yaml == """
        experiments:
          e:
            baseline: control
            since: 1970-01-02
            until: 1970-01-06
            metric: converted
            secondary: [reward]
            shares: {control: 1, new: 1}
            minimum_effect: 0.05

        """)
    let again = try AnalysisPlan(yaml: plan.yaml, path: "plan.yaml")
    let table = try DecisionReport(again).table(of: LogReplay(log.reader, jobs: 2))
    #expect(table.rows.count == 1)
    let empty = try ComparisonLog([])
    #expect(try AnalysisPlan.suggested(for: LogReplay(empty.reader, jobs: 1)).entries.isEmpty)
  }

  @Test("the decisions are the same on any number of threads")
  func bytes() throws {
    let events = Self.units("a", 400, converted: 100) + Self.units("b", 400, converted: 130)
    let log = try ComparisonLog(events)
    let plan = try AnalysisPlan(
      yaml: "experiments: {e: {minimum_effect: 0.1}}", path: "plan.yaml")
    let one = try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 1))
    #expect(try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 7)) == one)
  }
}
