import Events
import Statistics
import TestSupport
import Testing

@testable import Replay

@Suite("Conversions against a naive model")
struct ConversionTwinTests {
  struct Key: Hashable {
    var experiment: String
    var variant: String
    var goal: String
  }

  struct Row: Equatable {
    var units = 0
    var converters = 0
    var conversions = 0
    var revenue = 0.0
    /// The revenue of each unit, ascending, as moments.
    var perUnit = Moments()
  }

  @Test(
    "agrees with a naive model on random worlds, on any number of threads and within any memory",
    arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = SmallWorld.worlds(10, &random)
    let attribution = SmallWorld.attribution(&random)
    let source: ConversionSource = random.chance(0.7) ? .conversions : .goals
    let capping = [
      nil, nil, Capping.absolute(3), .percentile(0.8, ignoringZeros: false),
      .percentile(0.7, ignoringZeros: true),
    ][random.index(5)]
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: 10 * form.perFrame)
    let tallies = try form.replay(log).run(
      UnitSelection(), units: ConversionProjector(attribution, of: source, capping: capping))
    #expect(
      Self.rows(tallies, log) == Self.naiveRows(events, attribution, source, capping),
      "seed \(seed), \(form), \(attribution), \(source), \(String(describing: capping))")
    let ledger = tallies.ledger
    let fates = [
      ledger[.counted], ledger[.beyondLimit], ledger[.outOfBounds], ledger[.outsideWindow],
      ledger[.beforeExposure], ledger[.ofUnitLeftOut], ledger[.ofUnitNeverExposed],
    ]
    #expect(fates.reduce(0, +) == NaiveUnits(events).signals(source).count, "seed \(seed)")
  }

  @Test("every form of replay gives the same tallies", arguments: 0..<10)
  func forms(seed: UInt64) throws {
    var random = SeededGenerator(seed: 5_000 + seed)
    let events = SmallWorld.events(&random, count: 150)
    let attribution = SmallWorld.attribution(&random)
    let tallies = try ReplayForm.all.map { form in
      let log = try WorldLog(events, perFrame: form.perFrame)
      var selection = UnitSelection()
      selection.dimension = .policy
      return try form.replay(log).run(
        selection,
        units: ConversionProjector(attribution, capping: .percentile(0.9, ignoringZeros: true)))
    }
    for other in tallies.dropFirst() { #expect(other == tallies[0], "seed \(5_000 + seed)") }
  }

  @Test("sharing a replay with other projectors changes nothing", arguments: 0..<20)
  func shared(seed: UInt64) throws {
    var random = SeededGenerator(seed: 7_000 + seed)
    let log = try WorldLog(SmallWorld.worlds(3, &random), perFrame: 20)
    let replay = LogReplay(log.reader, jobs: 3)
    let ofConversions = ConversionProjector(SmallWorld.attribution(&random))
    let ofGoals = ConversionProjector(SmallWorld.attribution(&random), of: .goals)
    let values = QuantileProjector(measures: Set(QuantileMeasure.allCases))
    let together = try replay.run(
      UnitSelection(), units: ofConversions, ofGoals, values, RewardProjector())
    #expect(try replay.run(UnitSelection(), units: ofConversions) == together.0, "seed \(seed)")
    #expect(try replay.run(UnitSelection(), units: ofGoals) == together.1, "seed \(seed)")
    #expect(try replay.run(UnitSelection(), units: values) == together.2, "seed \(seed)")
  }

  private static func rows(_ tallies: ConversionTallies, _ log: WorldLog) -> [Key: Row] {
    var rows: [Key: Row] = [:]
    for segment in tallies.units.keys {
      for goal in tallies.goals(of: segment.experiment) {
        let tally = tallies.tally(segment, goal: goal)
        let key = Key(
          experiment: log.experiment(segment.experiment), variant: log.variant(segment.variant),
          goal: log.goal(goal))
        rows[key] = Row(
          units: tally.units, converters: tally.converters, conversions: tally.conversions,
          revenue: tally.revenue, perUnit: tally.perUnit)
      }
    }
    return rows
  }

  private static func naiveRows(
    _ events: [Event], _ attribution: Attribution, _ source: ConversionSource, _ capping: Capping?
  ) -> [Key: Row] {
    let world = NaiveUnits(events)
    var rows: [Key: Row] = [:]
    for experiment in Set(world.exposures.map(\.experiment)) {
      let assigned = world.assigned(experiment, attribution)
      let variants = Set(world.exposures.filter { $0.experiment == experiment }.map(\.variant))
      let counted = assigned.map { unit, variants in
        world.counted(
          source, unit: unit, experiment: experiment, variants: variants, attribution)
      }
      for goal in world.goals(source, of: experiment) {
        let key = { Key(experiment: experiment, variant: $0, goal: goal) }
        for variant in variants { rows[key(variant)] = Row() }
        var revenues: [(variant: String, revenue: Double)] = []
        for (variant, all) in counted.joined() {
          let own = all.filter { $0.place == goal }
          rows[key(variant)]?.units += 1
          rows[key(variant)]?.converters += own.contains { !$0.isNegative } ? 1 : 0
          rows[key(variant)]?.conversions += own.count
          revenues.append((variant, own.reduce(0) { $0 + $1.value }))
        }
        let capped = capping?.capped(revenues.map(\.revenue)) ?? revenues.map(\.revenue)
        for (place, revenue) in zip(revenues, capped) {
          rows[key(place.variant)]?.perUnit.add(revenue)
        }
        // Exact, since dictionaries have no order in which to add.
        for variant in variants {
          let sum = rows[key(variant)]?.perUnit.sum ?? 0
          rows[key(variant)]?.revenue = sum
        }
      }
    }
    return rows
  }
}
