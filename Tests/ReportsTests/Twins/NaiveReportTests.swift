import EventLog
import Events
import Foundation
import Tables
import TestSupport
import Testing

@testable import Reports

/// The tables of reports, each held against its naive twin.
@Suite("Reports of random logs")
struct NaiveReportTests {
  private static func log(_ seed: UInt64) throws -> (log: ReportLog, naive: NaiveLog) {
    var random = SeededGenerator(seed: seed)
    let events = SmallWorld.crowd(1 + Int(seed % 12), &random, namesPlaces: true)
    return (try ReportLog(events), NaiveLog(events))
  }

  private static func place(_ row: NamedRow) -> [String] {
    ["experiment", "point", "slot"].map { row.text($0) ?? "" }
  }

  @Test("rewards counts, adds up and averages what decisions earned", arguments: LongTests.twins)
  func rewards(seed: UInt64) throws {
    let (log, naive) = try Self.log(seed)
    let decisions = naive.decisions
    let rows = try RewardReport().table(of: log.reader).named
    #expect(rows.count == decisions.count, "seed \(seed)")
    for row in rows {
      let key = Self.place(row) + [row.text("variant") ?? ""]
      let own = try #require(decisions[key], "seed \(seed), \(key)")
      let moments = NaiveMoments(own.map { $0.rewards.reduce(0, +) })
      expect(
        row,
        [
          "decisions": moments.count, "units": Double(Set(own.map(\.unit)).count),
          "rewards": Double(own.reduce(0) { $0 + $1.rewards.count }),
          "reward_sum": moments.mean * moments.count, "reward_mean": moments.mean,
          "reward_variance": moments.count > 1 ? moments.variance : nil,
        ], "seed \(seed), \(key)")
    }
  }

  @Test("compare tests the means of units by Welch's formulas", arguments: LongTests.twins)
  func compare(seed: UInt64) throws {
    let (log, naive) = try Self.log(seed)
    let rows = try ComparisonReport().table(of: log.reader).named
    for (place, variants) in naive.unitRewards where variants.count > 1 {
      let names = variants.keys.sorted()
      let found = rows.filter { Self.place($0) == place && names.contains($0.text("variant") ?? "") }
      let baseline = found.first?.text("baseline") ?? ""
      guard let others = variants[baseline] else { continue }
      #expect(found.count == names.count - 1, "seed \(seed), \(place)")
      for row in found {
        let variant = row.text("variant") ?? ""
        let (own, other) = (NaiveMoments(variants[variant] ?? []), NaiveMoments(others))
        let difference = own.mean - other.mean
        let squared = own.squaredError + other.squaredError
        let isTested = own.variance > 0 && other.variance > 0
        let freedom =
          squared * squared
          / (own.squaredError * own.squaredError / (own.count - 1)
            + other.squaredError * other.squaredError / (other.count - 1))
        expect(
          row,
          [
            "units": own.count, "mean": own.mean, "baseline_units": other.count,
            "baseline_mean": other.mean,
            "standard_error": isTested ? squared.squareRoot() : row.number("standard_error"),
            "statistic": isTested ? difference / squared.squareRoot() : nil,
            "degrees_of_freedom": isTested ? freedom : nil,
          ], "seed \(seed), \(place), \(variant)")
        if isTested { expect(row, ["difference": difference], "seed \(seed), \(place), \(variant)") }
      }
    }
  }

  @Test(
    "health tests the units of variants by their first exposures against their shares",
    arguments: LongTests.twins)
  func sampleRatio(seed: UInt64) throws {
    let (log, naive) = try Self.log(seed)
    let shares = ["v0": 0.25, "v1": 0.25, "v2": 0.5]
    // A name that the log does not have is refused.
    guard shares.keys.allSatisfy({ log.names.code(of: $0, in: .variants) != nil }) else { return }
    let report = try HealthReport { $0.options.expected = ExpectedShares(shares) }
    let rows = try report.table(of: log.reader).named
    for (place, units) in Dictionary(grouping: naive.assignments, by: \.exposure.place) {
      let counts = shares.keys.map { name in
        (name, units.count { $0.exposure.variant == name }, Double(units.count))
      }
      let own = rows.filter { Self.place($0) == place }
      for (name, count, all) in counts where count > 0 {
        let row = own.first {
          $0.text("check") == "sample_ratio_units" && $0.text("variant") == name
        }
        expect(
          try #require(row, "seed \(seed), \(place)"),
          ["value": Double(count), "expected": all * (shares[name] ?? 0)],
          "seed \(seed), \(place), \(name)")
      }
      // With fewer units the test is exact.
      guard units.count >= 20 else { continue }
      let statistic = counts.reduce(0) { sum, variant in
        let expected = variant.2 * (shares[variant.0] ?? 0)
        return sum + (Double(variant.1) - expected) * (Double(variant.1) - expected) / expected
      }
      // The upper tail of chi-squared with two degrees of freedom.
      expect(
        try #require(own.first { $0.text("check") == "sample_ratio" }),
        ["value": statistic, "expected": 2, "p_value": exp(-statistic / 2)],
        "seed \(seed), \(place)")
    }
  }

  /// Expects numbers up to rounding, and no number where there is none.
  private func expect(_ row: NamedRow, _ numbers: KeyValuePairs<String, Double?>, _ what: String) {
    for (name, number) in numbers {
      let found = row.number(name)
      #expect((found == nil) == (number == nil), "\(name), \(what)")
      if let found, let number {
        #expect(
          abs(found - number) <= 1e-9 * max(1, abs(number)), "\(name) \(found), not \(number), \(what)")
      }
    }
  }
}
