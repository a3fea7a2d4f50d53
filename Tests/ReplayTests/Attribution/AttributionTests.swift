import Events
import TestSupport
import Testing

@testable import Replay

@Suite("Attribution")
struct AttributionTests {
  /// The fixture R37: exposures and conversions of six units; variants are 0 (A) and 1 (B).
  private static let exposures: [String: [Exposure]] = [
    "u1": [Exposure(time: 0, variant: 0), Exposure(time: 50, variant: 0)],
    "u2": [Exposure(time: 10, variant: 1)],
    "u3": [Exposure(time: 20, variant: 0), Exposure(time: 30, variant: 1)],
    "u4": [Exposure(time: 40, variant: 1)], "u5": [Exposure(time: 100, variant: 0)],
  ]
  private static let conversions: [String: [GoalSignal]] = [
    "u1": [
      GoalSignal(time: -5, value: 9), GoalSignal(time: 5, value: 10),
      GoalSignal(time: 90, value: 3),
    ],
    "u2": [GoalSignal(time: 10, value: 7), GoalSignal(time: 75, value: 1)],
    "u3": [GoalSignal(time: 25, value: 4)], "u4": [GoalSignal(time: 200, value: 8)],
    "u6": [GoalSignal(time: 1, value: 99)], "u5": [GoalSignal(time: 160, value: 6)],
  ]

  private static let end = Timestamp(microseconds: 150)

  @Test(
    "R37: users, converters, sum and sum of squares by rule",
    arguments: [
      ("no window", Attribution(), nil, [2, 2, 19, 205], [2, 2, 16, 128]),
      ("window 60", Attribution(window: 60), nil, [2, 2, 16, 136], [2, 1, 7, 49]),
      (
        "window 60, multi kept at first arm", Attribution(window: 60, crossing: .first), nil,
        [3, 3, 20, 152], [2, 1, 7, 49]
      ),
      (
        "window 60, end 150, in-progress excluded",
        Attribution(window: 60, end: end, excludesInProgress: true), nil, [1, 1, 10, 100],
        [2, 1, 7, 49]
      ),
      (
        "window 60, cap 8", Attribution(window: 60), .absolute(8), [2, 2, 14, 100], [2, 1, 7, 49]
      ),
      ("no window, end 150", Attribution(end: end), nil, [2, 1, 13, 169], [2, 1, 8, 64]),
      (
        "window 60, delay 5", Attribution(window: 60, delay: 5), nil, [2, 2, 16, 136], [2, 1, 1, 1]
      ),
    ] as [(String, Attribution, Capping?, [Double], [Double])])
  func fixture(
    name: String, attribution: Attribution, cap: Capping?, a: [Double], b: [Double]
  ) {
    for (variant, expected) in [a, b].enumerated() {
      var sums: [Double] = []
      for (unit, exposures) in Self.exposures.sorted(by: { $0.key < $1.key }) {
        guard case .assigned(UInt32(variant), let since) = attribution.assignment(of: exposures)
        else { continue }
        let goals = Self.conversions[unit] ?? []
        sums.append(
          attribution.counted(goals, since: since).reduce(0) { $0 + goals[$1].value })
      }
      let values = cap?.capped(sums) ?? sums
      let result = [
        Double(values.count), Double(values.filter { $0 > 0 }.count), values.reduce(0, +),
        values.reduce(0) { $0 + $1 * $1 },
      ]
      #expect(result == expected, "\(name), variant \(variant)")
    }
  }

