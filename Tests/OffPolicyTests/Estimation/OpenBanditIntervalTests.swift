import Specifications
import Testing

@testable import OffPolicy
@testable import Statistics

@Suite(
  "Open Bandit data: intervals",
  .enabled(
    if: OpenBanditRows.arePresent,
    "needs the Open Bandit files in ../shared/datasets or in the folder BANDOLIER_DATASETS"))
struct OpenBanditIntervalTests {
  /// Logging policy and target policy; Cressie-Read and likelihood; both ends of the Gaussian, Clopper-Pearson and
  /// Cressie-Read intervals of vw-estimators 0.2.2; Hoeffding, Bernstein and t lower bounds of Open Bandit Pipeline
  /// 0.5.5 at 95 %; both ends of the confidence sequence of vw-estimators.
  private static let table = """
    random uniform 0.0046 0.0046 0.00327368 0.00592632 0.00336969 0.00613104 0.00327372 \
    0.00592628 -0.0076387342 0.0019011069 0.003486816 \
      0.00201415 0.00718585
    random softmax_if0 0.0033872797 0.0033874016 0.00131694 0.0055339 0.000876896 0.00902581 \
    0.00128102 0.0212977 -0.10915191 -0.0074148493 0.0016557664 \
      0 0.0593825
    random first_half 0.0036 0.0036 0.00193833 0.00526167 0.00213494 0.00568361 0.00193988 \
    0.0204576 -0.020877468 -0.00042446385 0.0022053532 \
      0.000396239 0.0439431
    random most_logged 0.0086956522 0.0086956522 -0.00134102 0.021741 0.00210845 0.0295177 0 \
    0.0384168 -0.40591696 -0.035062083 0.00051357319 \
      0 0.110645
    bts uniform 0.0033997623 0.0033997623 0.00149174 0.00452551 3.6408e-12 0.0695025 0.00149178 \
    0.12949 -0.054723975 -0.0031542246 0.0017354978 \
      7.27074e-05 0.21299
    bts softmax_if0 0.0019739529 0.0019739529 0.000579024 0.00271051 1.4396e-40 0.13774 \
    0.00051901 0.176396 -0.05803082 -0.0040295324 0.00075028364 \
      0 0.33689
    bts first_half 0.0033437434 0.0033437434 0.000934891 0.00518148 4.44471e-21 0.128965 \
    0.000833259 0.151492 -0.090196419 -0.0064435317 0.001276095 \
      0 0.284641
    bts most_logged 0.0067906724 0.0067906724 0.00302173 0.00972247 5.47319e-05 0.0429104 \
    0.00302183 0.119293 -0.088487103 -0.0049430125 0.0035601197 \
      0 0.180138
    """

  private static let rows = table.split(separator: "\n").map {
    $0.split(separator: " ").map(String.init)
  }

  private func estimate(
    _ row: [String], _ estimator: String, _ methods: [String]
  ) throws -> OffPolicyEstimate {
    let methods = try methods.map { try IntervalCatalog.standard.named($0) }
    var estimate = OffPolicyEstimate(
      try EstimatorCatalog.standard.named(estimator), intervals: methods)
    for (key, decision) in try OpenBanditEstimateTests.decisions(row).enumerated() {
      estimate.add(decision, key: UInt64(key))
    }
    return estimate
  }

  @Test("every printed digit of Cressie-Read and likelihood", arguments: rows)
  func likelihood(row: [String]) throws {
    let decisions = try OpenBanditEstimateTests.decisions(row)
    for (name, printed) in zip(["cressie-read", "empirical-likelihood"], row[2...3]) {
      let sums = try OpenBanditEstimateTests.sums(name, decisions)
      expectPrinted(sums.value, printed, digits: 8, "\(row[0]) \(row[1]): \(name)")
    }
  }

  @Test("every printed digit of the two-sided intervals", arguments: rows)
  func twoSided(row: [String]) throws {
    let methods = ["normal", "clopper-pearson", "cressie-read"]
    let intervals = try estimate(row, "ips", methods).intervals()
    for (index, method) in methods.enumerated() {
      let name = "\(row[0]) \(row[1]): \(method)"
      expectPrinted(intervals[index]?.low, row[4 + 2 * index], digits: 6, name)
      expectPrinted(intervals[index]?.high, row[5 + 2 * index], digits: 6, name)
    }
  }

  @Test(
    "every printed digit of the lower bounds, which are ends of intervals at 90 %", arguments: rows)
  func lowerBounds(row: [String]) throws {
    let methods = ["hoeffding", "empirical-bernstein", "student-t"]
    let intervals = try estimate(row, "ips", methods).intervals(level: 0.9)
    for (index, method) in methods.enumerated() {
      expectPrinted(
        intervals[index]?.low, row[10 + index], digits: 8, "\(row[0]) \(row[1]): \(method)")
    }
  }

  @Test("every printed digit of the confidence sequence", arguments: rows)
  func sequence(row: [String]) throws {
    let interval = try estimate(row, "ips", ["off-policy-sequence"]).intervals()[0]
    let name = "\(row[0]) \(row[1]): off-policy-sequence"
    expectPrinted(interval?.low, row[13], digits: 6, name)
    expectPrinted(interval?.high, row[14], digits: 6, name)
  }

  @Test("the bootstrap agrees with the normal interval where that is right")
  func bootstrap() throws {
    for name in ["ips", "snips", "dr", "sndr"] {
      let estimate = try estimate(
        ["random", "softmax_if0"], name, ["normal", "bootstrap:replicates=400"])
      let intervals = estimate.intervals()
      let normal = try #require(intervals[0])
      let bootstrap = try #require(intervals[1])
      #expect(abs(bootstrap.width / normal.width - 1) < 0.2, "\(name)")
      #expect(abs(bootstrap.low - normal.low) < 0.2 * normal.width, "\(name)")
    }
  }

  @Test("SLOPE takes the smallest of Open Bandit Pipeline's values; cross-validation does not")
  func slope() throws {
    for row in Self.rows {
      let decisions = try OpenBanditEstimateTests.decisions(row)
      let options = "estimator=clipped-ips,values=0.5;1;2;3;5;10"
      let slope = try OpenBanditEstimateTests.sums("slope:\(options)", decisions)
      let ips = try OpenBanditEstimateTests.sums("ips", decisions)
      #expect(slope.choice?["lambda"] == "0.5", "\(row[0]) \(row[1])")
      #expect((slope.value ?? .nan) < 0.62 * (ips.value ?? .nan), "\(row[0]) \(row[1])")
      let validated = try OpenBanditEstimateTests.sums("cross-validated:\(options)", decisions)
      #expect(validated.choice?["lambda"] != "0.5", "\(row[0]) \(row[1])")
    }
  }
}
