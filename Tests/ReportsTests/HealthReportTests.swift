import EventLog
import Events
import Replay
import TestSupport
import Testing

@testable import Reports
@testable import Tables

@Suite("Report health")
struct HealthReportTests {
  // MARK: Sample ratio

  /// R8 of the statistics: counts, shares, chi-squared and p-value, from scipy.
  static let sampleRatios: [(counts: [Int], shares: [Int], statistic: Double, pValue: Double)] = [
    ([5_100, 4_900], [1, 1], 4, 0.0455002638964),
    ([5_200, 4_800], [1, 1], 16, 6.33424836662e-05),
    ([166_080, 171_180, 166_300], [1, 1, 1], 99.0404321233, 3.11632986544e-22),
    ([800, 9_200], [1, 9], 44.4444444444, 2.61678493721e-11),
  ]

  @Test("sample ratio tests match scipy", arguments: sampleRatios.indices)
  func sampleRatio(index: Int) throws {
    let row = Self.sampleRatios[index]
    let log = try HealthLog(row.counts.indices.map { decision("u\($0)", "v\($0)") })
    var options = HealthOptions()
    let expect = row.shares.enumerated().map { "v\($0.offset)=\($0.element)" }
    options.expected = try #require(ExpectedShares([expect.joined(separator: ",")]))
    let check = try log.checks(options) { tallies in
      for (segment, _) in tallies.exposures {
        let name = log.names.string(segment.arm.variant, in: .variants) ?? ""
        let number = Int(name.dropFirst()) ?? 0
        tallies.exposures[segment]?.first.units = row.counts[number]
        tallies.exposures[segment]?.first.unitsWithoutPropensity = row.counts[number]
      }
    }.first { $0.name == .sampleRatio }
    let found = try #require(check)
    #expect(abs((found.value ?? 0) / row.statistic - 1) < 1e-10)
    #expect(abs((found.pValue ?? 0) / row.pValue - 1) < 1e-10)
    #expect(found.expected == Double(row.counts.count - 1))
    #expect(found.verdict == (row.pValue < 0.001 ? .failed : .ok))
  }

  @Test("without shares and propensities they are equal, and few units are tested exactly")
  func equalShares() throws {
    let few = try HealthLog((0..<9).map { decision("u\($0)", $0 % 2 == 0 ? "a" : "b") })
    #expect(try few.verdict(.sampleRatio) == .ok)
    #expect(try few.check(.sampleRatio)?.pValue == 1)
    let equal = try HealthLog((0..<40).map { decision("u\($0)", $0 % 2 == 0 ? "a" : "b") })
    #expect(try equal.verdict(.sampleRatio) == .ok)
    let skewed = try HealthLog((0..<400).map { decision("u\($0)", $0 % 4 == 0 ? "a" : "b") })
    #expect(try skewed.verdict(.sampleRatio) == .failed)
    #expect(try skewed.verdict(.sampleRatioSequential) == .failed)
    #expect(try equal.verdict(.sampleRatioSequential) == .ok)
    let alone = try HealthLog((0..<40).map { decision("u\($0)", "a") })
    #expect(try alone.verdict(.sampleRatio) == .notApplicable)
  }

  @Test("logged propensities that never change are the shares")
  func constantPropensities() throws {
    let fair = try HealthLog(
      (0..<400).map { decision("u\($0)", $0 % 4 == 0 ? "a" : "b", $0 % 4 == 0 ? 0.25 : 0.75) })
    #expect(try fair.verdict(.sampleRatio) == .ok)
    #expect(try fair.check(.sampleRatio)?.detail.contains("logged propensities") == true)
    // A quarter of the units was to get a third variant, and none did.
    let missing = try HealthLog(
      (0..<400).map { decision("u\($0)", $0 % 2 == 0 ? "a" : "b", $0 % 2 == 0 ? 0.5 : 0.25) })
    #expect(try missing.verdict(.sampleRatio) == .failed)
    #expect(try missing.check(.sampleRatio)?.expected == 2)
  }