  /// The definition, exposure by exposure and goal by goal.
  private func naive(
    _ attribution: Attribution, _ goals: [GoalSignal], _ exposures: [Exposure]
  ) -> [Credit] {
    var credits: [Credit] = []
    var count = 0
    for (g, goal) in goals.enumerated() {
      let end = attribution.end?.microseconds ?? .max
      var open: [Int] = []
      for (e, exposure) in exposures.enumerated() {
        let start = exposure.time + attribution.delay
        let last = attribution.window.map { start + $0 } ?? .max
        let isOver = !attribution.excludesInProgress || attribution.window == nil || last <= end
        if goal.time >= start, goal.time <= last, goal.time <= end, isOver { open.append(e) }
      }
      let isWorth =
        goal.value >= attribution.minimum ?? -.infinity
        && goal.value <= attribution.maximum ?? .infinity
      let most = attribution.counting == .once ? 1 : attribution.limit ?? .max
      guard !open.isEmpty, isWorth, count < min(most, attribution.limit ?? .max) else { continue }
      count += 1
      let chosen =
        switch attribution.rule {
        case .last: [open[open.count - 1]]
        case .first: [open[0]]
        case .all, .linear: open
        }
      let part = attribution.rule == .linear ? goal.value / Double(open.count) : goal.value
      credits += chosen.map { Credit(exposure: $0, goal: g, value: part) }
    }
    return credits
  }

  @Test("credits match the definition", arguments: 0..<20 as Range<UInt64>)
  func twin(chunk: UInt64) {
    for seed in chunk * 100..<(chunk + 1) * 100 {
      var generator = SeededGenerator(seed: seed)
      var attribution = Attribution(rule: Attribution.Rule.allCases[generator.index(4)])
      if generator.chance(0.6) { attribution.window = Int64(generator.index(30)) }
      if generator.chance(0.4) { attribution.delay = Int64(generator.index(10)) }
      if generator.chance(0.3) { attribution.counting = .once }
      if generator.chance(0.3) { attribution.limit = generator.index(4) }
      if generator.chance(0.3) { attribution.minimum = Double(generator.index(4)) }
      if generator.chance(0.3) { attribution.maximum = Double(generator.index(6)) }
      if generator.chance(0.5) {
        attribution.end = Timestamp(microseconds: Int64(generator.index(60)))
      }
      attribution.excludesInProgress = generator.chance(0.5)
      let exposures = (0..<generator.index(6)).map { _ in
        Exposure(time: Int64(generator.index(50)), variant: UInt32(generator.index(2)))
      }.sorted { $0.time < $1.time }
      let goals = (0..<generator.index(8)).map { _ in
        GoalSignal(time: Int64(generator.index(60)), value: Double(generator.index(6)))
      }.sorted { $0.time < $1.time }
      let credits = attribution.credits(goals, to: exposures)
      #expect(credits == naive(attribution, goals, exposures), "seed \(seed): \(attribution)")
      if attribution.rule != .all {
        let sum = credits.reduce(0) { $0 + $1.value }
        let whole = Set(credits.map(\.goal)).reduce(0.0) { $0 + goals[$1].value }
        #expect(abs(sum - whole) < 1e-9, "seed \(seed)")
      }
    }
  }

  @Test("the description of an attribution lists what differs from the default")
  func descriptions() {
    #expect(Attribution().description == "last, no window")
    let attribution = Attribution(
      rule: .linear, window: 7 * 86_400_000_000, delay: 90_000_000, counting: .once, minimum: 1,
      excludesInProgress: true, crossing: .first)
    #expect(
      attribution.description
        == "linear, window 7d, delay 90s, once per unit and experiment, at least 1.0, without exposures "
        + "in progress, units in several variants at their first")
  }

  @Test("values are capped at a value, or at a quantile with or without the zeros")
  func capping() {
    let values: [Double] = [0, 0, 1, 2, 10]
    #expect(Capping.absolute(3).capped(values) == [0, 0, 1, 2, 3])
    #expect(Capping.percentile(0.5, ignoringZeros: false).capped(values) == [0, 0, 1, 1, 1])
    #expect(Capping.percentile(0.5, ignoringZeros: true).capped(values) == [0, 0, 1, 2, 2])
    #expect(Capping.percentile(0.5, ignoringZeros: true).capped([0, 0]) == [0, 0])
  }
}
