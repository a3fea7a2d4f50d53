import EventLog
import Events
import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("Reports of the parts of a log equal those of the whole, byte for byte")
struct PartialReportTests {
  /// The number of shards and the seed of the log.
  static let cases = [(1, 1), (2, 2), (3, 3), (7, 4), (64, 5)].map { ($0.0, UInt64($0.1)) }

  private func expectSame(
    _ report: some Report, _ parts: LogParts, by dimension: Dimension? = nil,
    dataEnd: Int64? = nil
  ) throws {
    let whole = try parts.table(report, by: dimension)
    let merged = try parts.merged(report, by: dimension, dataEnd: dataEnd)
    for format in [TableFormat.csv, .json] {
      let texts = [whole, merged].map {
        String(decoding: Tables.write($0, as: format, options: TableOptions()), as: UTF8.self)
      }
      #expect(texts[0].utf8.elementsEqual(texts[1].utf8), "\(type(of: report).name) \(texts)")
    }
    #expect(!whole.rows.isEmpty)
  }

  private func end(of parts: LogParts) -> Int64? { parts.whole.latest?.microseconds }

  @Test("rewards, conversions, series and visits", arguments: cases)
  func sums(count: Int, seed: UInt64) throws {
    let parts = try LogParts(LogParts.events(seed: seed), into: count)
    try expectSame(RewardReport(), parts)
    try expectSame(RewardReport { $0.per = .unit }, parts, by: .policy)
    try expectSame(RewardReport { $0.attribution = Attribution(rule: .linear) }, parts, by: .day)
    try expectSame(ConversionReport(), parts)
    try expectSame(ConversionReport(), parts, by: .context("country"))
    try expectSame(SeriesReport { $0.period = .week }, parts)
    try expectSame(VisitReport(), parts)
  }

  @Test("quantiles, funnels and retention", arguments: cases)
  func lists(count: Int, seed: UInt64) throws {
    let parts = try LogParts(LogParts.events(seed: seed), into: count)
    try expectSame(QuantileReport(), parts)
    try expectSame(QuantileReport { $0.metrics = QuantileReport.Metric.allCases }, parts)
    let end = end(of: parts)
    for order in FunnelProjector.Order.allCases {
      try expectSame(
        FunnelReport {
          $0.steps = ["g0", "c1"]
          $0.window = 3_600_000_000
          $0.order = order
        }, parts, dataEnd: end)
    }
    try expectSame(RetentionReport { $0.days = [0, 1] }, parts, by: .reason, dataEnd: end)
  }

  @Test("rewards, series and regret of a metric, also of a goal that a part does not have", arguments: cases)
  func metrics(count: Int, seed: UInt64) throws {
    let parts = try LogParts(LogParts.events(seed: seed), into: count)
    for text in ["revenue", "converted", "goals:goal=g0", "revenue:goal=c1"] {
      var attribution = Attribution(window: 3_600_000_000)
      attribution.metric = try RewardMetric(parsing: text)
      try expectSame(RewardReport { $0.attribution = attribution }, parts, by: .policy)
      try expectSame(SeriesReport { $0.attribution = attribution }, parts)
      try expectSame(RegretReport { $0.rules.attribution = attribution }, parts)
    }
  }

  @Test("compare by every method, health and power", arguments: cases)
  func comparisons(count: Int, seed: UInt64) throws {
    let parts = try LogParts(LogParts.events(seed: seed), into: count)
    for method in ComparisonMethod.allCases {
      var plan = ComparisonPlan()
      plan.method = method
      if method == .msprt { plan.mixingVariance = 2 }
      if method == .groupSequential {
        plan.looks = ComparisonPlan.Looks(
          count: 3, look: 2, spending: .obrienFleming)
      }
      try expectSame(ComparisonReport { $0.plan = plan }, parts)
    }
    try expectSame(HealthReport(), parts)
    try expectSame(PowerReport(), parts)
  }

  @Test("a partial depends on the events alone, not on their order across units")
  func sameBytes() throws {
    let events = LogParts.events(seed: 9)
    // Stable by unit: each unit's events keep their order.
    let byUnit = Dictionary(grouping: events.indices, by: { events[$0].unit })
    let order = byUnit.values.sorted { $0.count == $1.count ? $0[0] < $1[0] : $0.count < $1.count }
    let shuffled = order.flatMap { $0.map { events[$0] } }
    let parts = try [events, shuffled].map { try LogParts($0, into: 1) }
    #expect(events != shuffled)
    for dimension in [nil, Dimension.policy, .context("country")] {
      let bytes = try parts.map { try $0.partial(RewardReport(), 0, by: dimension) }
      #expect(bytes[0] == bytes[1])
      let metrics = try parts.map { try $0.partial(ComparisonReport(), 0, by: dimension) }
      #expect(metrics[0] == metrics[1])
    }
  }
}