  @Test("an adaptive policy is no mismatch", arguments: 0..<20)
  func adaptive(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let log = try HealthLog(
      (0..<300).map { number in
        let share = 0.5 + 0.45 * Double(number) / 300
        let isFirst = random.chance(share)
        return decision("u\(number)", isFirst ? "a" : "b", isFirst ? share : 1 - share)
      })
    #expect(try log.verdict(.sampleRatio) == .ok, "seed \(seed)")
    #expect(try log.verdict(.sampleRatioSequential) == .notApplicable, "seed \(seed)")
    // Nor is it where only some propensities are known.
    let partly = try HealthLog([decision("x", "a")] + log.events)
    #expect(try partly.verdict(.sampleRatio) == .notApplicable)
    #expect(try log.checks().allSatisfy { $0.verdict != .failed }, "seed \(seed)")
  }

  @Test("a policy that is always sure, but not always of the same variant, is adaptive")
  func deterministicPolicy() throws {
    let log = try HealthLog(
      (0..<400).flatMap { number in
        let isRich = number % 4 == 0
        return [
          at(1, conversion("u\(number)", isRich ? 9 : Double(number % 3))),
          decision("u\(number)", isRich ? "a" : "b", 1),
        ]
      })
    #expect(try log.verdict(.sampleRatio) == .notApplicable)
    #expect(try log.verdict(.preExposureRevenue) == .notApplicable)
  }

  @Test("shares are given for all experiments, or for one by its name")
  func expectedShares() throws {
    let log = try HealthLog(
      (0..<400).flatMap { number in
        ["e/x", "f"].map {
          decision("u\(number)", number % 4 == 0 ? "a" : "b", experiment: ExperimentID($0))
        }
      })
    func failed(_ texts: [String]) throws -> [String] {
      var options = HealthOptions()
      options.expected = try #require(ExpectedShares(texts))
      return try log.checks(options).filter { $0.name == .sampleRatio && $0.verdict == .failed }
        .compactMap(\.experiment)
    }
    #expect(try failed([]) == ["e/x", "f"])
    #expect(try failed(["a=1,b=3"]) == [])
    #expect(try failed(["e/x/a=1,e/x/b=3"]) == ["f"])
    #expect(try failed(["f/a=1", "f/b=3"]) == ["e/x"])
    #expect(try failed(["a=1,b=3,c=0.5"]) == ["e/x", "f"])
    #expect(try failed(["a=1"]) == ["e/x", "f"])
    #expect(try failed(["c=1"]) == ["e/x", "f"])
    for wrong in ["a", "=1", "a=x", "a=-1", "a=0,b=0", "a=1,", "a=inf", "a=nan", "a=50%,b=40%"] {
      #expect(ExpectedShares([wrong]) == nil, "\(wrong)")
    }
  }

  // MARK: Exposures and events

  @Test("crossed units fail above one in a hundred, but not where every decision is made anew")
  func crossed() throws {
    let once = (0..<100).map { decision("u\($0)", $0 % 2 == 0 ? "a" : "b") }
    let one = try HealthLog(once + [decision("u0", "b")])
    #expect(try one.verdict(.crossedUnits) == .warning)
    let two = try HealthLog(once + [decision("u0", "b"), decision("u1", "a")])
    #expect(try two.verdict(.crossedUnits) == .failed)
    #expect(try two.check(.crossedUnits)?.count == 2)
    #expect(try two.check(.crossedUnits)?.value == 0.02)
    let adaptive = try HealthLog(
      (0..<100).map { decision("u\($0 / 2)", $0 % 2 == 0 ? "a" : "b", 0.2 + Double($0 % 3) / 10) })
    #expect(try adaptive.verdict(.crossedUnits) == .warning)
  }

  @Test("pre-exposure activity is compared by Welch's test, and by chi-squared")
  func preExposure() throws {
    func log(_ variants: Int, _ biased: Int) throws -> HealthLog {
      try HealthLog(
        (0..<60 * variants).flatMap { number in
          let variant = number % variants
          let revenue = Double(number / variants % 5) + (variant == biased ? 4 : 0)
          return [
            at(1, conversion("u\(number)", revenue)), at(2, decision("u\(number)", "v\(variant)")),
          ]
        })
    }
    #expect(try log(2, -1).verdict(.preExposureRevenue) == .ok)
    #expect(try log(2, 1).verdict(.preExposureRevenue) == .failed)
    #expect(try log(2, 1).check(.preExposureRevenue)?.detail.hasPrefix("Welch") == true)
    #expect(try log(3, -1).verdict(.preExposureRevenue) == .ok)
    #expect(try log(3, 2).verdict(.preExposureRevenue) == .failed)
    #expect(try log(2, 1).verdict(.preExposureConversions) == .notApplicable)
    #expect(try log(2, 1).verdict(.preExposureGoals) == .notApplicable)
  }

