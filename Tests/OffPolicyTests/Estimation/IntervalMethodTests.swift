import Testing

@testable import OffPolicy
@testable import Specifications
@testable import Statistics

@Suite("Interval methods for off-policy estimates")
struct IntervalMethodTests {
  static let methods = [
    "normal", "student-t", "bootstrap:replicates=50", "empirical-bernstein", "hoeffding",
    "clopper-pearson:rmin=-9,rmax=9", "cressie-read:rmin=-9,rmax=9", "confidence-sequence",
    "bernstein-sequence:rmin=-9,rmax=9", "off-policy-sequence:rmin=-9,rmax=9",
  ]

  static func estimate(
    _ estimator: String, _ methods: [String] = methods
  ) throws -> OffPolicyEstimate {
    OffPolicyEstimate(
      try EstimatorCatalog.standard.named(estimator),
      intervals: try methods.map { try IntervalCatalog.standard.named($0) })
  }

  @Test("every method is found by its name, with its defaults")
  func named() throws {
    for info in IntervalCatalog.standard.all {
      let method = try IntervalCatalog.standard.named(info.name)
      #expect(method.specification.description == info.name)
      #expect(!info.summary.isEmpty && !info.source.isEmpty)
    }
    #expect(
      throws: SpecificationError("unknown interval method \"norml\"; did you mean \"normal\"?")
    ) {
      try IntervalCatalog.standard.named("norml")
    }
    #expect(throws: SpecificationError("rmin of clopper-pearson must be below rmax")) {
      try IntervalCatalog.standard.named("clopper-pearson:rmin=2")
    }
    for info in IntervalCatalog.standard.all {
      let method = try IntervalCatalog.standard.named(info.example)
      #expect(method.specification.description == info.example && info.example.hasPrefix(info.name))
    }
    let own = IntervalCatalog.standard.adding(NormalInterval.self)
    #expect(own.all.count == IntervalCatalog.standard.all.count)
  }

  @Test("which methods apply to which estimators")
  func applicability() throws {
    var random = Xoshiro256(seed: 1)
    let decisions = randomDecisions(60, using: &random)
    for name in TermEstimatorTests.names + ["cressie-read", "empirical-likelihood"] {
      var estimate = try Self.estimate(name)
      for (key, decision) in decisions.enumerated() { estimate.add(decision, key: UInt64(key)) }
      let has = estimate.intervals().map { $0 != nil }
      let estimator = estimate.sums.estimator
      let isMean = (estimator as? any TermEstimator).map { type(of: $0).form == .mean } ?? false
      let alone = estimator.usesWeightsAlone
      let wanted = [true, true, true, isMean, isMean, alone, alone, true, alone, alone]
      if estimate.sums.isBiased {
        #expect(has == wanted.map { _ in false }, "\(name)")
      } else {
        #expect(has == wanted, "\(name)")
      }
    }
  }

  @Test(
    "parts merge in any order to the same intervals",
    arguments: ["ips", "snips", "sndr", "dr", "cressie-read", "empirical-likelihood"])
  func merging(name: String) throws {
    for seed in 0..<8 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      var decisions: [(LoggedDecision, UInt64)] = []
      for decision in randomDecisions(50, using: &random) {
        decisions.append((decision, random.next()))
      }
      let empty = try Self.estimate(name)
      let whole = decisions.reduce(into: empty) { $0.add($1.0, key: $1.1) }
      var parts = [OffPolicyEstimate](repeating: empty, count: 4)
      for (decision, key) in decisions.shuffled(using: &random) {
        let part = Draw.index(below: 4, using: &random)
        if Draw.bernoulli(0.5, using: &random) {
          parts[part].add(decision, key: key)
        } else {
          parts[part].add(unit: [decision].span, key: key)
        }
      }
      let merged = parts.shuffled(using: &random).reduce(into: empty) { $0.merge($1) }
      #expect(merged == whole && merged.intervals() == whole.intervals(), "seed \(seed)")
    }
  }

  @Test(
    "the bootstrap is that of the estimates with Poisson weights",
    arguments: ["ips", "snips", "sndr"])
  func bootstrapTwin(name: String) throws {
    for seed in 0..<10 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomUnits(randomDecisions(40, using: &random), largest: 4, using: &random)
      let estimator = try EstimatorCatalog.standard.named(name)
      let method = try BootstrapInterval { ($0.replicates, $0.seed) = (20, 5) }
      var state = try #require(method.makeState(for: estimator))
      for (key, unit) in units.enumerated() { state.add(unit: unit.span, key: UInt64(key)) }
      let weights = PoissonWeights(seed: 5)
      var replicates: [Double] = []
      for replicate in 0..<20 {
        var sums = OffPolicySums(estimator)
        for (key, unit) in units.enumerated() {
          for _ in 0..<weights.weight(of: UInt64(key), in: replicate) { sums.add(unit: unit.span) }
        }
        if let value = sums.value { replicates.append(value) }
      }
      let distribution = try #require(state.distribution)
      #expect(distribution.replicates.count == replicates.count)
      for (value, expected) in zip(distribution.replicates, replicates.sorted()) {
        #expect(abs(value - expected) < 1e-9 * max(1, abs(expected)), "seed \(seed)")
      }
    }
  }

  @Test("many equal units have Poisson weights with their number as mean")
  func groupedBootstrap() throws {
    let weights = PoissonWeights(seed: 9)
    for units in [2, 7, 1000] {
      let drawn = Moments((0..<4000).map { Double(weights.weight(of: 3, in: $0, units: units)) })
      let (mean, variance) = (drawn.mean ?? .nan, drawn.variance ?? .nan)
      #expect(abs(mean - Double(units)) < 5 * (Double(units) / 4000).squareRoot())
      expectClose(variance, Double(units), 0.12)
    }
    #expect(weights.weight(of: 3, in: 5, units: 1) == weights.weight(of: 3, in: 5))
    #expect(weights.weight(of: 3, in: 5, units: 0) == 0)
    var (single, grouped) = (
      try Self.estimate("snips", ["bootstrap:replicates=2000"]),
      try Self.estimate("snips", ["bootstrap:replicates=2000"])
    )
    var random = Xoshiro256(seed: 2)
    for (group, decision) in randomDecisions(30, using: &random).enumerated() {
      grouped.add(decision, times: 20, key: UInt64(group))
      for one in 0..<20 { single.add(decision, key: UInt64(1000 + 20 * group + one)) }
    }
    #expect(single.sums == grouped.sums)
    let (a, b) = (try #require(single.intervals()[0]), try #require(grouped.intervals()[0]))
    expectClose(b.width, a.width, 0.1)
  }

  @Test("bounds of means by their formulas, by unit")
  func bounds() throws {
    for seed in 0..<10 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomUnits(randomDecisions(40, using: &random), largest: 4, using: &random)
      var estimate = try Self.estimate(
        "ips",
        ["hoeffding", "empirical-bernstein", "hoeffding:low=-1e6,high=1e6", "hoeffding:high=1"])
      for (key, unit) in units.enumerated() { estimate.add(unit: unit.span, key: UInt64(key)) }
      let terms = units.map { $0.reduce(0.0) { $0 + $1.weight * $1.reward } }
      let n = Double(units.count)
      let range = (max(0, terms.max() ?? 0) - min(0, terms.min() ?? 0)) * n / 40
      let error = try #require(estimate.sums.standardError)
      let intervals = estimate.intervals(level: 0.8)
      let hoeffding = range * (Double.log(10) / (2 * n)).squareRoot()
      let log = Double.log(20)
      let bernstein = (2 * log).squareRoot() * error + 7 * range * log / (3 * (n - 1))
      expectClose(intervals[0]?.width, 2 * hoeffding, 1e-9)
      expectClose(intervals[1]?.width, 2 * bernstein, 1e-9)
      #expect((intervals[2]?.width ?? 0) > 1000)
      #expect((intervals[3] == nil) == ((terms.max() ?? 0) > 1), "seed \(seed)")
    }
  }

  @Test("intervals of independent decisions need one decision per unit, and rewards in their range")
  func refusals() throws {
    let methods = [
      "clopper-pearson", "cressie-read", "bernstein-sequence", "off-policy-sequence",
    ]
    let inside = try #require(LoggedDecision(reward: 0.5, weight: 1))
    let outside = try #require(LoggedDecision(reward: 1.5, weight: 0.5))
    var estimate = try Self.estimate("ips", methods)
    #expect(estimate.intervals() == [nil, nil, nil, nil])
    let less = try #require(LoggedDecision(reward: 0, weight: 2))
    for key in 0..<20 as Range<UInt64> { estimate.add(key < 15 ? inside : less, key: key) }
    #expect(!estimate.intervals().contains(nil))
    var (repeated, far) = (estimate, estimate)
    repeated.add(unit: [inside, inside].span, key: 30)
    #expect(repeated.intervals() == [nil, nil, nil, nil])
    far.add(outside, key: 31)
    #expect(far.intervals() == [nil, nil, nil, nil])
  }
}
