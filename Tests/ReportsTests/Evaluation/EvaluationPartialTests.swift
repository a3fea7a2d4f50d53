import Bandits
import EventLog
import Events
import OffPolicy
import Replay
import Specifications
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("An evaluation of the parts of a log equals that of the whole, byte for byte")
struct EvaluationPartialTests {
  static let cases = [(1, 1), (2, 2), (3, 3), (7, 4), (64, 5)].map { ($0.0, UInt64($0.1)) }

  /// Pages of up to three slots, decided by two policies and an unknown one, with names that differ in their bytes
  /// only, choices in several orders, and goals of another experiment.
  static func events(seed: UInt64, _ count: Int = 150) -> [Event] {
    var random = SeededGenerator(seed: seed)
    let variants: [VariantID] = ["b", "caf\u{E9}", "a", "cafe\u{301}"]
    let policies: [PolicyID?] = [nil, "B", "A", "caf\u{E9}", "cafe\u{301}"]
    let countries: [AttributeValue?] = [.text("caf\u{E9}"), .text("cafe\u{301}"), .number(2), nil]
    var events: [Event] = []
    for page in 0..<count {
      let time = Int64(page / 5) * 40_000_000 - (random.chance(0.1) ? 90_000_000 : 0)
      let unit = "u\(random.index(80))"
      let point = PointID("p\(random.index(2))")
      for slot in 0..<1 + random.index(3) {
        var offered = variants
        offered.shuffle(using: &random)
        if random.chance(0.5) { offered.removeLast() }
        var decision = Decision(
          experiment: random.chance(0.9) ? "e" : "other", point: point,
          slot: SlotID("s\(slot)"), variant: offered[random.index(offered.count)],
          choices: random.chance(0.7) ? offered : nil)
        if random.chance(0.95) { decision.propensity = [0.1, 0.3, 0.7, 1][random.index(4)] }
        if decision.choices != nil, random.chance(0.5) {
          decision.probabilities = offered.count == 3 ? [0.2, 0.7, 0.1] : [0.1, 0.2, 0.4, 0.3]
        }
        decision.policy = policies[random.index(policies.count)]
        decision.context = countries[random.index(4)].map { ["country": $0, "age": 31.7] }
        decision.features = Features()
        for variant in offered where random.chance(0.8) {
          decision.features?[variant] = ["price": .number(Double(random.index(7)) / 3)]
        }
        events.append(ReportLog.event(time, unit, .decision(decision)))
      }
      if random.chance(0.6) {
        let goal = Goal(
          experiment: random.chance(0.9) ? "e" : "other", goal: "g",
          value: Double(random.index(9)) / 7)
        events.append(
          ReportLog.event(time + Int64(random.index(90_000_000)), unit, .goal(goal)))
      }
    }
    return events
  }

  private func expectSame(_ report: EvaluationReport, _ parts: LogParts) throws {
    let whole = try parts.table(report, experiment: "e")
    let merged = try parts.merged(report, experiment: "e")
    for format in [TableFormat.csv, .json] {
      let texts = [whole, merged].map {
        String(decoding: Tables.write($0, as: format, options: TableOptions()), as: UTF8.self)
      }
      #expect(texts[0].utf8.elementsEqual(texts[1].utf8), "\(report.plan) \(texts)")
    }
    #expect(!whole.rows.isEmpty)
  }

  private static let policies = [
    "uniform", "fixed:variant=caf\u{E9}", "weights:a=0.6;b=0.4", "logged",
  ]

  @Test("every estimator and method of intervals", arguments: cases)
  func estimators(count: Int, seed: UInt64) throws {
    let parts = try LogParts(Self.events(seed: seed), into: count)
    let plan = try EvaluatedLog.plan(
      Self.policies, EstimatorCatalog.standard.all.map(\.name),
      intervals: IntervalCatalog.standard.all.map {
        $0.name == "bootstrap" ? "bootstrap:replicates=20" : $0.name
      })
    try expectSame(EvaluationReport { $0.plan = plan }, parts)
  }

  @Test("every table", arguments: cases.filter { $0.0 == 3 || $0.0 == 64 })
  func tables(count: Int, seed: UInt64) throws {
    let parts = try LogParts(Self.events(seed: seed &+ 10), into: count)
    let plan = try EvaluatedLog.plan(
      Self.policies, ["ips", "multi-weighted-ips", "multi-balanced-dr", "dr"], versus: 0)
    for table in EvaluationTable.allCases where table != .truth {
      try expectSame(
        EvaluationReport {
          $0.plan = plan
          $0.askedTable = table
          $0.windows = table == .windows ? [60_000_000, nil] : []
        }, parts)
    }
  }

