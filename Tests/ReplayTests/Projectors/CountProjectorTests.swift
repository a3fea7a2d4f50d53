import Events
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import Replay

@Suite("Counts and distinct units")
struct CountProjectorTests {
  private struct Counts: Equatable {
    var variants: [String: [Double]] = [:]
    var goals: [String: [Double]] = [:]
    var units: [String: Int] = [:]
  }

  @Test(
    "agree with a naive model on random logs, in every form of replay",
    arguments: LongTests.chunks(40, of: 150))
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = SmallWorld.events(&random, count: 200)
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    #expect(try counts(events, form) == naive(events), "seed \(seed), \(form)")
  }

  @Test("pairs of names beyond the size of the dense table are counted")
  func manyNames() throws {
    let events = (0..<400).map { index in
      decision(
        Int64(index), "u\(index % 7)", "v\(index % 200)",
        experiment: ExperimentID("e\(index % 199)"),
        propensity: 0.1 * Double(1 + index % 9))
    }
    for form in ReplayForm.all { #expect(try counts(events, form) == naive(events), "\(form)") }
  }

  @Test("with very many names, events without a variant count for none, whichever comes first")
  func manyNamesAndGoals() throws {
    let events = (0..<900).map { index in
      index % 3 == 2
        ? goal(Int64(index), "u\(index % 7)", 2)
        : decision(
          Int64(index), "u\(index % 7)", "v\(index % 200)",
          experiment: ExperimentID("e\(index % 199)"), propensity: 0.25)
    }
    for form in ReplayForm.all { #expect(try counts(events, form) == naive(events), "\(form)") }
  }

  @Test(
    "lost events count for nothing, with few distinct propensities and with many",
    arguments: [3, 900])
  func lostEvents(distinct: Int) throws {
    let events = (0..<900).map { index in
      index % 3 == 2
        ? goal(Int64(index), "u", Double(index), goal: GoalID("g\(index % 2)"))
        : decision(
          Int64(index), "u", "v\(index % 2)", propensity: 1 / Double(1 + index % distinct))
    }
    let log = try WorldLog(events, perFrame: 300)
    let projector = CountProjector(log.reader)
    var state = projector.makeState()
    try log.reader.forEachBatch(projector.columns) { batch in
      var batch = batch
      for row in stride(from: 0, to: batch.count, by: 5) { batch.hide(row: row) }
      projector.apply(batch, to: &state)
    }
    let expected = naive(events.enumerated().filter { $0.offset % 300 % 5 != 0 }.map(\.element))
    for (variant, tally) in projector.variants(of: state) {
      let name = log.experiment(variant.experiment) + "/" + log.variant(variant.variant)
      let numbers = [Double(tally.count), Double(tally.numbers), tally.sum.value]
      #expect(numbers == expected.variants[name])
    }
    for (goal, tally) in projector.goals(of: state) {
      #expect([Double(tally.count), tally.sum.value] == expected.goals[log.goal(goal)])
    }
    #expect(projector.variants(of: state).count == expected.variants.count)
    #expect(projector.goals(of: state).count == expected.goals.count)
  }

  @Test("decisions are counted by propensity where there are few distinct ones", arguments: 0..<200)
  func fewPropensities(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let distinct = (0..<1 + random.index(12)).map { _ in
      [0, 1, 0.1 * Double(1 + random.index(9)), 0x1p-1000, .leastNonzeroMagnitude][random.index(5)]
    }
    let (experiments, variants) = (1 + random.index(5), 1 + random.index(6))
    let (gaps, goals) = (Double(random.index(3)) / 4, Double(random.index(3)) / 4)
    let events = (0..<random.index(4_000)).map { index in
      random.chance(goals)
        ? goal(Int64(index), "u\(random.index(9))", 3)
        : decision(
          Int64(index), "u\(random.index(9))", "v\(random.index(variants))",
          experiment: ExperimentID("e\(random.index(experiments))"),
          propensity: random.chance(gaps) ? nil : distinct[random.index(distinct.count)])
    }
    let form = ReplayForm(perFrame: [5_000, 900][random.index(2)], jobs: 1 + random.index(3))
    #expect(try counts(events, form) == naive(events), "seed \(seed), \(form)")
  }

  @Test("a frame with few propensities for its events is counted by propensity, others are not")
  func countedByPropensity() throws {
    func areCounted(_ count: Int, of distinct: Int) throws -> [Bool] {
      let events = (0..<count).map { index in
        decision(Int64(index), "u", "v\(index % 3)", propensity: 1 / Double(1 + index % distinct))
      }
      let log = try WorldLog(events, perFrame: count).reader
      var counts = PropensityCounts(
        experiments: log.codeLimit(.experiments), variants: log.codeLimit(.variants))
      var result: [Bool] = []
      try log.forEachBatch([.experiment, .variant, .indexedPropensity]) { batch in
        result.append(counts.count(batch) { _, _, _ in })
      }
      return result
    }
    #expect(try areCounted(3_000, of: 5) == [true])
    #expect(try areCounted(20, of: 5) == [false])
    #expect(try areCounted(3_000, of: 2_000) == [false])
  }

  @Test(
    "sums are exact whatever the numbers: similar, far apart, tiny, huge, zero", arguments: 0..<120)
  func exactSums(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scale = [0, 8, 30, 300][random.index(4)]
    let numbers = (0..<1 + random.index(400)).map { _ in
      let exponent = scale == 0 ? 0 : random.index(2 * scale) - scale
      let number =
        Double(random.index(1 << 20)) / 64 * Double(sign: .plus, exponent: exponent, significand: 1)
      return random.chance(0.5) ? number : -number * 0.1
    }
    let events = numbers.enumerated().map { index, number in
      goal(Int64(index), "u", number, goal: GoalID("g\(index % 2)"))
    }
    let log = try WorldLog(events, perFrame: [1_000, 50][random.index(2)])
    let projector = CountProjector(log.reader)
    let state = try LogReplay(log.reader, jobs: 1 + random.index(3)).run(projector)
    let found = projector.goals(of: state)
    for (code, tally) in found {
      let own = numbers.enumerated().filter { "g\($0.offset % 2)" == log.goal(code) }.map(\.element)
      #expect(tally.sum == ExactSum(own), "seed \(seed)")
      #expect(tally.count == own.count)
    }
  }

  @Test("numbers are split only where neither part can be rounded", arguments: 0..<100)
  func cuts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let spread = 1 + random.index(60)
    let numbers = (0..<8 * (1 + random.index(100))).map { _ in
      Double(random.index(1 << 30))
        * Double(sign: .plus, exponent: -random.index(spread), significand: 1)
    }
    guard let cut = CodeSums.Cut(numbers)?.value else { return }
    // All in one sum: eight times as many as the lanes make of it are still allowed to be exact by the bound.
    let lane = numbers.enumerated().filter { $0.offset % 8 == 0 }.map(\.element)
    var (upper, lower) = (0.0, 0.0)
    for number in lane {
      let high = (number + cut) - cut
      upper += high
      lower += number - high
    }
    #expect(ExactSum([upper, lower]) == ExactSum(lane), "seed \(seed)")
  }

  private func counts(_ events: [Event], _ form: ReplayForm) throws -> Counts {
    let log = try WorldLog(events, perFrame: form.perFrame)
    let (counts, units) = (CountProjector(log.reader), DistinctUnitProjector(log.reader))
    let counted = try form.replay(log).run(counts)
    let seen = try form.replay(log).run(units)
    func name(_ variant: CountProjector.Variant) -> String {
      log.experiment(variant.experiment) + "/" + log.variant(variant.variant)
    }
    var result = Counts()
    for (variant, tally) in counts.variants(of: counted) {
      result.variants[name(variant)] = [
        Double(tally.count), Double(tally.numbers), tally.sum.value,
      ]
    }
    for (goal, tally) in counts.goals(of: counted) {
      result.goals[log.goal(goal)] = [Double(tally.count), tally.sum.value]
    }
    for (variant, count) in units.counts(of: seen) { result.units[name(variant)] = count }
    return result
  }

  private func naive(_ events: [Event]) -> Counts {
    var decisions: [String: [Double?]] = [:]
    var values: [String: [Double]] = [:]
    var units: [String: Set<String>] = [:]
    for event in events {
      switch event.payload {
      case .decision(let decision):
        let name = decision.experiment.rawValue + "/" + decision.variant.rawValue
        decisions[name, default: []].append(decision.propensity)
        units[name, default: []].insert(event.unit.rawValue)
      case .goal(let goal):
        if let value = goal.value { values[goal.goal.rawValue, default: []].append(value) }
      default: break
      }
    }
    return Counts(
      variants: decisions.mapValues { numbers in
        let known = numbers.compactMap { $0 }
        return [Double(numbers.count), Double(known.count), ExactSum(known).value]
      }, goals: values.mapValues { [Double($0.count), ExactSum($0).value] },
      units: units.mapValues(\.count))
  }
}
