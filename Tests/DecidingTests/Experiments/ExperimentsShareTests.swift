import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: traffic allocation")
struct ExperimentsShareTests {
  private static let users = 8_000

  private func plan(_ configuration: ExperimentConfiguration) throws -> ExperimentPlan {
    try #require(try Site(configuration).plans.first?.value)
  }

  /// The statistic of a chi-square test.
  private func chiSquare(_ counts: [Int], _ expected: [Double]) -> Double {
    zip(counts, expected).reduce(0) { sum, pair in
      let difference = Double(pair.0) - pair.1
      return sum + difference * difference / pair.1
    }
  }

  @Test("each variation gets its share of the users", arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func shares(seed: Int) throws {
    let configuration = ExperimentConfiguration.one(
      [0: 0.1, 1: 0.2, 2: 0.3, 3: 0.15], id: ExperimentID(integerLiteral: seed))
    let plan = try plan(configuration)
    var counts = [Int](repeating: 0, count: 5)
    for user in 0..<Self.users {
      counts[plan.index(at: plan.place(of: "user-\(user)")) ?? 4] += 1
    }
    let expected = [0.1, 0.2, 0.3, 0.15, 0.25].map { $0 * Double(Self.users) }
    // 4 degrees of freedom: the 0.9999 quantile.
    #expect(chiSquare(counts, expected) < 23.5, "\(counts)")
  }

  @Test("assignments in different experiments are independent")
  func independence() throws {
    let plans = try (1...5).map { id in
      try plan(.one([1: 0.5, 2: 0.5], id: ExperimentID(integerLiteral: id)))
    }
    let picks = plans.map { plan in
      (0..<Self.users).map { plan.index(at: plan.place(of: "user-\($0)")) ?? 0 }
    }
    for first in 0..<picks.count {
      for second in first + 1..<picks.count {
        var counts = [0, 0, 0, 0]
        for user in 0..<Self.users { counts[2 * picks[first][user] + picks[second][user]] += 1 }
        let expected = [Double](repeating: Double(Self.users) / 4, count: 4)
        // 3 degrees of freedom, fixed margins: the 0.9999 quantile.
        #expect(chiSquare(counts, expected) < 21.2, "\(first), \(second): \(counts)")
      }
    }
  }

  @Test("a respool time reassigns all users, whatever their saved variation")
  func respoolIndependence() throws {
    let before = try plan(.one([1: 0.5, 2: 0.5]))
    let after = try plan(.one([1: 0.5, 2: 0.5], respool: [1: 1_600_000_000]))
    var moved = 0
    for user in 0..<Self.users
    where before.index(at: before.place(of: "u\(user)"))
      != after.index(at: after.place(of: "u\(user)"))
    {
      moved += 1
    }
    // Half of them, within 4 standard deviations.
    #expect(abs(moved - Self.users / 2) < 179, "\(moved)")
  }

  @Test(
    "ramping up: who is in stays in, with the same variation", arguments: 0..<5 as Range<UInt64>)
  func ramp(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let world = try ExperimentsWorld(.one([1: 0, 2: 0]))
    let users = (0..<300).map { "user-\(seed)-\($0)" }
    var seen: [String: VariationID] = [:]
    var (first, second) = (0.0, 0.0)
    for _ in 0..<8 {
      first += Double.random(in: 0...0.06, using: &generator)
      second += Double.random(in: 0...0.06, using: &generator)
      try world.client.apply(.one([1: first, 2: second]))
      for user in users {
        let variation = try? world.client.triggerExperiment(user, 75253)
        if let before = seen[user] { #expect(variation == before, "seed \(seed), \(user)") }
        if let variation { seen[user] = variation }
      }
      let share = Double(seen.count) / Double(users.count)
      #expect(abs(share - first - second) < 4 * (0.25 / Double(users.count)).squareRoot())
    }
    try world.client.apply(.one([1: 0, 2: 0]))
    for (user, variation) in seen {
      #expect(try world.client.triggerExperiment(user, 75253) == variation)
    }
    try world.expectReplays()
  }

  @Test("a growing variation keeps every user that it had, hash by hash")
  func monotone() throws {
    let places = try (0..<1_000).map { try plan(.halves).place(of: "u\($0)") }
    var before: Set<Int> = []
    for percent in stride(from: 0, through: 100, by: 5) {
      let plan = try plan(.one([1: Double(percent) / 100]))
      let inside = Set(places.indices.filter { plan.index(at: places[$0]) != nil })
      #expect(before.isSubset(of: inside))
      before = inside
    }
    #expect(before.count == places.count)
  }
}
