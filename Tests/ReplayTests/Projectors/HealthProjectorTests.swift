import Events
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import Replay

@Suite("Data quality by unit")
struct HealthProjectorTests {
  // MARK: Rules

  @Test("a unit is assigned to the variant of its first exposure at each point and slot")
  func firstExposure() throws {
    let health = try health([
      decision(5, "u", "b"), decision(1, "u", "a"), decision(2, "u", "c", slot: "s"),
      decision(3, "v", "a", status: .repeated), decision(1, "w", "a", status: .excluded),
      decision(1, "x", "a", status: .provisional),
    ])
    #expect(health.exposures["a"]?.units == 2)
    #expect(health.exposures["a"]?.crossed == 1)
    #expect(health.exposures["b"] == nil)
    #expect(health.exposures["c"]?.units == 1)
    #expect(health.exposures["c"]?.crossed == 0)
  }

  @Test("an event after a later one of its unit is late, by its distance to the latest")
  func late() throws {
    let units = try health([
      goal(5, "u", 1), goal(9, "u", 1), goal(7, "v", 1), goal(6, "u", 1), goal(2, "u", 1),
      event(1, "v", .decisionConfirmed(DecisionConfirmed(experiment: "e"))),
    ]).tallies.units
    #expect(units.lateEvents == 2)
    #expect(units.largestLateness == 7)
    #expect(units.events == 5)
  }

  @Test("lateness never overflows")
  func extremeLateness() throws {
    let (first, last) = (-62_135_596_800_000_000, 253_402_300_799_999_999) as (Int64, Int64)
    let units = try health([goal(last, "u", 1), goal(first, "u", 1)]).tallies.units
    #expect(units.largestLateness == last - first)
    #expect(units.mostEventsOfDay == 1)
  }

  @Test("a conversion at the time of the first exposure is no orphan, whatever its position")
  func orphanConversions() throws {
    let units = try health([
      conversion(2, "u"), conversion(3, "u"), decision(3, "u", "a"), conversion(3, "u"),
      conversion(4, "u"), conversion(4, "v"), decision(9, "w", "a", status: .excluded),
      conversion(9, "w"),
    ]).tallies.units
    #expect(units.orphanConversions == 3)
    #expect(units.conversions == 6)
    #expect(units.exposedUnits == 1)
  }

  @Test("duplicates are equal events at the same time, whatever their ids", arguments: [2, 30])
  func duplicates(copies: Int) throws {
    var same: [Event] = []
    for number in 0..<copies {
      var copy = goal(3, "u", 2)
      copy.id = EventID("id\(number)")
      same += [copy, decision(3, "u", "a", propensity: 0.5), conversion(3, "u", revenue: 1)]
    }
    let health = try health(
      same + [
        goal(4, "u", 2), goal(3, "u", 3), goal(3, "v", 2), goal(3, "u", 2, goal: "h"),
        decision(3, "u", "b", propensity: 0.5), decision(3, "u", "a", propensity: 0.25),
        conversion(3, "u", revenue: 1, negative: true), goal(3, "u", 2, experiment: "f"),
      ])
    #expect(health.ledger["e"]?["duplicateGoals"] == copies - 1)
    #expect(health.ledger["e"]?["duplicateDecisions"] == copies - 1)
    #expect(health.tallies.units.duplicateConversions == copies - 1)
    #expect(health.ledger["f"]?["duplicateGoals"] == 0)
  }

  @Test("prior activity counts from the start of the period before the first exposure")
  func prior() throws {
    let health = try health(
      [
        conversion(0, "u", revenue: 8), conversion(1, "u", revenue: 4), goal(2, "u", 7),
        conversion(10, "u", revenue: 2), conversion(11, "u", revenue: 1), decision(11, "u", "a"),
        decision(12, "v", "a"),
      ], before: 10)
    let tally = try #require(health.tallies.exposures.values.first)
    #expect(tally.priorConversions == Moments([2, 0]))
    #expect(tally.priorRevenue == Moments([6, 0]))
    #expect(tally.priorGoals == Moments([7, 0]))
  }

  @Test("a unit is busy if it has more events on one day than the threshold")
  func busy() throws {
    let day: Int64 = 86_400_000_000
    let units = try health(
      (0..<4).map { goal(-day + $0, "u", 1) } + (0..<6).map { goal($0 - 3, "v", 1) }, busy: 3
    ).tallies.units
    #expect(units.busyUnits == 1)
    #expect(units.mostEventsOfDay == 4)
  }

