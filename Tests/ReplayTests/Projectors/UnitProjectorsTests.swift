import EventLog
import Events
import TestSupport
import Testing

@testable import Replay

/// Projectors that follow units through time, each against its naive model, all in one reading of the log.
@Suite("Unit projectors together")
struct UnitProjectorsTests {
  private static let day: Int64 = 86_400_000_000

  private struct Projectors {
    var series: SeriesProjector
    var visits: VisitProjector
    var funnel: FunnelProjector
    var retention: RetentionProjector
    var stepNames: [String]
  }

  @Test("agree with naive models on random logs", arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let step = random.pick([1, Self.day / 4, Self.day / 2], or: 1)
    let events = SmallWorld.events(&random, times: 12 + random.index(20), step: step)
    // Many small frames take time to write: a part of the logs is enough for them.
    let form = ReplayForm.all[seed % 4 == 0 ? Int(seed / 4) % ReplayForm.all.count : 0]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let all = projectors(log, step, &random)
    let (series, visits, funnel, retention) = try form.replay(log).run(
      UnitSelection(), units: all.series, all.visits, all.funnel, all.retention)

    let naive = NaiveSeries(events, all.series)
    let named = log.named(series.segments)
    #expect(
      named.mapValues { $0.mapValues(SeriesProjectorTests.Row.init) } == naive.rows,
      "series, seed \(seed), \(form)")
    for (arm, periods) in named {
      for period in periods.keys {
        let upTo = SeriesProjectorTests.upTo(period, periods)
        #expect(upTo == naive.perDecision(arm, upTo: period), "series, seed \(seed), \(form)")
      }
    }
    let naiveVisits = VisitProjectorTests.naive(events, all.visits)
    #expect(visits.overall == naiveVisits.overall, "visits, seed \(seed), \(form)")
    #expect(
      log.named(visits.segments) == naiveVisits.variants, "visits, seed \(seed), \(form)")
    #expect(
      log.named(funnel.segments)
        == FunnelProjectorTests.naive(events, all.stepNames, all.funnel),
      "funnel, seed \(seed), \(form)")
    #expect(
      log.named(retention.segments) == RetentionProjectorTests.naive(events, all.retention),
      "retention, seed \(seed), \(form)")
  }

  @Test("give the same results alone and together, in every form of replay", arguments: 0..<20)
  func alone(seed: UInt64) throws {
    var random = SeededGenerator(seed: 9_000 + seed)
    let events = SmallWorld.events(&random, times: 30, step: Self.day / 2)
    for form in ReplayForm.all {
      let log = try WorldLog(events, perFrame: form.perFrame)
      var draws = random
      let all = projectors(log, Self.day / 2, &draws)
      let replay = form.replay(log)
      let (series, visits, funnel, retention) = try replay.run(
        UnitSelection(), units: all.series, all.visits, all.funnel, all.retention)
      let place: Comment = "seed \(9_000 + seed), \(form)"
      #expect(try replay.run(UnitSelection(), units: all.series) == series, place)
      #expect(try replay.run(UnitSelection(), units: all.visits) == visits, place)
      #expect(try replay.run(UnitSelection(), units: all.funnel) == funnel, place)
      #expect(try replay.run(UnitSelection(), units: all.retention) == retention, place)
    }
  }

  private func projectors(
    _ log: WorldLog, _ step: Int64, _ random: inout SeededGenerator
  ) -> Projectors {
    let names = Array(["g", "h", "c", "d"].shuffled(using: &random).prefix(1 + random.index(3)))
    let crossing: Attribution.Crossing = random.chance(0.5) ? .drop : .first
    return Projectors(
      series: SeriesProjector(
        period: random.pick(Period.allCases, or: .day),
        basis: random.chance(0.7) ? .event : .exposure),
      visits: VisitProjector(inactivity: Int64(random.index(5)) * step, crossing: crossing),
      funnel: FunnelProjector(
        steps: names.map { log.names.code(of: $0, in: .goals) },
        window: random.chance(0.5) ? Int64(random.index(6)) * step : nil,
        order: random.pick(FunnelProjector.Order.allCases, or: .any), crossing: crossing),
      retention: RetentionProjector(
        days: [0, 1, 2, 4],
        signal: random.pick(RetentionProjector.Signal.allCases, or: .any),
        windowDays: 1 + random.index(2),
        end: random.chance(0.3) ? Int64(random.index(12)) * step : nil, crossing: crossing),
      stepNames: names)
  }
}