  @Test("how late the latest event came is said in its largest unit")
  func lateness() throws {
    let late: [(Int64, String)] = [
      (500, "500us"), (2_500, "2.5ms"), (90_000_000, "1.5min"), (129_600_000_000, "1.5d"),
    ]
    for (lateness, text) in late {
      let log = try HealthLog([at(lateness, goal("u")), at(0, goal("u"))])
      let check = try #require(try log.check(.lateEvents))
      #expect(check.detail == "1 of 2 events; at most \(text) late")
      #expect(check.verdict == .warning)
    }
  }

  @Test("orphans fail when nothing belongs to anybody")
  func orphans() throws {
    let none = try HealthLog([decision("u", "a"), conversion("v", 1)])
    #expect(try none.verdict(.orphanConversions) == .failed)
    let some = try HealthLog([decision("u", "a"), at(9, conversion("u", 1)), conversion("v", 1)])
    #expect(try some.verdict(.orphanConversions) == .ok)
    let goals = try HealthLog([goal("v")])
    #expect(try goals.verdict(.orphanGoals) == .failed)
    #expect(try goals.verdict(.orphanConversions) == .notApplicable)
  }

  // MARK: Propensities

  @Test("right propensities pass, wrong ones fail", arguments: 100..<110)
  func propensities(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func log(_ told: [Double]) throws -> HealthLog {
      try HealthLog(
        (0..<600).map { number in
          let number = (number, random.chance(0.6) ? 0 : 1)
          return decision(
            "u\(number.0)", ["a", "b"][number.1], told[number.1], choices: ["a", "b"],
            probabilities: told)
        })
    }
    let names: [HealthCheck.Name] = [
      .propensityInverse, .propensityCalibration, .propensityRange, .propensitySum,
      .propensityMatch, .propensityChoice, .propensityMissing,
    ]
    let right = try log([0.6, 0.4])
    for name in names { #expect(try right.verdict(name) != .failed, "seed \(seed), \(name)") }
    let wrong = try log([0.8, 0.2])
    #expect(try wrong.verdict(.propensityInverse) == .failed, "seed \(seed)")
    #expect(try wrong.verdict(.propensityCalibration) == .failed, "seed \(seed)")
    let tooLarge = try log([0.4, 0.6])
    #expect(try tooLarge.verdict(.propensityCalibration) == .failed, "seed \(seed)")
  }

  @Test("propensities that cannot be are found one by one")
  func impossible() throws {
    let log = try HealthLog([
      decision("u", "a", 1.5), decision("v", "a", 0.5, choices: ["b", "c"]),
      decision("w", "a", 0.5, choices: ["a", "b"], probabilities: [0.5, 0.6]),
      decision("x", "a", 0.5, choices: ["a", "b"], probabilities: [0.4, 0.6]), decision("y", "a"),
    ])
    for name in [
      HealthCheck.Name.propensityRange, .propensityChoice, .propensitySum, .propensityMatch,
    ] {
      #expect(try log.verdict(name) == .failed, "\(name)")
      #expect(try log.check(name)?.count == 1, "\(name)")
    }
    #expect(try log.verdict(.propensityMissing) == .warning)
    #expect(try log.verdict(.propensityInverse) == .ok)
  }

  @Test("a policy that never takes some choices gives a warning at most")
  func deterministic() throws {
    let log = try HealthLog((0..<50).map { decision("u\($0)", "a", 1, choices: ["a", "b"]) })
    #expect(try log.verdict(.propensityInverse) == .warning)
    let known = try HealthLog(
      (0..<50).map {
        decision("u\($0)", "a", 1, choices: ["a", "b"], probabilities: [1, 0])
      })
    #expect(try known.verdict(.propensityInverse) == .ok)
  }

  // MARK: The table

  @Test("an empty log is healthy and has no findings")
  func empty() throws {
    let log = try HealthLog([])
    let table = try HealthReport().table(try log.checks())
    #expect(table.rows.count == 6)
    #expect(try log.checks().allSatisfy { $0.verdict == .notApplicable })
    #expect(table.notes.contains(TableNote(name: "checks_failed", value: .integer(0))))
  }

  @Test("the columns of the design come first, rows are sorted, names are kept as they are")
  func golden() throws {
    let odd = "=\"a,\n東\""
    let log = try HealthLog(
      (0..<20).map { decision("u\($0)", $0 % 2 == 0 ? odd : "b", experiment: "e\u{301}") })
    let table = try HealthReport().table(try log.checks())
    #expect(
      table.columns.map(\.name).prefix(6) == [
        "check", "experiment", "value", "expected", "p_value", "verdict",
      ])
    let units = table.rows.filter { $0[0] == .text("sample_ratio_units") }
    #expect(units.map { $0[8] } == [.text(odd), .text("b")])
    #expect(units.map { $0[2] } == [.decimal(10), .decimal(10)])
    #expect(table == table.sorted())
    #expect(Tables.write(table, as: .json, options: TableOptions()).count > 0)
  }

