import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

/// Shares over many users with fixed ids; the same every time.
@Suite("Experiments: shares of flags")
struct FlagShareTests {
  /// The statistic of a chi-square test of counts against probabilities.
  private func chiSquare(_ counts: [Int], _ probabilities: [Double]) -> Double {
    let total = Double(counts.reduce(0, +))
    return zip(counts, probabilities).reduce(0) { sum, pair in
      let expected = total * pair.1
      return sum + (Double(pair.0) - expected) * (Double(pair.0) - expected) / expected
    }
  }

  private func user(_ seed: UInt64, _ number: Int) -> String { "user-\(seed)-\(number)" }

  @Test(
    "exposition and deviations give everybody their share", arguments: 1...5 as ClosedRange<UInt64>)
  func exposition(seed: UInt64) throws {
    let flag = #"""
      {"key":"f","variations":[{"key":"a"},{"key":"b"},{"key":"c"}],"rules":[
        {"id":"r\#(seed)","experiment":"e\#(seed)","exposition":0.4,
         "variations":[{"key":"a","deviation":0.5},{"key":"b","deviation":0.3}]},
        {"id":"s\#(seed)","type":"delivery","exposition":0.5,"variations":[{"key":"c"}]}]}
      """#
    let world = try ExperimentsWorld(flags: flag)
    var counts: [String: Int] = [:]
    for number in 0..<4_000 {
      let answer = try world.client.previewVariation(of: "f", for: user(seed, number))
      counts[answer.key, default: 0] += 1
    }
    // 1 - 0.4 × 0.8 go on to the second rule, of whom half get c.
    let statistic = chiSquare(
      ["a", "b", "c", "off"].map { counts[$0] ?? 0 }, [0.2, 0.12, 0.34, 0.34])
    // The 99.99 % point with three degrees of freedom.
    #expect(statistic < 21.11, "seed \(seed): \(counts)")
  }

  @Test("the variation does not depend on the exposition", arguments: 1...5 as ClosedRange<UInt64>)
  func independence(seed: UInt64) throws {
    let salts = ("rule-\(seed)", "experiment-\(seed)")
    var counts = [0, 0, 0, 0]
    for number in 0..<4_000 {
      let user = user(seed, number)
      let isExposed = UnitHash(user, salts.0).fraction < 0.5
      let isFirst = UnitHash(user, salts.1).fraction < 0.5
      counts[(isExposed ? 2 : 0) + (isFirst ? 1 : 0)] += 1
    }
    #expect(chiSquare(counts, [0.25, 0.25, 0.25, 0.25]) < 21.11, "seed \(seed): \(counts)")
  }

  @Test("a holdout holds its share out of all flags alike", arguments: 1...5 as ClosedRange<UInt64>)
  func holdout(seed: UInt64) throws {
    let world = try ExperimentsWorld(
      flags: simpleFlag("a") + "," + simpleFlag("b"),
      #""holdout":{"id":"h\#(seed)","variations":[{"key":"out","deviation":0.7},{"key":"in-holdout","deviation":0.3}]}"#
    )
    var counts = [0, 0]
    for number in 0..<3_000 {
      let keys = try world.client.variations(for: user(seed, number), track: false).map(\.key)
      #expect(keys == ["off", "off"] || keys == ["on", "on"])
      counts[keys[0] == "off" ? 0 : 1] += 1
    }
    // The 99.99 % point with one degree of freedom.
    #expect(chiSquare(counts, [0.3, 0.7]) < 15.14, "seed \(seed): \(counts)")
  }

  @Test(
    "a group gives every user to one flag, every flag alike",
    arguments: 1...5 as ClosedRange<UInt64>)
  func groups(seed: UInt64) throws {
    let keys = ["a", "b", "c"]
    let world = try ExperimentsWorld(
      flags: keys.map { simpleFlag($0) }.joined(separator: ","),
      #""groups":[{"name":"g\#(seed)","flags":["a","b","c"]}]"#)
    var counts: [String: Int] = [:]
    for number in 0..<3_000 {
      let active = try world.client.variations(
        for: user(seed, number), onlyActive: true, track: false)
      #expect(active.count == 1)
      counts[active.first?.flag ?? "", default: 0] += 1
    }
    let statistic = chiSquare(keys.map { counts[$0] ?? 0 }, [1.0 / 3, 1.0 / 3, 1.0 / 3])
    // The 99.99 % point with two degrees of freedom.
    #expect(statistic < 18.42, "seed \(seed): \(counts)")
  }
}
