import EventLog
import Events
import Statistics
import TestSupport
import Testing

@testable import Replay

@Suite("Values of units for quantiles")
struct QuantileProjectorTests {
  @Test("zeros are counted, and ranked between negative and positive values")
  func multiset() {
    let values = ValueMultiset([3, -1, 0, 2, -0.0, .nan], zeros: 1)
    #expect(Array(values) == [-1, 0, 0, 0, 2, 3])
    #expect(values.zeros == 3)
    #expect(Array(values.withoutZeros) == [-1, 2, 3])
    #expect(ValueMultiset([], zeros: 2).count == 2)
    #expect(ValueMultiset([], zeros: -1).isEmpty)
    #expect(QuantileType.linear.quantile(0.5, of: ValueMultiset([1, 2, 3], zeros: 2)) == 1)
  }

  @Test(
    "the value of a unit is the sum of its conversions, 0 without any; it has a delay only with one"
  )
  func measures() throws {
    let log = try WorldLog([
      decision(1_000_000, "u", "a"), decision(1, "v", "a"), conversion(3_500_000, "u", revenue: 2),
      conversion(4_000_000, "u", goal: "d", revenue: 3), conversion(4_000_000, "u"),
      conversion(0, "v", revenue: 5),
    ])
    let projector = QuantileProjector(measures: Set(QuantileMeasure.allCases))
    let values = try LogReplay(log.reader, jobs: 1).run(UnitSelection(), units: projector)
    let segment = try #require(values.segments.values.first)
    #expect(segment.units == 2)
    #expect(segment.measures[.unitValue].map(Array.init) == [0, 5])
    #expect(segment.measures[.signalValue].map(Array.init) == [0, 2, 3])
    #expect(segment.measures[.delay].map(Array.init) == [2.5])
    #expect(values.ledger[.beforeExposure] == 1)
  }

  @Test("only the requested goals are read")
  func chosenGoals() throws {
    let log = try WorldLog([
      decision(1, "u", "a"), conversion(2, "u", goal: "c", revenue: 2),
      conversion(3, "u", goal: "d", revenue: 3),
    ])
    let code = try #require(log.names.code(of: "d", in: .goals))
    let values = try LogReplay(log.reader, jobs: 1).run(
      UnitSelection(), units: QuantileProjector(goals: [code]))
    #expect(values.segments.values.first?.measures[.unitValue].map(Array.init) == [3])
    #expect(values.ledger[.counted] == 1)
  }

  @Test("agrees with a naive model on random worlds", arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: 20_000 + seed)
    let events = SmallWorld.worlds(
      10, &random, step: random.chance(0.5) ? 1 : 86_400_000_000)
    let attribution = SmallWorld.attribution(&random)
    let source: ConversionSource = random.chance(0.6) ? .conversions : .goals
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: 10 * form.perFrame)
    let tallies = try form.replay(log).run(
      UnitSelection(),
      units: QuantileProjector(
        attribution, of: source, measures: Set(QuantileMeasure.allCases)))
    var values: [[String]: [QuantileMeasure: [Double]]] = [:]
    var repeated: [[String]: Int] = [:]
    for (segment, kept) in tallies.segments {
      let key = [log.experiment(segment.experiment), log.variant(segment.variant)]
      values[key] = kept.measures.mapValues(Array.init)
      repeated[key] = kept.repeated
    }
    let naive = Self.naive(events, attribution, source)
    #expect(values == naive.values, "seed \(20_000 + seed), \(form)")
    #expect(repeated == naive.repeated, "seed \(20_000 + seed), \(form)")
  }

  @Test("a negative conversion, marked or below zero, is no conversion to wait for")
  func negativeDelay() throws {
    let log = try WorldLog([
      decision(0, "u", "a"), conversion(1_000_000, "u", revenue: -1),
      conversion(2_000_000, "u", revenue: 1, negative: true), conversion(3_000_000, "u"),
      decision(0, "v", "a"), conversion(1_000_000, "v", revenue: -1),
    ])
    let values = try LogReplay(log.reader, jobs: 1).run(
      UnitSelection(), units: QuantileProjector(measures: Set(QuantileMeasure.allCases)))
    let segment = try #require(values.segments.values.first)
    #expect(segment.measures[.delay].map(Array.init) == [3])
    #expect(segment.measures[.unitValue].map(Array.init) == [-2, -1])
    #expect(segment.repeated == 2)
  }

  private static func naive(
    _ events: [Event], _ attribution: Attribution, _ source: ConversionSource
  ) -> (values: [[String]: [QuantileMeasure: [Double]]], repeated: [[String]: Int]) {
    let world = NaiveUnits(events)
    var values: [[String]: [QuantileMeasure: [Double]]] = [:]
    var repeated: [[String]: Int] = [:]
    for exposure in world.exposures {
      let key = [exposure.experiment, exposure.variant]
      values[key] = [.unitValue: [], .signalValue: [], .delay: []]
      repeated[key] = 0
    }
    for experiment in Set(world.exposures.map(\.experiment)) {
      for (unit, variants) in world.assigned(experiment, attribution) {
        let all = world.counted(
          source, unit: unit, experiment: experiment, variants: variants, attribution)
        for (variant, times) in variants {
          let counted = all[variant] ?? []
          let key = [experiment, variant]
          values[key]?[.unitValue]?.append(counted.reduce(0) { $0 + $1.value })
          values[key]?[.signalValue]? += counted.map(\.value)
          repeated[key, default: 0] += max(0, counted.count - 1)
          let first = counted.filter { !$0.isNegative }.map(\.time).min()
          values[key]?[.delay]? += first.map { [Double($0 - (times.min() ?? 0)) / 1e6] } ?? []
        }
      }
    }
    return (values.mapValues { $0.mapValues { $0.sorted() } }, repeated)
  }
}
