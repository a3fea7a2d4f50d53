import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Replay

@Suite("Series")
struct SeriesProjectorTests {
  private static let day: Int64 = 86_400_000_000

  // MARK: Rules

  @Test("decisions belong to their day, goals to the day of the goal")
  func days() throws {
    let day = Self.day
    let series = try series([
      decision(0, "u", "a", propensity: 0.25), decision(1, "u", "a"), decision(day, "u", "a"),
      decision(1, "v", "a", propensity: 0.5), goal(2 * day, "u", 3), goal(day - 1, "u", 1),
      goal(day - 1, "u", 1),
    ])
    let days = try #require(series["a"])
    #expect(days.keys.sorted() == [0, 1, 2])
    #expect(days[0].map(Row.init) == Row(3, new: 2, active: 2, rewards: 2, sum: 2, known: 2))
    #expect(days[0]?.propensitySum.value == 0.75)
    #expect(days[1].map(Row.init) == Row(1, new: 0, active: 1, rewards: 0, sum: 0, known: 0))
    #expect(days[2].map(Row.init) == Row(0, new: 0, active: 0, rewards: 1, sum: 3, known: 0))
  }

  @Test("rewards of decisions are cumulative")
  func growth() throws {
    let day = Self.day
    let series = try series([
      decision(0, "u", "a"), goal(1, "u", 1), goal(day, "u", 2), goal(3 * day, "u", 0.5),
      decision(day, "v", "a"),
    ])
    let days = try #require(series["a"])
    #expect(Self.upTo(0, days) == Moments([1]))
    #expect(Self.upTo(1, days) == Moments([3, 0]))
    #expect(Self.upTo(2, days) == Moments([3, 0]))
    #expect(Self.upTo(3, days) == Moments([3.5, 0]))
    #expect(days.mapValues(\.rewardsOfDecisions.count) == [0: 1, 1: 1, 3: 0])
    #expect(days[0]?.rewardsOfDecisions == Moments([3.5]))
  }

  @Test("by exposure everything belongs to the day of the unit's first exposure to the variant")
  func cohorts() throws {
    let day = Self.day
    let series = try series(
      [
        decision(0, "u", "a"), decision(2 * day, "u", "a"), goal(5 * day, "u", 3),
        decision(2 * day, "u", "b"), decision(3 * day, "v", "a"),
      ], SeriesProjector(basis: .exposure))
    #expect(
      series["a"]?.mapValues(Row.init) == [
        0: Row(2, new: 1, active: 1, rewards: 0, sum: 0, known: 0),
        3: Row(1, new: 1, active: 1, rewards: 0, sum: 0, known: 0),
      ])
    #expect(
      series["b"]?.mapValues(Row.init) == [
        2: Row(1, new: 1, active: 1, rewards: 1, sum: 3, known: 0)
      ])
  }

  @Test("a series with very many goals for one decision is fast")
  func manyGoals() throws {
    let goals = (0..<3_000).map { goal(Int64($0) * 3_600_000_000, "u", 0.5) }
    let series = try series([decision(0, "u", "a")] + goals, SeriesProjector(period: .hour))
    let hours = try #require(series["a"])
    #expect(hours.count == 3_000)
    #expect(Self.upTo(2_999, hours) == Moments([1_500]))
  }

  @Test("days are those of the calendar, and a day that it does not have has none")
  func calendars() throws {
    let zone = try ZoneDatabase.calendar("Pacific/Apia")
    let (before, after) = (
      try #require(zone.start(ofDate: "2011-12-29")).microseconds,
      try #require(zone.start(ofDate: "2011-12-31")).microseconds
    )
    let series = try series(
      [decision(before, "u", "a"), decision(after - 1, "v", "a"), goal(after, "u", 1)],
      SeriesProjector(calendar: zone))
    let days = try #require(series["a"])
    #expect(days.keys.sorted().map { Period.day.text($0) } == ["2011-12-29", "2011-12-31"])
    #expect(days.keys.min().map { Period.day.exists($0 + 1, in: zone) } == false)
  }

  // MARK: Against rewards

  @Test("all periods together equal the rewards, whatever the attribution", arguments: 0..<300)
  func rewards(seed: UInt64) throws {
    var random = SeededGenerator(seed: 5_000 + seed)
    let events = SmallWorld.events(&random)
    let attribution = Attribution(
      window: random.chance(0.5) ? Int64(random.index(6)) : nil,
      delay: random.chance(0.5) ? Int64(random.index(4)) : 0,
      counting: random.chance(0.3) ? .once : .every, limit: random.chance(0.3) ? 2 : nil,
      minimum: random.chance(0.3) ? 1 : nil, maximum: random.chance(0.3) ? 3 : nil,
      end: random.chance(0.3) ? Timestamp(microseconds: 8) : nil,
      excludesInProgress: random.chance(0.5))
    let form = ReplayForm.all[seed % 4 == 0 ? Int(seed / 4) % ReplayForm.all.count : 0]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let (rewards, series, cohorts) = try form.replay(log).run(
      UnitSelection(), units: RewardProjector(attribution),
      SeriesProjector(attribution, period: .hour),
      SeriesProjector(attribution, basis: .exposure))
    for tallies in [series, cohorts] {
      #expect(tallies.ledger == rewards.ledger, "seed \(5_000 + seed), \(form)")
      #expect(Set(tallies.segments.keys) == Set(rewards.segments.keys))
      for (segment, tally) in rewards.segments {
        let all = (tallies.segments[segment] ?? [:]).values.reduce(into: SeriesTally()) {
          $0.merge($1)
        }
        #expect(all.rewardsOfDecisions == tally.perDecision)
        #expect(all.perDecision == tally.perDecision, "seed \(5_000 + seed), \(form)")
        #expect(all.rewardSum == tally.total)
        #expect(all.rewards == tally.rewards)
        #expect([all.decisions, all.newUnits] == [tally.decisions, tally.units])
      }
    }
  }

  // MARK: Helpers

  struct Row: Equatable {
    var decisions: Int
    var new: Int
    var active: Int
    var rewards: Int
    var sum: Double
    var known: Int

    init(_ decisions: Int, new: Int, active: Int, rewards: Int, sum: Double, known: Int) {
      (self.decisions, self.new, self.active) = (decisions, new, active)
      (self.rewards, self.sum, self.known) = (rewards, sum, known)
    }

    init(_ tally: SeriesTally) {
      self.init(
        tally.decisions, new: tally.newUnits, active: tally.activeUnits, rewards: tally.rewards,
        sum: tally.rewardSum.value, known: tally.decisionsWithPropensity)
    }
  }

  static func upTo(_ period: Int64, _ periods: [Int64: SeriesTally]) -> Moments {
    periods.filter { $0.key <= period }.values.reduce(into: Moments()) { $0.merge($1.perDecision) }
  }

  private func series(_ events: [Event], _ projector: SeriesProjector = SeriesProjector()) throws
    -> [String: [Int64: SeriesTally]]
  {
    let log = try WorldLog(events)
    let tallies = try LogReplay(log.reader).run(UnitSelection(), units: projector)
    return Dictionary(
      uniqueKeysWithValues: log.named(tallies.segments).map { ($0.variant, $1) })
  }
}

