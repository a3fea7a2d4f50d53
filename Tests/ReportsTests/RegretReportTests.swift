import EventLog
import Events
import Replay
import Reports
import Tables
import TestSupport
import Testing

@Suite("Report: regret")
struct RegretReportTests {
  /// A log of decisions (time, variant, propensity) of one unit each, whose reward comes a moment later.
  private func report(
    _ decisions: [(String, propensity: Double?, reward: Double)], experiment: ExperimentID = "e",
    _ rules: RegretRules = RegretRules(hasIntervals: false), byVariant: Bool = false
  ) throws -> Table {
    let folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    for (index, (variant, propensity, reward)) in decisions.enumerated() {
      let unit = UnitID("u\(index)")
      let time = Timestamp(microseconds: Int64(index) * 10)
      let decision = Decision(
        experiment: experiment, variant: VariantID(variant), propensity: propensity)
      let goal = Goal(experiment: experiment, goal: "g", value: reward)
      try writer.append([
        Event(time: time, unit: unit, payload: .decision(decision)),
        Event(
          time: Timestamp(microseconds: time.microseconds + 1), unit: unit, payload: .goal(goal)),
      ])
    }
    try writer.commit()
    let reader = try LogReader(folder.path("log"))
    let names = try LogNames(reader, [.experiments, .points, .slots, .variants])
    let regret = try LogReplay(reader, jobs: 2).regret(UnitSelection(), rules)
    return try RegretReport {
      $0.rules = rules
      $0.decomposes = byVariant
    }.table(regret, names: names)
  }

  private func csv(_ table: Table) -> [String] {
    let bytes = write(table, as: .csv, options: TableOptions())
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("the regret of a small log matches a calculation by hand")
  func golden() throws {
    // Means: red (1 + 0) / 2, blue (2 + 1) / 2, and odd 0.25; gaps 1, 0 and 1.25.
    let table = try report(
      [
        ("red", nil, 1), ("blue", nil, 2), ("=odd, \"one\"", nil, 0.25), ("red", nil, 0),
        ("blue", nil, 1),
      ], experiment: "Größe")
    let heading =
      "experiment,t,decisions,reward_sum,best_variant,regret,regret_per_decision,point,slot,"
      + "ci_low,ci_high,status"
    #expect(
      csv(table) == [
        heading, "Größe,1,1,1,blue,1,1,point-1,decision-1,,,ok",
        "Größe,2,2,3,blue,1,0.5,point-1,decision-1,,,ok",
        "Größe,5,5,4.25,blue,3.25,0.65,point-1,decision-1,,,ok",
      ])
    #expect(table.notes.first { $0.name == "interval" }?.value == .text("none"))
    #expect(table.notes.first { $0.name == "means" }?.value == .text("plain"))
    #expect(table.notes.first { $0.name == "goals_credited" }?.value == .integer(5))
  }

