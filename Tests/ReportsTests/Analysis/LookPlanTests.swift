import EventLog
import Events
import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("Group sequential plans")
struct LookPlanTests {
  private static let day = ComparedUnits.day

  /// Units of two variants, so many each day, of which some convert.
  private static func events(days: Int, perDay: Int, _ shares: (Double, Double)) -> [Event] {
    (0..<days).flatMap { day in
      (0..<perDay).flatMap { number -> [Event] in
        let (variant, share) = number % 2 == 0 ? ("a", shares.0) : ("b", shares.1)
        let unit = "\(day)-\(number)"
        let time = Int64(day) * Self.day + Int64(number)
        let converts = Double((number / 2) % 100) < 100 * share
        return [ComparedUnits.decision(time, unit, variant)]
          + (converts ? [ComparedUnits.goal(time + 1, unit, 1)] : [])
      }
    }
  }

  private func decisions(_ events: [Event], _ settings: String) throws -> Table {
    let log = try ComparisonLog(events)
    let plan = try AnalysisPlan(
      yaml: "experiments:\n  e:\n    metric: converted\n\(settings)", path: "plan.yaml")
    return try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 2))
  }

  @Test("before the first look it is too early, whatever the numbers are")
  func early() throws {
    let table = try decisions(
      Self.events(days: 2, perDay: 400, (0.1, 0.4)), "    units: 8000\n    looks: 4\n")
    let row = try #require(table.named.first)
    #expect(row.text("verdict") == "too early" && row.text("recommendation") == "keep running")
    // 2,000 units at 400 a day are there after five days.
    #expect(row["until"] == .timestamp("1970-01-06T00:00:00Z"))
    let card = try #require(table.cards.first)
    #expect(card.headline == "Too early: 800 of 8000 units are there, the next look is in 4 days.")
    #expect(card.lines.last?.text == "keep running until 1970-01-06, the next look")
  }

  @Test("a look decides by its boundary, with the events up to it, and what comes later changes nothing")
  func decided() throws {
    let settings = "    units: 4000\n    looks: 4\n    spending: lan-pocock\n"
    // Look 1 is at the end of the third day.
    let open = try decisions(Self.events(days: 3, perDay: 400, (0.1, 0.2)), settings)
    #expect(open.named.first?.text("verdict") == "too early")
    let first = try decisions(Self.events(days: 4, perDay: 400, (0.1, 0.2)), settings)
    #expect(first.named.first?.text("recommendation") == "ship")
    let later = try decisions(
      Self.events(days: 3, perDay: 400, (0.1, 0.2))
        + Self.events(days: 9, perDay: 400, (0.2, 0.1)).filter { $0.time.microseconds >= 3 * Self.day },
      settings)
    #expect(later.named.first?.text("recommendation") == "ship")
    #expect(later.named.first?.number("units") == first.named.first?.number("units"))
  }

  @Test("without a crossing it runs to the next look, and stops after the last")
  func undecided() throws {
    let events = { Self.events(days: $0, perDay: 400, (0.1, 0.1)) }
    let settings = "    units: 4000\n    looks: [1970-01-04, 1970-01-08]\n"
    let one = try #require(try decisions(events(4), settings).named.first)
    #expect(one.text("recommendation") == "keep running")
    #expect(one["until"] == .timestamp("1970-01-08T00:00:00Z"))
    let two = try #require(try decisions(events(9), settings).named.first)
    #expect(two.text("recommendation") == "stop")
  }

  /// Units of three variants beside the baseline `a`, 200 of each a day; a tenth converts, and of `b` as given. What takes
  /// `a` 100 ms takes the others as many times as long.
  private static func latencies(
    _ days: Range<Int>, _ ratios: [String: Double], b converting: Int = 10
  ) -> [Event] {
    days.flatMap { day in
      ratios.keys.sorted().flatMap { variant in
        (0..<200).flatMap { number -> [Event] in
          let unit = "\(variant)\(day)-\(number)"
          let time = Int64(day) * Self.day + Int64(number)
          let latency = (ratios[variant] ?? 1) * (90 + Double(number % 21))
          let converts = number % 100 < (variant == "b" ? converting : 10)
          return [
            ComparedUnits.decision(time, unit, variant),
            ComparedUnits.goal(time + 1, unit, latency, goal: "ms"),
          ] + (converts ? [ComparedUnits.goal(time + 1, unit, 1, goal: "g")] : [])
        }
      }
    }
  }

  private static let plans = ["", "    units: 4000\n", "    units: 4000\n    looks: 2\n"]

  @Test("of four variants the fastest ships and the slowest is rolled back under each plan", arguments: plans)
  func direction(settings: String) throws {
    let events = Self.latencies(0..<6, ["a": 1, "b": 0.8, "c": 1, "d": 1.2])
    let log = try ComparisonLog(events)
    let plan = try AnalysisPlan(
      yaml: "experiments:\n  e:\n    metric: \"reward:goal=ms,direction=lower\"\n\(settings)", path: "p")
    let table = try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 2))
    let actions = table.named.map { $0.text("recommendation") }
    #expect(actions[0] == "ship" && actions[2] == "roll back")
    #expect(actions[1] == "keep running" || actions[1] == "stop")
    #expect(table.named.map { $0.text("verdict") } == ["better", "no difference found", "worse"])
  }

  @Test("a margin is kept by the end of the interval on the worse side under each plan", arguments: plans)
  func margin(settings: String) throws {
    for (ratio, action) in [(1.05, "ship"), (1.2, "roll back")] {
      let events = Self.latencies(0..<12, ["a": 1, "b": ratio], b: 20)
      let rule = "    guardrails: [{metric: \"reward:goal=ms,direction=lower\", margin: 0.1}]\n"
      let log = try ComparisonLog(events)
      let plan = try AnalysisPlan(
        yaml: "experiments:\n  e:\n    metric: \"converted:goal=g\"\n\(rule)\(settings)", path: "p")
      let table = try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 2))
      #expect(table.named.map { $0.text("recommendation") } == [action], "\(ratio)")
    }
  }

  @Test("a guardrail that is worse at a look stays so at the next ones")
  func guardrail() throws {
    let rule = "    guardrails: [\"reward:goal=ms,direction=lower\"]\n"
    let settings = "experiments:\n  e:\n    metric: \"converted:goal=g\"\n\(rule)    units: 4000\n    looks: 2\n"
    let slow = Self.latencies(0..<5, ["a": 1, "b": 1.3])
    for events in [slow, slow + Self.latencies(5..<12, ["a": 1, "b": 0.7])] {
      let log = try ComparisonLog(events + Self.latencies(12..<13, ["a": 1]))
      let table = try DecisionReport(try AnalysisPlan(yaml: settings, path: "p"))
        .table(of: LogReplay(log.reader, jobs: 2))
      let row = try #require(table.named.first)
      #expect(row.text("recommendation") == "roll back")
      #expect(row.text("reason")?.hasPrefix("guardrail ") == true)
    }
  }

  @Test("a fixed plan decides with the units of its day, and not again with those that come later")
  func fixed() throws {
    let before = Self.events(days: 5, perDay: 400, (0.1, 0.2))
    let after = Self.events(days: 15, perDay: 400, (0.3, 0.1)).filter { $0.time.microseconds >= 5 * Self.day }
    let row = try #require(try decisions(before + after, "    units: 2000\n").named.first)
    #expect(row.text("recommendation") == "ship" && row.number("units") == 1_000)
    let every = try #require(try decisions(before + after, "").named.first)
    #expect(every.text("recommendation") == "roll back")
  }

  @Test("a fixed plan waits for the end of the day on which its units came")
  func day() throws {
    let events = Self.events(days: 5, perDay: 400, (0.1, 0.2))
    let early = try #require(try decisions(events, "    units: 2000\n").named.first)
    #expect(early.text("verdict") == "too early" && early["until"] == .timestamp("1970-01-06T00:00:00Z"))
    #expect(early.text("reason")?.contains("when the day on which they came is over") == true)
    // That the day is over may be said, of the day of the last event and no other.
    let over = try #require(try decisions(events, "    units: 2000\n    until: 1970-01-06\n").named.first)
    #expect(over.text("recommendation") == "ship" && over.number("units") == 1_000)
    let more = try #require(try decisions(events, "    units: 2400\n    until: 1970-02-06\n").named.first)
    #expect(more.text("verdict") == "too early")
  }

  @Test("a card says when it was tested, and how a decided variant stands at the latest look")
  func moments() throws {
    let settings = "    units: 4000\n    looks: 4\n    spending: lan-pocock\n"
    let first = Self.events(days: 3, perDay: 400, (0.1, 0.2))
    let later = Self.events(days: 12, perDay: 400, (0.2, 0.1)).filter { $0.time.microseconds >= 3 * Self.day }
    let card = try #require(try decisions(first + later, settings).cards.first)
    #expect(card.facts.contains("4800 units"))
    let line = try #require(card.lines.first { $0.name == "Tested" }?.text)
    #expect(line.hasPrefix("at look 1 of 4, before 1970-01-04; at the latest look b is at -"), "\(line)")
    let fixed = try #require(try decisions(first + later, "    units: 1000\n").cards.first)
    #expect(fixed.lines.first { $0.name == "Tested" }?.text == "at the planned units, before 1970-01-04")
    let every = try #require(try decisions(first + later, "").cards.first)
    #expect(!every.lines.contains { $0.name == "Tested" })
  }

  @Test("one variant that is decided does not end the others")
  func several() throws {
    let settings = "    units: 6000\n    looks: 4\n"
    func events(_ days: Int) -> [Event] {
      Self.events(days: days, perDay: 600, (0.1, 0.3))
        + (0..<days).flatMap { day in
          (0..<300).flatMap { number -> [Event] in
            let time = Int64(day) * Self.day + Int64(number)
            let unit = "c\(day)-\(number)"
            let converts = number % 100 < 14
            return [ComparedUnits.decision(time, unit, "c")]
              + (converts ? [ComparedUnits.goal(time + 1, unit, 1)] : [])
          }
        }
    }
    let early = try decisions(events(3), settings)
    #expect(early.named.map { $0.text("recommendation") } == ["ship", "keep running"])
    let late = try decisions(events(8), settings)
    #expect(late.named.map { $0.text("recommendation") } == ["ship", "ship"])
    #expect((late.named[1].number("units") ?? 0) > (late.named[0].number("units") ?? 0))
  }

  @Test("boundaries follow the information at the looks, and the last look spends what is left")
  func information() throws {
    var plan = LookPlan(units: 1_000, .times([5, 10].map { Timestamp(microseconds: $0 * Self.day) }))
    let days = Dictionary(uniqueKeysWithValues: (0..<12).map { (Int64($0), 60) })
    let course = LookCourse(plan, days, last: Timestamp(microseconds: 12 * Self.day))
    #expect(course.taken.map(\.information) == [[0.3], [0.3, 1]] && course.isOver)
    plan.schedule = .parts(5)
    let parts = LookCourse(plan, days, last: Timestamp(microseconds: 12 * Self.day))
    // 720 units: 200, 400 and 600 were there after 4, 7 and 10 days.
    #expect(parts.taken.map { $0.time.microseconds / Self.day } == [4, 7, 10])
    #expect(parts.taken.last?.information == [0.24, 0.42, 0.6] && !parts.isOver)
    #expect(parts.next == Timestamp(microseconds: 14 * Self.day))
    // More units than planned are more information than planned: their looks are less alike.
    plan.units = 400
    plan.schedule = .times([5, 10].map { Timestamp(microseconds: $0 * Self.day) })
    let over = LookCourse(plan, days, last: Timestamp(microseconds: 12 * Self.day))
    #expect(over.taken.map(\.information) == [[0.75], [0.75, 1.5]] && over.isOver)
  }

  @Test("looks are read and written, and wrong ones are refused with their line")
  func file() throws {
    for looks in ["3", "[1970-02-01, 1970-03-01]"] {
      let text =
        "experiments:\n  e:\n    metric: reward\n    units: 900\n    looks: \(looks)\n    spending: power=2\n"
      #expect(try AnalysisPlan(yaml: text, path: "plan.yaml").yaml == text)
    }
    for wrong in [
      "looks: 3", "units: 10\n    looks: 0", "units: 10\n    looks: [1970-03-01, 1970-02-01]",
      "units: 10\n    spending: lan-obf", "units: 10\n    looks: 2\n    spending: none",
    ] {
      #expect(throws: ReportError.self, "\(wrong)") {
        try AnalysisPlan(yaml: "experiments:\n  e:\n    \(wrong)\n", path: "plan.yaml")
      }
    }
  }
}
