import EventLog
import Events
import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

/// What a reader asks, in this order: which one, by how much, may I believe it, what next.
@Suite("The result card")
struct ResultCardTests {
  private func cards(_ events: [Event], _ metrics: [String] = ["converted"]) throws -> [TableCard] {
    let log = try ComparisonLog(events)
    return try ComparisonReport {
      $0.measures = MetricPlan(try metrics.map { try Metric(parsing: $0) })
    }
    .table(of: LogReplay(log.reader, jobs: 2)).cards
  }

  private func planned(_ events: [Event], _ settings: String) throws -> TableCard {
    let log = try ComparisonLog(events)
    let plan = try AnalysisPlan(yaml: "experiments:\n  e:\n\(settings)", path: "plan.yaml")
    return try #require(
      try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 2)).cards.first)
  }

  /// Returns the text of a line of a card.
  private func line(_ name: String, of card: TableCard?) -> String? {
    #expect(card?.lines.last?.name == "Next")
    return card?.lines.first { $0.name == name }?.text
  }

  @Test("a winner: which, by how much, with its interval; the baseline first, and that it was guessed")
  func winner() throws {
    let card = try #require(
      try cards(ComparedUnits.share("blue", 100, of: 1_000) + ComparedUnits.share("green", 150, of: 1_000))
        .first)
    #expect(card.headline.hasPrefix("\"green\" is better: 50 % more units convert (95 % interval "))
    #expect(card.tone == .good && card.facts.first == "2000 units")
    let rows = card.table.named
    #expect(rows.map { $0.text("variant") } == ["blue (baseline, guessed)", "green"])
    #expect(rows[0].text("converted") == "10 %" && rows[1].text("difference") == "+5 pp")
    #expect(rows[1].text("chance_to_be_best") == "> 99.9 %" && rows[1].text("verdict") == "better")
    #expect(line("Trust", of: card)?.hasPrefix("yes: split as planned (p = 1), no check failed") == true)
    #expect(
      line("Next", of: card) == "ship \"green\" if this look was planned; an analysis file allows one every day")
  }

  @Test("all worse, nothing found, too few, and damaged data have sentences of their own")
  func sentences() throws {
    let worse = try cards(
      ComparedUnits.share("control", 150, of: 1_000) + ComparedUnits.share("new", 100, of: 1_000))
    #expect(worse.first?.headline.hasPrefix("Keep \"control\": with \"new\" 33.3 % fewer units convert") == true)
    #expect(worse.first?.tone == .bad && line("Next", of: worse.first) == "keep \"control\"")
    let none = try cards(
      ComparedUnits.share("control", 150, of: 1_000) + ComparedUnits.share("new", 151, of: 1_000))
    let effect = "No difference found: the lift in the share of units that convert is between -"
    #expect(none.first?.headline.hasPrefix(effect) == true)
    #expect(none.first?.tone == nil)
    #expect(line("Next", of: none.first)?.hasPrefix("keep \"control\"; go on only if a smaller effect") == true)
    let early = try cards(
      ComparedUnits.units("control", ["g": [1, 2, 3]]) + ComparedUnits.units("new", ["g": [1, 2, 4]]),
      ["reward"])
    #expect(early.first?.headline.hasPrefix("Not enough data: ") == true)
    #expect(line("Next", of: early.first) == "wait for more units; report power says how many")
    let broken = try cards(
      ComparedUnits.share("control", 100, of: 1_000) + ComparedUnits.share("new", 150, of: 700))
    #expect(broken.first?.headline.hasPrefix("Not valid: sample ratio mismatch") == true)
    #expect(broken.first?.tone == .invalid && broken.first?.table.rows.count == 2)
    #expect(
      line("Next", of: broken.first)
        == "do not use these numbers; find out why the split went wrong, mend it and start anew")
  }

  @Test(
    "without a difference the effect is between both ends of the interval, of the difference where there is no lift"
  )
  func range() throws {
    func sentence(_ control: [Double], _ new: [Double]) throws -> (TableCard, NamedRow) {
      let log = try ComparisonLog(
        ComparedUnits.units("control", ["g": control]) + ComparedUnits.units("new", ["g": new]))
      let table = try ComparisonReport().table(of: LogReplay(log.reader, jobs: 2))
      return (try #require(table.cards.first), try #require(table.named.first))
    }
    let values = (0..<100).map { 5 + Double($0 % 5) }
    let (card, row) = try sentence(values, values.map { $0 * 1.01 })
    let ends = try ["low", "high"].map { end in
      let number = try #require(row.number("lift_ci_\(end)"))
      return (number > 0 ? "+" : "") + AnswerNumber.end(number) + " %"
    }
    #expect(
      card.headline
        == "No difference found: the lift in reward per unit is between \(ends[0]) and \(ends[1]) (95 % interval).")
    let (losses, loss) = try sentence(values.map { -$0 }, values.map { -$0 })
    let end = AnswerNumber.number(try #require(loss.number("ci_high")))
    #expect(
      losses.headline
        == "No difference found: the difference in reward per unit is between -\(end) and +\(end) (95 % interval).")
  }

  @Test("numbers that are not valid are not shown, and a better variant that breaks a guardrail is not called better")
  func withheld() throws {
    let split = ComparedUnits.share("control", 100, of: 600) + ComparedUnits.share("new", 300, of: 400)
    let damaged = try #require(try cards(split).first)
    #expect(line("Trust", of: damaged) == "no: split not as planned (p < 1e-9)")
    let row = try #require(damaged.table.named.last)
    #expect(row.text("verdict") == "not valid" && row["units"] == .integer(400))
    #expect(row.text("lift") == nil && row.text("difference") == nil)
    let slow =
      ComparedUnits.units(
        "control", ["g": (0..<800).map { $0 < 160 ? 1 : 0 }, "ms": (0..<800).map { 100 + Double($0 % 9) }])
      + ComparedUnits.units(
        "new", ["g": (0..<800).map { $0 < 320 ? 1 : 0 }, "ms": (0..<800).map { 130 + Double($0 % 9) }])
    let rule = "    guardrails: [{metric: \"reward:goal=ms,direction=lower\", margin: 0.1}]\n"
    let held = try planned(slow, "    metric: \"reward:goal=g\"\n" + rule)
    #expect(held.table.named.last?.text("verdict") == "guardrail worse" && held.tone == .bad)
    let shares = try planned(
      ComparedUnits.share("a", 80, of: 800) + ComparedUnits.share("b", 21, of: 200),
      "    metric: converted\n    shares: {a: 0.8, b: 0.2}\n")
    #expect(line("Trust", of: shares)?.hasPrefix("yes: split as planned, 80 % and 20 % (p = 1)") == true)
  }

  @Test("a winner that is worse in another metric is not to be shipped, and the card says by how much")
  func losing() throws {
    func units(_ variant: String, _ goals: Int, _ milliseconds: Double) -> [Event] {
      ComparedUnits.units(
        variant,
        ["g": (0..<800).map { $0 < goals ? 1 : 0 }, "ms": (0..<800).map { milliseconds + Double($0 % 9) }])
    }
    let events = units("a", 160, 100) + units("b", 320, 130)
    let lower = "reward:goal=ms,direction=lower"
    let card = try #require(try cards(events, ["reward:goal=g", lower]).first)
    #expect(card.headline.hasPrefix("\"b\" is better: "))
    #expect(card.headline.hasSuffix("), but reward of ms per unit is 28.8 % higher."))
    #expect(card.tone == nil)
    #expect(line("Next", of: card)?.hasPrefix("weigh the metrics before \"b\" takes the place of \"a\"") == true)
    // The order of the metrics decides only which one is told first.
    let swapped = try #require(try cards(events, [lower, "reward:goal=g"]).first)
    #expect(line("Next", of: swapped) == "keep \"a\"")
  }

  @Test("intervals of single comparisons say so beside p-values that are corrected")
  func uncorrected() throws {
    let log = try ComparisonLog(
      ComparedUnits.share("a", 100, of: 1_000) + ComparedUnits.share("b", 150, of: 1_000)
        + ComparedUnits.share("c", 160, of: 1_000))
    let card = try #require(
      try ComparisonReport {
        $0.measures = MetricPlan([try Metric(parsing: "converted")])
        $0.plan.correction = .bonferroni
      }
      .table(of: LogReplay(log.reader, jobs: 2)).cards.first)
    #expect(card.headline.contains(" more units convert (uncorrected 95 % interval "), "\(card.headline)")
  }

  @Test("of several variants within the margin the best is named, by the difference that the margin is of")
  func margin() throws {
    let log = try ComparisonLog(
      ComparedUnits.share("a", 200, of: 2_000) + ComparedUnits.share("b", 280, of: 2_000)
        + ComparedUnits.share("c", 360, of: 2_000))
    let card = try #require(
      try ComparisonReport {
        $0.measures = MetricPlan([try Metric(parsing: "converted")])
        $0.plan.margin = 0.01
      }
      .table(of: LogReplay(log.reader, jobs: 2)).cards.first)
    let start = "\"c\" is not worse by more than the margin of 1 pp: the difference in the share of units that "
    #expect(card.headline.hasPrefix(start + "convert is +8 pp (95 % interval "), "\(card.headline)")
    #expect(line("Next", of: card) == "\"c\" may take the place of \"a\"")
  }

  @Test("units of a variant without a share beside all those with one are a mismatch, those of another place are not")
  func shares() throws {
    let log = try ComparisonLog(
      ComparedUnits.share("a", 100, of: 1_000) + ComparedUnits.share("b", 150, of: 1_000)
        + ComparedUnits.share("holdout", 60, of: 600))
    func card(_ shares: [String: Double]) throws -> TableCard {
      try #require(
        try ComparisonReport {
          $0.measures = MetricPlan([try Metric(parsing: "converted")])
          $0.plan.expectedShares = shares
        }
        .table(of: LogReplay(log.reader, jobs: 2)).cards.first)
    }
    #expect(try card(["a": 0.5, "b": 0.5]).headline.hasPrefix("Not valid: sample ratio mismatch"))
    #expect(try card(["a": 0.5, "b": 0.5, "holdout": 0]).headline.hasPrefix("Not valid: sample ratio mismatch"))
    #expect(try card(["a": 10, "b": 10, "holdout": 6]).headline.hasPrefix("\"b\" is better"))
    let planned = try planned(
      ComparedUnits.share("a", 100, of: 1_000) + ComparedUnits.share("b", 150, of: 1_000)
        + ComparedUnits.share("holdout", 60, of: 600), "    metric: converted\n    shares: {a: 0.5, b: 0.5}\n")
    #expect(planned.headline.hasPrefix("Not valid: "))
  }

  @Test("of several metrics the first decides; a neutral one is neither good nor bad")
  func metrics() throws {
    let events = ComparedUnits.share("a", 100, of: 1_000) + ComparedUnits.share("b", 150, of: 1_000)
    let card = try #require(try cards(events, ["reward:direction=neutral", "converted"]).first)
    #expect(card.tone == nil && card.headline.hasPrefix("\"b\" is higher: reward per unit is 50 % higher"))
    #expect(card.table.rows.count == 4)
    #expect(card.table.named[0]["chance_to_be_best"] == .empty)
  }

  @Test("of several metrics a named one stands by its title on the card, and by its name in the table")
  func titles() throws {
    let events = ComparedUnits.share("a", 100, of: 1_000) + ComparedUnits.share("b", 150, of: 1_000)
    var value = Metric(.reward)
    value.label = Metric.Label("order-value")
    value.label?.title = "order value"
    let log = try ComparisonLog(events)
    let table = try ComparisonReport { $0.measures = MetricPlan([value, Metric(.converted)]) }
      .table(of: LogReplay(log.reader, jobs: 2))
    let card = try #require(table.cards.first)
    #expect(card.table.named.map { $0.text("metric") } == ["order value", "order value", "converted", "converted"])
    #expect(table.named.map { $0.text("metric") }.contains("order-value"))
  }

  @Test("a plan ships, or not, by its rules; guardrails stand in a line")
  func plan() throws {
    let events =
      ComparedUnits.units(
        "control", ["g": (0..<800).map { $0 < 160 ? 1 : 0 }, "ms": (0..<800).map { 100 + Double($0 % 9) }])
      + ComparedUnits.units(
        "new", ["g": (0..<800).map { $0 < 320 ? 1 : 0 }, "ms": (0..<800).map { 130 + Double($0 % 9) }])
    let goal = "    metric: \"reward:goal=g\"\n"
    let rule = "    guardrails: [{metric: \"reward:goal=ms,direction=lower\", margin: MARGIN}]\n"
    let ship = try planned(events, goal + rule.replacing("MARGIN", with: "0.5"))
    #expect(ship.headline.hasPrefix("Ship \"new\": reward of g per unit is 100 % higher (95 % interval "))
    #expect(ship.headline.hasSuffix("valid at every look)."))
    #expect(ship.lines.first?.name == "Guardrails" && line("Next", of: ship) == "ship \"new\"")
    #expect(ship.lines.first?.text.hasSuffix("limit +50 %): holds") == true)
    let broken = try planned(events, goal + rule.replacing("MARGIN", with: "0.1"))
    #expect(broken.headline.hasPrefix("Do not ship \"new\": ") && broken.tone == .bad)
    #expect(
      line("Next", of: broken) == "roll back \"new\", and mend reward of ms per unit before another start")
  }

  @Test("before the planned units a card has counts and differences, and no test of the goal or of a guardrail")
  func early() throws {
    let values = { (step: Double) in (0..<800).map { step + Double($0 % 9) } }
    let events =
      ComparedUnits.units("control", ["g": values(1), "ms": values(100)])
      + ComparedUnits.units("new", ["g": values(3), "ms": values(130)])
    let card = try planned(
      events,
      "    metric: \"reward:goal=g\"\n    secondary: [reward]\n    units: 5000\n"
        + "    guardrails: [{metric: \"reward:goal=ms,direction=lower\", margin: 0.1}]\n")
    #expect(card.headline.hasPrefix("Too early: ") && card.headline.contains(" of 5000 units are there, "))
    #expect(card.headline.hasSuffix(" at today's traffic.") && card.tone == nil)
    #expect(line("Next", of: card)?.hasPrefix("keep running until 1970-01-") == true)
    for row in card.table.named where row.text("variant") == "new" {
      #expect(row.text("verdict") == "too early" && row["difference"] != .empty)
      #expect(row.text("lift")?.contains("(") == false)
    }
    #expect(!card.table.columns.contains { $0.name == "chance_to_be_best" })
    let guardrail = try #require(line("Guardrails", of: card))
    #expect(guardrail.hasSuffix("(limit +10 %): not tested"), "\(guardrail)")
  }

  @Test("of several variants each has its next step")
  func severalSteps() throws {
    let events = [("a", 100), ("b", 200), ("c", 100), ("d", 20)].flatMap {
      ComparedUnits.share($0, $1, of: 1_000)
    }
    #expect(
      line("Next", of: try planned(events, "    metric: converted\n"))
        == "ship \"b\"; roll back \"d\", and keep \"a\"; keep running \"c\"; minimum_effect in the analysis file "
        + "would say until when")
  }

  @Test("a guardrail that cannot be tested does not hold; a variant that seems worse in it is not shipped")
  func untested() throws {
    func card(errors: Int) throws -> TableCard {
      let values = { (count: Int) in (0..<800).map { $0 < count ? 1.0 : 0 } }
      let events =
        ComparedUnits.units("control", ["g": values(160)])
        + ComparedUnits.units(
          "new", ["g": values(320), "error": errors == 0 ? [0] : Array(repeating: 3, count: errors)])
      return try planned(
        events, "    metric: \"reward:goal=g\"\n    guardrails: [\"reward:goal=error,direction=lower\"]\n")
    }
    let worse = try card(errors: 240)
    #expect(worse.headline.hasPrefix("Do not ship \"new\": ") && worse.tone == .bad)
    #expect(worse.lines.first?.text.hasSuffix(": worse") == true)
    #expect(line("Next", of: worse) == "roll back \"new\", and mend reward of error per unit before another start")
    let few = try card(errors: 4)
    #expect(few.headline.hasPrefix("Do not ship \"new\" yet: ") && few.tone == .bad)
    #expect(few.headline.contains(", which cannot be tested: "), "\(few.headline)")
    #expect(few.lines.first?.text.hasSuffix(": not tested") == true)
    #expect(line("Next", of: few) == "keep running until reward of error per unit can be tested")
    let none = try card(errors: 0)
    #expect(none.headline.hasPrefix("Ship \"new\"") && none.headline.hasSuffix(" is not tested."))
    #expect(none.lines.first?.text.hasSuffix(": not tested") == true)
    #expect(line("Next", of: none) == "ship \"new\", and watch reward of error per unit")
  }

  @Test("the chance to be best of several is that of a simulation, and that of two that of the difference")
  func chances() throws {
    let two = [(0.0, 1.0), (1.0, 0.5)].compactMap {
      NormalPosterior(estimate: $0.0, standardError: $0.1)
    }
    let chance = StandardNormal.cdf(1 / (1.25 as Double).squareRoot())
    #expect(abs(NormalPosterior.chancesToBeBest(two)[1] - chance) < 1e-9)
    var random = SeededGenerator(seed: 99)
    let several = (0..<5).compactMap { number in
      NormalPosterior(estimate: Double(number) / 3, standardError: number == 2 ? 0.01 : 0.2 + Double(number) / 4)
    }
    let exact = NormalPosterior.chancesToBeBest(several)
    #expect(abs(exact.reduce(0, +) - 1) < 1e-9)
    var wins = [0, 0, 0, 0, 0]
    for _ in 0..<20_000 {
      let draws = several.map {
        Draw.normal(mean: $0.mean, standardDeviation: $0.standardDeviation, using: &random)
      }
      wins[draws.indices.max { draws[$0] < draws[$1] } ?? 0] += 1
    }
    for (exact, wins) in zip(exact, wins) { #expect(abs(exact - Double(wins) / 20_000) < 0.015) }
  }

  @Test("a card has room for 12 variants besides the baseline; chances are those among all, up to 40")
  func many() throws {
    func card(_ count: Int) throws -> TableCard {
      let events = (1...count).flatMap { ComparedUnits.share("v\($0)", 20 + $0 % 5, of: 100) }
      return try #require(try cards(events).first)
    }
    let (some, many) = (try card(16), try card(42))
    #expect(some.table.rows.count == 13 && some.table.named.allSatisfy { $0["chance_to_be_best"] != .empty })
    #expect(line("More", of: some) == "3 more variants are in report compare")
    #expect(!many.table.columns.contains { $0.name == "chance_to_be_best" })
    #expect(line("More", of: many)?.hasSuffix("; beside more than 40 the chance to be best is not computed") == true)
  }

  @Test("a terminal shows cards in place of the rows, Markdown before them; CSV has the rows alone")
  func formats() throws {
    let log = try ComparisonLog(
      ComparedUnits.share("blue", 100, of: 1_000) + ComparedUnits.share("green", 150, of: 1_000))
    let table = try ComparisonReport { $0.measures = MetricPlan([Metric(.converted)]) }
      .table(of: LogReplay(log.reader, jobs: 2))
    var bytes: [UInt8] = []
    TerminalWriter(width: 80).write(table, to: &bytes)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines[0].hasPrefix("e ") && lines[0].contains("2000 units"))
    #expect(lines[1].hasPrefix("\"green\" is better: 50 % more units convert"))
    #expect(lines.contains { $0.hasPrefix("Next: ship \"green\"") })
    #expect(lines.allSatisfy { $0.count <= 80 } && !lines.contains { $0.contains("point-1") })
    bytes = []
    TerminalWriter(width: 80, detail: .all).write(table, to: &bytes)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("is better: 50"))
    let markdown = String(decoding: write(table, as: .markdown), as: UTF8.self)
    #expect(markdown.contains("- Next: ship \"green\" if this look was planned"))
    #expect(markdown.contains("### e\n\n2000 units") && markdown.contains("| green | 1000 |"))
    let csv = String(decoding: write(table, as: .csv), as: UTF8.self)
    #expect(csv.hasPrefix("experiment,") && !csv.contains("is better"))
  }
}
