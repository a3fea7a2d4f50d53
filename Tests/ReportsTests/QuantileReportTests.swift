import EventLog
import Events
import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("The report of quantiles")
struct QuantileReportTests {
  /// Ten units of variant a, of which unit n has a revenue of n after n seconds, 0 without a conversion; one of b.
  private static let events =
    (0..<10).map { ReportLog.decision(0, "u\($0)", "a") } + [ReportLog.decision(0, "v", "b")]
    + (1..<10).map { ReportLog.conversion(Int64($0) * 1_000_000, "u\($0)", "buy", Double($0)) }

  private func rows(
    _ events: [Event], _ metrics: [QuantileReport.Metric] = [.revenue],
    _ change: (inout QuantileReport) -> Void = { _ in }
  ) throws -> [[String]] {
    let log = try ReportLog(events)
    let tallies = try ConversionSource.allCases.map { source in
      let projector = QuantileProjector(
        of: source, measures: Set(metrics.filter { $0.source == source }.map(\.measure)))
      return (projector, try log.replay.run(UnitSelection(), units: projector))
    }
    let table = try QuantileReport {
      $0.metrics = metrics
      change(&$0)
    }.table(tallies, names: log.names)
    return text(Tables.write(table, as: .csv, options: TableOptions())).split(separator: "\n")
      .dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
  }

  @Test("quantiles and their intervals match a calculation by hand")
  func golden() throws {
    let options: (inout QuantileReport) -> Void = {
      $0.quantiles = [0.5, 0.9]
    }
    // The median of 0 ... 9 lies between the values of rank 2 and 9; for 0.9 of ten, P(B ≤ 7) is 7 % and P(B ≤ 6) 1.3 %.
    let expected = [
      "e,a,revenue,0.5,10,4.5,1,8,0.978515625,10,1,",
      "e,a,revenue,0.9,10,8.1,6,,0.9872048016,10,1,",
      "e,b,revenue,0.5,1,0,,,1,1,1,too few values for an interval",
      "e,b,revenue,0.9,1,0,,,1,1,1,too few values for an interval",
    ]
    #expect(
      try rows(Self.events, [.revenue], options).map { $0.joined(separator: ",") } == expected)
  }

  @Test("other types and levels are used, and zeros left out, but for delays")
  func options() throws {
    let options: (inout QuantileReport) -> Void = {
      $0.quantiles = [0.5]
      $0.type = .inverse
      $0.level = 0.5
      $0.ignoresZeros = true
    }
    let rows = try rows(
      Self.events + [ReportLog.conversion(0, "u0", "buy", nil)],
      [.revenue, .conversionValue, .conversionDelay], options)
    #expect(
      rows.map { [$0[1], $0[2], $0[5], $0[9], $0[10]] } == [
        ["a", "conversion-delay", "4", "10", "1"], ["a", "conversion-value", "5", "9", "0"],
        ["a", "revenue", "5", "9", "0"], ["b", "conversion-delay", "", "0", "0"],
        ["b", "conversion-value", "", "0", "0"], ["b", "revenue", "", "0", "0"],
      ])
  }

  @Test("values of several goals of a unit have no interval, which needs independent ones")
  func dependent() throws {
    let goals = (0..<10).flatMap { unit in
      (1...3).map { number in
        ReportLog.event(
          Int64(number) * 1_000_000, "u\(unit)",
          .goal(Goal(experiment: "e", goal: "g", value: Double(unit * 10 + number))))
      }
    }
    let options: (inout QuantileReport) -> Void = {
      $0.quantiles = [0.5]
    }
    let rows = try rows(Self.events + goals, [.goalValue, .goalDelay, .reward], options)
    let row = try #require(rows.first { $0[1] == "a" && $0[2] == "goal-value" })
    #expect(row[5] == "47" && row[6...8].allSatisfy(\.isEmpty) && row[9] == "30")
    #expect(row[11].hasPrefix("no interval: 20 of the values are further ones of a unit"))
    for name in ["goal-delay", "reward"] {
      let row = try #require(rows.first { $0[1] == "a" && $0[2] == name })
      #expect(!row[6].isEmpty && row[11].isEmpty)
    }
    let single = try self.rows(
      Self.events + goals.filter { $0.time == Timestamp(microseconds: 1_000_000) }, [.goalValue],
      options)
    #expect(single.first.map { !$0[6].isEmpty && $0[11].isEmpty } == true)
  }

  @Test("rewards and delays are of the goals of the experiment")
  func goals() throws {
    let options: (inout QuantileReport) -> Void = {
      $0.quantiles = [1]
    }
    let goal = ReportLog.event(3_000_000, "u1", .goal(Goal(experiment: "e", goal: "g", value: 7)))
    let rows = try rows(
      Self.events + [goal], [.revenue, .reward, .goalDelay, .goalValue], options)
    #expect(
      rows.filter { $0[1] == "a" }.map { [$0[2], $0[5]] } == [
        ["goal-delay", "3"], ["goal-value", "7"], ["revenue", "9"], ["reward", "7"],
      ])
  }

  @Test("an empty log has no rows")
  func empty() throws {
    #expect(try rows([]).isEmpty)
  }
}