  @Test("slots, groups, folds and features of linear models", arguments: cases)
  func models(count: Int, seed: UInt64) throws {
    let parts = try LogParts(Self.events(seed: seed &+ 20), into: count)
    let terms =
      "one-hot(slot)+one-hot(variant)+one-hot(country,2)+standardized(features.price)"
      + "+cross(variant,country)+hash(country,slot,5)+number(age)"
    for (folds, model) in [
      (1, LinearRewards() as any RewardModel), (3, try LinearRewards { $0.lambda = 0.1 }),
      (4, TabularRewards()),
    ] {
      var plan = try EvaluatedLog.plan(
        ["epsilon-greedy", "softmax:feature=price", "softmax", "uniform"],
        ["dm", "dr", "mrdr", "mips", "balanced-ips", "snips"])
      plan.rewardModel = model
      plan.features = try FeatureSpecification(parsing: terms)
      (plan.folds, plan.dividesSlots) = (folds, true)
      plan.groups = VariantGroups(["a": "first", "b": "first", "caf\u{E9}": "second"])
      try expectSame(EvaluationReport { $0.plan = plan }, parts)
    }
  }

  @Test("a partial depends on the events alone, not on their order across units")
  func sameBytes() throws {
    let events = Self.events(seed: 99, 200)
    let byUnit = Dictionary(grouping: events.indices, by: { events[$0].unit })
    let order = byUnit.values.sorted { $0.count == $1.count ? $0[0] < $1[0] : $0.count < $1.count }
    let shuffled = order.flatMap { $0.map { events[$0] } }
    #expect(events != shuffled)
    let parts = try [events, shuffled].map { try LogParts($0, into: 1) }
    let report = try EvaluationReport {
      $0.plan = try EvaluatedLog.plan(Self.policies, ["ips", "multi-weighted-ips"])
    }
    let bytes = try parts.map { try $0.partial(report, 0, experiment: "e") }
    #expect(bytes[0] == bytes[1])
  }

  @Test(
    "damaged states end in errors or in a table, never in a trap",
    arguments: 1...4 as ClosedRange<UInt64>)
  func damage(seed: UInt64) throws {
    let parts = try LogParts(Self.events(seed: seed, 12), into: 1)
    var plan = try EvaluatedLog.plan(
      ["uniform", "epsilon-greedy"],
      seed % 2 == 0 ? EstimatorCatalog.standard.all.map(\.name) : ["snips", "mrdr", "multi-ips"],
      intervals: ["normal", "bootstrap:replicates=3", "clopper-pearson", "hoeffding"], versus: 0)
    if seed > 2 {
      plan.rewardModel = LinearRewards()
      plan.features = try FeatureSpecification(
        parsing: "one-hot(country,1)+standardized(age)+cross(slot,variant)")
    }
    (plan.dividesSlots, plan.folds) = (seed == 1, seed == 3 ? 2 : 1)
    let report = try EvaluationReport {
      $0.plan = plan
      $0.askedTable = seed == 4 ? .time : .values
    }
    let passes = try parts.passes(of: report, experiment: "e")
    #expect(passes.count == 4)
    let whole = try parts.table(report, experiment: "e")
    #expect(try parts.table(of: report, passes, experiment: "e") == whole)
    var random = SeededGenerator(seed: seed)
    var (errors, tables) = (0, 0)
    for _ in 0..<300 {
      var damaged = passes
      let pass = random.index(passes.count)
      let state = random.index(passes[pass].states.count)
      Self.damage(&damaged[pass].states[state], &random)
      do {
        let table = try parts.table(of: report, damaged, experiment: "e")
        _ = Tables.write(table, as: .json, options: TableOptions())
        tables += 1
      } catch is StateError {
        errors += 1
      } catch is SpecificationError {
        errors += 1
      }
    }
    #expect(errors > 30 && tables > 0, "\(errors) errors, \(tables) tables")
  }