  @Test("with a dimension there is a check for each of its values")
  func dimension() throws {
    let log = try HealthLog(
      (0..<80).map { decision("u\($0)", $0 % 2 == 0 ? "a" : "b", reason: $0 < 40 ? "x" : "y") })
    let checks = try log.checks(dimension: .reason).filter { $0.name == .sampleRatio }
    #expect(checks.map(\.dimensionValue) == ["x", "y"])
    let table = try HealthReport().table(checks, dimension: .reason)
    #expect(table.rows.map { $0[$0.count - 1] } == [.text("x"), .text("y")])
  }

  // MARK: Helpers

  private func at(_ time: Int64, _ event: Event) -> Event {
    var event = event
    event.time = Timestamp(microseconds: time)
    return event
  }

  private func decision(
    _ unit: String, _ variant: String, _ propensity: Double? = nil, choices: [String]? = nil,
    probabilities: [Double]? = nil, reason: String? = nil, experiment: ExperimentID = "e"
  ) -> Event {
    Event(
      time: Timestamp(microseconds: 5), unit: UnitID(unit),
      payload: .decision(
        Decision(
          experiment: experiment, variant: VariantID(variant),
          choices: choices?.map { VariantID($0) }, propensity: propensity,
          probabilities: probabilities, reason: reason)))
  }

  private func conversion(_ unit: String, _ revenue: Double) -> Event {
    Event(
      time: Timestamp(microseconds: 5), unit: UnitID(unit),
      payload: .conversion(Conversion(goal: "c", revenue: revenue)))
  }

  private func goal(_ unit: String) -> Event {
    Event(
      time: Timestamp(microseconds: 5), unit: UnitID(unit),
      payload: .goal(Goal(experiment: "e", goal: "g")))
  }
}

/// A log of a few events, and its health.
private final class HealthLog {
  let events: [Event]
  let folder: TemporaryFolder
  let reader: LogReader
  let names: LogNames

  init(_ events: [Event]) throws {
    self.events = events
    folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    try writer.append(events)
    try writer.commit()
    reader = try LogReader(folder.path("log"))
    names = try LogNames(reader, [.experiments, .points, .slots, .variants])
  }

  func checks(
    _ options: HealthOptions = HealthOptions(), dimension: Dimension? = nil,
    _ change: (inout HealthTallies) -> Void = { _ in }
  ) throws -> [HealthCheck] {
    let replay = LogReplay(reader, jobs: 1)
    var selection = UnitSelection()
    selection.dimension = dimension
    var tallies = try replay.run(selection, units: HealthProjector())
    change(&tallies)
    return HealthReport.checks(
      HealthEvidence(
        tallies: tallies, propensities: try replay.run(PropensityProjector()).tallies,
        absent: try replay.run(AbsentEventProjector()), unreadable: 0,
        positions: Int(reader.eventCount)),
      names: names, options: options)
  }

  func check(_ name: HealthCheck.Name) throws -> HealthCheck? {
    try checks().first { $0.name == name }
  }

  func verdict(_ name: HealthCheck.Name) throws -> HealthVerdict? { try check(name)?.verdict }
}