  @Test("regret by variant")
  func decomposed() throws {
    let decisions: [(String, propensity: Double?, reward: Double)] = [
      ("red", nil, 1), ("blue", nil, 2), ("green", nil, 0.5), ("red", nil, 0), ("blue", nil, 1),
    ]
    #expect(
      csv(try report(decisions, byVariant: true)) == [
        "experiment,point,slot,variant,decisions,reward_mean,gap,regret,regret_share,status",
        "e,point-1,decision-1,blue,2,1.5,0,0,0,ok",
        "e,point-1,decision-1,green,1,0.5,1,1,0.3333333333333333,ok",
        "e,point-1,decision-1,red,2,0.5,1,2,0.6666666666666666,ok",
      ])
  }

  @Test("a place with a single variant has no regret: nothing is known of the other choices")
  func single() throws {
    let decisions: [(String, propensity: Double?, reward: Double)] = [("a", 1, 3), ("a", 1, 2)]
    #expect(
      csv(try report(decisions, byVariant: true))[1]
        == "e,point-1,decision-1,a,2,2.5,0,,,single_variant")
    let table = try report(decisions, RegretRules())
    #expect(csv(table)[2] == "e,2,2,5,a,,,point-1,decision-1,,,single_variant")
    #expect(table.answer.first == "No regret is known of e (single_variant).")
  }

  @Test("rewards of 0 and 1 that do not vary within a variant have an interval with a width")
  func constant() throws {
    for propensity in [0.5, nil] {
      let decisions = (0..<100).map { index in
        (index % 2 == 0 ? "a" : "b", propensity: propensity, reward: Double(index % 2))
      }
      let row = Array(try #require(try report(decisions, RegretRules()).rows.last))
      #expect(row[5] == .decimal(50))
      #expect(number(row[9]) < 45 && number(row[10]) == 50)
    }
  }

  @Test("of several best variants the first by bytes is named")
  func tied() throws {
    let table = try report([
      ("b", nil, 1), ("é", nil, 1), ("a", nil, 1), ("Z", nil, 1), ("c", nil, 0),
    ])
    #expect(csv(table).dropFirst().allSatisfy { $0.contains(",Z,") })
  }

  @Test("missing propensities leave regret empty and are named by the status")
  func withoutPropensities() throws {
    let rules = RegretRules(means: .ips)
    let none = try report([("a", nil, 1), ("b", nil, 0)], rules)
    #expect(csv(none)[1] == "e,1,1,1,,,,point-1,decision-1,,,no_propensity")
    let some = try report([("a", 0.5, 1), ("b", nil, 0), ("a", nil, 0)], rules)
    #expect(csv(some)[3] == "e,3,3,1,,,,point-1,decision-1,,,variant_without_propensity")
    #expect(
      some.notes.first { $0.name == "decisions_without_propensity" }?.value == .integer(2))
    let all = try report([("a", 0.5, 1), ("b", 0.5, 0)], rules, byVariant: true)
    #expect(csv(all)[1] == "e,point-1,decision-1,a,1,1,0,0,0,ok")
    let huge = Double.greatestFiniteMagnitude
    let overflown = try report([("a", 0.5, huge), ("b", 0.5, 0)], rules)
    #expect(csv(overflown)[1].hasSuffix(",,,,point-1,decision-1,,,not_finite"))
  }

  @Test("intervals are of the level asked for, hold the regret of clear cases, and are wide enough")
  func intervals() throws {
    let decisions = (0..<200).map { index in
      (index % 2 == 0 ? "a" : "b", propensity: Double?(0.5), reward: Double(index % 4))
    }
    var last: [[TableCell]] = []
    for level in [0.5, 0.95] {
      let table = try report(decisions, RegretRules(level: level))
      last.append(Array(try #require(table.rows.last)))
    }
    // Means 1 and 2: 100 decisions lost 1 each, with a standard error of √2·√(1/100)·100.
    #expect(last[0][5] == .decimal(100))
    let ends = last.map { row in [row[9], row[10]].map(number) }
    #expect(
      ends[1][0] < ends[0][0] && ends[0][0] < 100 && 100 < ends[0][1] && ends[0][1] < ends[1][1])
    #expect(abs(ends[1][1] - ends[1][0] - 2 * 1.96 * 14.2) < 12)
    // Without propensities the policy may have learned, and only wider bounds hold.
    let unknown = try report(decisions.map { ($0.0, nil, $0.2) })
    #expect(csv(unknown)[1].contains(",,ok") == true)
    let wider = try report(decisions.map { ($0.0, nil, $0.2) }, RegretRules())
    let row = Array(try #require(wider.rows.last))
    #expect(number(row[9]) < ends[1][0] && number(row[10]) > ends[1][1])
  }

  private func number(_ cell: TableCell) -> Double {
    if case .decimal(let number) = cell { return number }
    return .nan
  }

  @Test(
    "where less is better, the regret is that of the negated rewards",
    arguments: RegretMeans.allCases, [false, true])
  func lower(means: RegretMeans, isAdaptive: Bool) throws {
    var random = SeededGenerator(seed: 41)
    let decisions = (0..<600).map { number in
      let index = random.index(3)
      let propensity = isAdaptive && number % 2 == 0 ? [0.5, 0.25, 0.25][index] : 1.0 / 3
      return (["a", "b", "c"][index], propensity: Optional(propensity), reward: Double(1 + index + random.index(4)))
    }
    let rules = RegretRules(means: means)
    var lower = rules
    lower.attribution.metric = try RewardMetric(parsing: "reward:direction=lower")
    let own = try report(decisions, lower)
    let negated = try report(decisions.map { ($0.0, $0.propensity, -$0.reward) }, rules)
    for (row, other) in zip(own.rows, negated.rows) {
      #expect(row[4] == .text("a") && other[4] == .text("a"))
      for column in [5, 6, 9, 10] {
        #expect(number(row[column]).isFinite && abs(number(row[column]) - number(other[column])) < 1e-9)
      }
    }
    #expect(own.notes.first { $0.name == "direction" }?.value == .text("lower"))
    let gaps = try report(decisions, lower, byVariant: true).rows.map { number($0[6]) }
    #expect(gaps[0] == 0 && gaps[1] > 0 && gaps[2] > gaps[1])
  }

  @Test("a metric that is neither better nor worse has no regret")
  func neutral() throws {
    let metric = try RewardMetric(parsing: "reward:direction=neutral")
    let error = #expect(throws: ReportError.self) { try RegretReport { $0.rules.attribution.metric = metric } }
    #expect(error?.description.contains("neither better nor worse") == true)
  }

  @Test("an empty log has a heading and notes")
  func empty() throws {
    let table = try report([])
    #expect(csv(table).count == 1)
    #expect(table.notes.first { $0.name == "decisions_confirmed" }?.value == .integer(0))
  }
}