  /// Changes, removes or inserts a few bytes.
  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    for _ in 0..<1 + random.index(3) where !bytes.isEmpty {
      let place = random.index(bytes.count)
      switch random.index(5) {
      case 0: bytes[place] ^= 1 << UInt8(random.index(8))
      case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][random.index(5)]
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.index(9)))
      case 3: bytes.insert(contentsOf: repeatElement(0xFF, count: 1 + random.index(9)), at: place)
      default: bytes.removeLast(bytes.count - place)
      }
    }
  }

  @Test("the question has a policy of a file by its content, and each setting of the plan")
  func question() throws {
    func text(_ change: (inout OffPolicyPlan) throws -> Void = { _ in }, rows: String = "a,1\n")
      throws -> String
    {
      let policy = try TargetPolicyCatalog.standard.named("table:path=x.csv") {
        (_) throws(SpecificationError) in "variant,probability\n" + rows
      }
      var plan = try EvaluatedLog.plan(["uniform"])
      plan.policies.append(policy)
      try change(&plan)
      return PartialQuestion.text(of: try EvaluationReport { $0.plan = plan }, selection: [])
    }
    let plain = try text()
    #expect(try plain == text())
    let others = try [
      text(rows: "a,0.5\nb,0.5\n"), text(rows: "a,0.25\nb,0.75\n"),
      text { $0.groups = VariantGroups(["a": "g"]) }, text { $0.folds = 2 },
      text { $0.rewardModel = LinearRewards() }, text { $0.dividesSlots = true },
      text { $0.versus = 1 }, text { $0.estimators.append(SelfNormalized()) },
      text { $0.intervals = [] }, text { $0.attribution.window = 1 },
      text { $0.features = try FeatureSpecification(parsing: "one-hot(country)") },
    ]
    #expect(Set(others + [plain]).count == others.count + 1)
    let many = (0..<50).map { "v\($0),0.02\n" }
    #expect(try text(rows: many.joined()) == text(rows: many.reversed().joined()))
  }

  @Test("what cannot be made of parts says what to do instead")
  func refusals() throws {
    func instead(_ report: EvaluationReport) -> String {
      guard case .none(let instead) = report.partials else { return "" }
      return instead
    }
    var plan = try EvaluatedLog.plan(["uniform"])
    #expect(try EvaluationReport { $0.plan = plan }.partials == .byUnitsOfOneExperiment)
    let truth = EvaluationTruth(path: "other.log", experiment: nil, replicates: 10)
    #expect(
      instead(
        try EvaluationReport {
          $0.plan = plan
          $0.truth = truth
        }
      ).contains(
        "leave out --truth other.log"))
    plan.rewardModel = LogisticRewards()
    #expect(
      instead(try EvaluationReport { $0.plan = plan }).contains("write --reward-model linear"))
    plan.estimators = [InversePropensity()]
    #expect(try EvaluationReport { $0.plan = plan }.partials == .byUnitsOfOneExperiment)
    plan.learningPolicies = [try ReplayedPolicy(Specification(parsing: "ucb1"))]
    #expect(instead(try EvaluationReport { $0.plan = plan }).contains("the learning policy ucb1"))
    let parts = try LogParts(Self.events(seed: 3, 20), into: 1)
    plan.learningPolicies = []
    let report = try EvaluationReport { $0.plan = plan }
    let error = #expect(throws: ReportError.self) { try parts.partial(report, 0) }
    #expect(error?.description.contains("name one with --experiment") == true)
  }
}

extension LogParts {
  /// Returns the states of all passes of a report over the first part.
  fileprivate func passes(of report: some Report, experiment: String) throws -> [StatePass] {
    var passes: [StatePass] = []
    while true {
      let exchange = try StateExchange(recording: parts[0], given: passes, dataEnd: nil)
      var replay = LogReplay(parts[0], jobs: 1)
      replay.exchange = exchange
      let source = ReportSource(
        report, replay, Self.selection(experiment, exchange.names), names: exchange.names)
      guard let pass = try report.recordedPass(of: source) else { return passes }
      passes.append(pass)
    }
  }

  /// Returns the table that is made of the states of all passes.
  fileprivate func table(
    of report: some Report, _ passes: [StatePass], experiment: String
  ) throws -> Table {
    let last = passes[passes.count - 1]
    let units = MergedUnits(
      try StateExchange(
        merging: [{ last }], given: passes.dropLast(), isRecording: false, dataEnd: nil))
    var partial = Self.empty(report, dataEnd: nil)
    partial.eventCount = Int(parts[0].eventCount)
    return try report.finished(
      ReportSource(
        report, units, partial, Self.selection(experiment, units.names), path: whole.path)
    ).table
  }
}