  @Test("exposures belong to the value of the dimension at the first one")
  func dimension() throws {
    let log = try WorldLog([
      decision(1, "u", "a", reason: "x"), decision(2, "u", "a", reason: "y"),
      decision(1, "v", "a"),
    ])
    var selection = UnitSelection()
    selection.dimension = .reason
    let tallies = try ReplayForm.all[1].replay(log).run(selection, units: HealthProjector())
    let units = tallies.exposures.map { ($0.key.value, $0.value.first.units) }
    #expect(Set(units.map(\.0)) == [.text("x"), .unknown])
    #expect(units.allSatisfy { $0.1 == 1 })
    // The dimension is no event.
    #expect(tallies.units.events == 3)
  }

  // MARK: Against a naive model

  @Test(
    "agrees with a naive model on random logs, on any number of threads and within any memory",
    arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = SmallWorld.crowd(10, &random, count: 40, step: 21_600_000_000)
    let before = Int64(random.index(4)) * 20_000_000_000
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let health = try health(events, form, before: before, busy: 3)
    let naive = NaiveHealth(events, before: before, busy: 3)
    #expect(health.units == naive.units, "seed \(seed), \(form)")
    for (experiment, counts) in naive.ledger {
      for (name, count) in counts {
        #expect(health.ledger[experiment]?[name] == count, "seed \(seed), \(experiment) \(name)")
      }
    }
    #expect(health.tallies.experiments.count == naive.ledger.count)
    #expect(health.byPlace.count == naive.exposures.count)
    for (place, exposures) in naive.exposures {
      let tally = try #require(health.byPlace[place], "seed \(seed)")
      #expect(tally.first.units == exposures.units && tally.first.crossedUnits == exposures.crossed)
      let known = exposures.propensities.compactMap(\.self)
      #expect(tally.first.unitsWithoutPropensity == exposures.units - known.count)
      var sums = PropensitySums()
      for propensity in known { sums.add(propensity) }
      #expect(tally.first.propensities == sums)
      let prior = (0..<3).map { index in Moments(exposures.prior.map { $0[index] }) }
      #expect(
        [tally.priorConversions, tally.priorRevenue, tally.priorGoals] == prior, "seed \(seed)")
    }
  }

  // MARK: Helpers

  private struct Named {
    var tallies: HealthTallies
    var byPlace: [NaiveHealth.Place: ExposureTally]
    var ledger: [String: [String: Int]]

    /// By variant, where each is in one place only.
    var exposures: [String: (units: Int, crossed: Int)] {
      var result: [String: (units: Int, crossed: Int)] = [:]
      for (place, tally) in byPlace {
        result[place.variant] = (tally.first.units, tally.first.crossedUnits)
      }
      return result
    }

    var units: [String: Int64] {
      let all = tallies.units
      return [
        "units": Int64(all.units), "events": Int64(all.events), "late": Int64(all.lateEvents),
        "lateness": all.largestLateness, "exposed": Int64(all.exposedUnits),
        "conversions": Int64(all.conversions), "orphans": Int64(all.orphanConversions),
        "duplicates": Int64(all.duplicateConversions), "busy": Int64(all.busyUnits),
        "most": Int64(all.mostEventsOfDay),
      ]
    }
  }

  private func health(
    _ events: [Event], _ form: ReplayForm = ReplayForm.all[0], before: Int64 = 100,
    busy: Int = 1_000
  ) throws -> Named {
    let log = try WorldLog(events, perFrame: form.perFrame)
    let tallies = try form.replay(log).run(
      UnitSelection(), units: HealthProjector(before: before, busyEvents: busy))
    var places: [NaiveHealth.Place: ExposureTally] = [:]
    for (segment, tally) in tallies.exposures {
      let place = NaiveHealth.Place(
        experiment: log.experiment(segment.arm.experiment), point: log.point(segment.arm.point),
        slot: log.slot(segment.arm.slot), variant: log.variant(segment.arm.variant))
      places[place] = tally
    }
    var ledgers: [String: [String: Int]] = [:]
    for (code, ledger) in tallies.experiments {
      ledgers[log.experiment(code)] = [
        "confirmed": ledger.confirmedDecisions, "provisional": ledger.unconfirmedDecisions,
        "repeated": ledger.repeatedDecisions, "excluded": ledger.excludedDecisions,
        "accepted": ledger.acceptedGoals, "refused": ledger.refusedGoals,
        "orphanGoals": ledger.orphanGoals, "duplicateGoals": ledger.duplicateGoals,
        "duplicateDecisions": ledger.duplicateDecisions,
      ]
    }
    return Named(tallies: tallies, byPlace: places, ledger: ledgers)
  }
}
