import Testing

@testable import OffPolicy
@testable import Statistics

@Suite(
  "Open Bandit data: estimates",
  .enabled(
    if: OpenBanditRows.arePresent,
    "needs the Open Bandit files in ../shared/datasets or in the folder BANDOLIER_DATASETS"))
struct OpenBanditEstimateTests {
  /// Logging policy and target policy, mean weight, greatest weight, effective sample size, and the estimates of
  /// ``estimators``, as Open Bandit Pipeline 0.5.5 and vw-estimators 0.2.2 print them.
  private static let table = """
    random uniform 1 1 10000 0.0046 0.0046 0.0046 0.0041705744 0.0045921812 0.0045921812 \
    0.0045921812 0.0045219134 0.0046
    random softmax_if0 1.0130638 9.1984458 2694.7536 0.0034254228 0.0025554843 0.003381251 \
    0.0038206693 0.0033631617 0.0033690614 0.0038245934 0.0037605611 0.00313281
    random first_half 1 2 5000 0.0036 0.0036 0.0036 0.0038815476 0.0035793501 0.0035793501 \
    0.0035793501 0.0037136601 0.0034285714
    random most_logged 1.173 34 345 0.0102 0.0006 0.0086956522 0.0054523568 0.0091908828 \
    0.008639506 0.0054523568 0.0054684572 0.0038490566
    bts uniform 0.94331363 178.25312 655.70985 0.0030086263 0.0024475959 0.0031894232 \
    0.0044857694 0.0031623524 0.0030828245 0.0045612418 0.0045945756 0.0028845888
    bts softmax_if0 0.95229155 392.09062 211.29247 0.0016447646 0.0013571685 0.0017271649 \
    0.0040960613 0.0017012429 0.001581266 0.0039727185 0.0040131035 0.0015955486
    bts first_half 0.95861464 356.50624 298.80002 0.0030581844 0.0019019973 0.0031902125 \
    0.0043713491 0.0031110287 0.003056618 0.0043905972 0.0044177545 0.0027217511
    bts most_logged 0.93933707 85.287846 1101.7834 0.0063720982 0.0032 0.0067836119 0.0067993688 \
    0.0068149646 0.0068159718 0.0068462071 0.0070462994 0.0054291284
    """

  private static let estimators = [
    "ips", "clipped-ips:lambda=2", "snips", "dm", "dr", "sndr", "switch-dr:tau=2.5",
    "dros:lambda=5", "sub-gaussian-ips:lambda=0.05",
  ]

  static let rows = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }

  static func decisions(_ row: [String]) throws -> [LoggedDecision] {
    try (row[0] == "random" ? OpenBanditRows.random : OpenBanditRows.bts).get().decisions(row[1])
  }

  static func sums(_ name: String, _ decisions: [LoggedDecision]) throws -> OffPolicySums {
    let estimator = try EstimatorCatalog.standard.named(name)
    return decisions.reduce(into: OffPolicySums(estimator)) { $0.add($1) }
  }

  @Test("every printed digit of the estimates", arguments: rows)
  func estimates(row: [String]) throws {
    let decisions = try Self.decisions(row)
    #expect(decisions.count == 10_000)
    let weights = decisions.reduce(into: WeightDiagnostics()) { $0.add($1) }
    let name = "\(row[0]) \(row[1])"
    expectPrinted(weights.mean, row[2], digits: 8, "\(name): mean weight")
    expectPrinted(weights.greatest, row[3], digits: 8, "\(name): greatest weight")
    expectPrinted(weights.effectiveSampleSize, row[4], digits: 8, "\(name): effective sample size")
    for (estimator, printed) in zip(Self.estimators, row[5...]) {
      expectPrinted(
        try Self.sums(estimator, decisions).value, printed, digits: 8, "\(name): \(estimator)")
    }
  }

  @Test("replay of the policy that always takes the most logged item")
  func replay() throws {
    for (log, printed) in [("random", "0.00869565"), ("bts", "0.00789733")] {
      let decisions = try Self.decisions([log, "most_logged"])
      let replay = try Self.sums("replay", decisions)
      expectPrinted(replay.value, printed, digits: 6, log)
      #expect(replay.matched == decisions.filter { $0.weight > 0 }.count)
    }
  }

  @Test("grouped decisions give the same sums", arguments: rows)
  func grouped(row: [String]) throws {
    let decisions = try Self.decisions(row)
    let groups = Dictionary(decisions.map { ($0, 1) }, uniquingKeysWith: +)
    for name in Self.estimators {
      let estimator = try EstimatorCatalog.standard.named(name)
      let grouped = groups.reduce(into: OffPolicySums(estimator)) {
        $0.add($1.key, times: $1.value)
      }
      #expect(try grouped == Self.sums(name, decisions), "\(name)")
    }
  }
}