/// A series by the words of its definition: decisions that count, and for each the goals that it is the latest for.
struct NaiveSeries {
  private struct Counted {
    var unit: String
    var arm: ArmName
    var period: Int64
    var joined: Int64
    var hasPropensity: Bool
    var goals: [(period: Int64, value: Double)] = []
  }

  private var counted: [Counted] = []
  private let basis: SeriesProjector.Basis

  init(_ events: [Event], _ projector: SeriesProjector) {
    basis = projector.basis
    for (unit, history) in NaiveHistories.of(events) {
      var own: [Counted] = []
      for event in history {
        let period = projector.period.index(of: event.time)
        if let arm = event.arm, case .decision(let decision) = event.payload {
          let joined = own.first { $0.arm == arm }?.joined ?? period
          own.append(
            Counted(
              unit: unit, arm: arm, period: period, joined: joined,
              hasPropensity: decision.propensity != nil))
        }
        for place in Set(own.map(\.arm.place)) {
          guard let goal = event.goal(of: place.experiment),
            let latest = own.lastIndex(where: { $0.arm.place == place })
          else { continue }
          own[latest].goals.append((period, goal.value))
        }
      }
      counted += own
    }
  }

  private func period(_ decision: Counted, _ own: Int64) -> Int64 {
    basis == .event ? own : decision.joined
  }

  var rows: [ArmName: [Int64: SeriesProjectorTests.Row]] {
    Dictionary(grouping: counted, by: \.arm).mapValues { decisions in
      let periods = Set(
        decisions.flatMap { decision in
          ([decision.period] + decision.goals.map(\.period)).map { period(decision, $0) }
        })
      return Dictionary(
        uniqueKeysWithValues: periods.map { now in
          let made = decisions.filter { period($0, $0.period) == now }
          let goals = decisions.flatMap { decision in
            decision.goals.filter { period(decision, $0.period) == now }
          }
          return (
            now,
            SeriesProjectorTests.Row(
              made.count, new: Set(decisions.filter { $0.joined == now }.map(\.unit)).count,
              active: Set(made.map(\.unit)).count, rewards: goals.count,
              sum: goals.reduce(0) { $0 + $1.value }, known: made.count(where: \.hasPropensity))
          )
        })
    }
  }

  func perDecision(_ arm: ArmName, upTo now: Int64) -> Moments {
    Moments(
      counted.filter { $0.arm == arm && period($0, $0.period) <= now }.map { decision in
        decision.goals.filter { period(decision, $0.period) <= now }.reduce(0) { $0 + $1.value }
      })
  }
}
