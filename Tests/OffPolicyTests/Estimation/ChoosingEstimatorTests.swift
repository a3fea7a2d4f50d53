import Testing

@testable import OffPolicy
@testable import Specifications
@testable import Statistics

@Suite("Estimators that choose their parameter")
struct ChoosingEstimatorTests {
  private let values = [0.5, 1, 2, 5, 100]

  private func sums(_ name: String, _ decisions: [LoggedDecision]) throws -> OffPolicySums {
    try TermEstimatorTests.sums(name, decisions)
  }

  @Test("SLOPE takes the last candidate whose interval meets all earlier ones")
  func slopeTwin() throws {
    var choices = Set<Double>()
    for seed in 0..<60 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = randomDecisions(200, using: &random)
      let candidates = try values.reversed().map {
        try (lambda: $0, sums: sums("clipped-ips:lambda=\($0)", all))
      }
      let intervals = candidates.map { candidate in
        let (value, error) = (candidate.sums.value ?? .nan, candidate.sums.spread ?? .nan)
        let width = 2 * 0.6744897501960817 * error
        return (value - width, value + width)
      }
      let best = intervals.indices.last { last in
        let low = intervals[...last].map(\.0).max() ?? .nan
        let high = intervals[...last].map(\.1).min() ?? .nan
        return low <= high
      }
      let expected = candidates[try #require(best)]
      let slope = try sums("slope:estimator=clipped-ips,values=0.5;1;2;5;100,level=0.5", all)
      #expect(slope.choice?["lambda"].flatMap(Double.init) == expected.lambda, "seed \(seed)")
      #expect(slope.value == expected.sums.value)
      #expect(slope.spread == expected.sums.spread)
      choices.insert(expected.lambda)
    }
    #expect(choices.count > 1)
  }

  @Test("the cross-validation loss is the mean over all splits")
  func crossValidationTwin() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = randomDecisions(8, using: &random)
      for folds in [2, 4] {
        let estimators = try values.map { value in
          try ClippedInversePropensity { $0.lambda = value }
        }
        let rule = try CrossValidated {
          ($0.choice.values, $0.folds) = (values, folds)
        }
        var sums = rule.makeSums()
        for decision in all { rule.add(unit: [decision].span, times: 1, to: &sums) }
        for estimator in estimators {
          var losses = Moments()
          for split in 0..<256 where split.nonzeroBitCount == 8 / folds {
            let isHeld = { (place: Int) in split >> place & 1 == 1 }
            let train = all.indices.filter { !isHeld($0) }.map { estimator.terms(of: all[$0]).mean }
            let test = all.indices.filter(isHeld).map { all[$0].weight * all[$0].reward }
            let gap = (Moments(train).mean ?? .nan) - (Moments(test).mean ?? .nan)
            losses.add(gap * gap)
          }
          let place = try #require(
            rule.candidates.firstIndex { $0.specification["lambda"].flatMap(Double.init) == estimator.lambda })
          expectClose(rule.loss(of: sums[place]), losses.mean ?? .nan, 1e-9)
        }
      }
    }
  }

  @Test("cross-validation takes the candidate of least loss")
  func leastLoss() throws {
    for seed in 0..<30 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = randomDecisions(100, using: &random)
      let rule = try CrossValidated { $0.choice.values = values }
      var candidates = rule.makeSums()
      for decision in all { rule.add(unit: [decision].span, times: 1, to: &candidates) }
      let losses = candidates.map { rule.loss(of: $0) ?? .nan }
      let best = try #require(losses.firstIndex(of: losses.min() ?? .nan))
      let chosen = try sums("cross-validated:values=0.5;1;2;5;100", all)
      #expect(chosen.choice == rule.candidates[best].specification, "seed \(seed)")
    }
  }

  @Test(
    "SLOPE's known failure: rare rewards with large weights make it take the most biased candidate")
  func knownFailure() throws {
    // The target policy takes the variant that the log has in 2 % of the decisions; 1 % of them are rewarded.
    var (errors, slopeErrors, validatedErrors, smallest) = (Moments(), Moments(), Moments(), 0)
    for seed in 0..<40 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      var all: [LoggedDecision] = []
      for _ in 0..<4000 {
        let isTarget = Draw.bernoulli(0.02, using: &random)
        let reward = Draw.bernoulli(0.05, using: &random) ? 1.0 : 0
        all.append(try #require(LoggedDecision(reward: reward, weight: isTarget ? 50 : 0)))
      }
      let options = "values=0.5;1;2;3;5;10;100"
      let slope = try sums("slope:\(options)", all)
      if slope.choice?["lambda"] == "0.5" { smallest += 1 }
      let validated = try sums("cross-validated:\(options)", all)
      errors.add(((try sums("ips", all).value) ?? .nan) - 0.05)
      slopeErrors.add((slope.value ?? .nan) - 0.05)
      validatedErrors.add((validated.value ?? .nan) - 0.05)
    }
    let meanSquare = { (errors: Moments) in errors.totalOfSquares.value / Double(errors.count) }
    #expect(smallest == 40)
    #expect(meanSquare(slopeErrors) > 3 * meanSquare(errors))
    #expect(meanSquare(validatedErrors) < meanSquare(slopeErrors) / 2)
    #expect((slopeErrors.mean ?? 0) < -0.03)
  }

  @Test(
    "units and parts",
    arguments: ["slope", "cross-validated:estimator=dros", "slope:estimator=sub-gaussian-dr"])
  func merging(name: String) throws {
    let estimator = try EstimatorCatalog.standard.named(name)
    for seed in 0..<10 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomUnits(randomDecisions(60, using: &random), largest: 3, using: &random)
      let whole = units.reduce(into: OffPolicySums(estimator)) { $0.add(unit: $1.span) }
      var parts = [OffPolicySums](repeating: OffPolicySums(estimator), count: 3)
      for unit in units.shuffled(using: &random) {
        parts[Draw.index(below: 3, using: &random)].add(unit: unit.shuffled(using: &random).span)
      }
      let merged = parts.reduce(into: OffPolicySums(estimator)) { $0.merge($1) }
      #expect(merged == whole && merged.choice == whole.choice, "seed \(seed)")
      #expect(merged.count == 60 && merged.units == units.count && merged.matched == whole.matched)
    }
    #expect(OffPolicySums(estimator).value == nil && OffPolicySums(estimator).choice == nil)
  }

  @Test(
    "errors",
    arguments: [
      (
        "slope:estimator=ips",
        "estimator=ips of slope has no parameter to choose; use clipped-ips, dros, "
          + "sub-gaussian-dr, sub-gaussian-ips, switch-dr"
      ),
      (
        "slope:estimator=(clipped-ips:lambda=3)",
        "slope chooses lambda of clipped-ips; leave it out, or give values=3"
      ),
      (
        "cross-validated:estimator=sub-gaussian-ips,values=2",
        "lambda=2 of sub-gaussian-ips must be a number from 0.0 to 1.0"
      ),
    ])
  func errors(text: String, message: String) {
    #expect(throws: SpecificationError(message)) { try EstimatorCatalog.standard.named(text) }
  }

  @Test("the needs of the estimator that is tuned")
  func needs() throws {
    let standard = EstimatorCatalog.standard
    #expect(try standard.named("slope").rewardModel == .none)
    #expect(try standard.named("slope:estimator=switch-dr").rewardModel == .unweighted)
  }
}
