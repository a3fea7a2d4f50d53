import Bandits
import Statistics
import TestSupport
import Testing

/// A tally whose posterior under the prior Beta(1, 1) is Beta(a, b).
private func posterior(_ a: Int, _ b: Int) -> ArmTally { arm(a - 1, of: a + b - 2) }

/// The probability that a Beta(c, d) variable exceeds a Beta(a, b) one for whole c: the closed sum
/// Σ B(a + i, b + d) / ((d + i)·B(1 + i, d)·B(a, b)) for i below c.
private func chanceToExceed(_ c: Int, _ d: Int, over a: Int, _ b: Int) -> Double {
  let (a, b, d) = (Double(a), Double(b), Double(d))
  return (0..<c).reduce(0) { sum, i in
    let i = Double(i)
    return sum + naturalExponential(
      SpecialFunctions.logBeta(a + i, b + d) - SpecialFunctions.logBeta(1 + i, d)
        - SpecialFunctions.logBeta(a, b)) / (d + i)
  }
}

/// Simpson's rule on 2,000 intervals of x, for posteriors with parameters from 1.
private func simpson(_ posteriors: [(a: Int, b: Int)]) -> [Double] {
  let intervals = 2_000
  var chances = [Double](repeating: 0, count: posteriors.count)
  for step in 0...intervals {
    let x = Double(step) / Double(intervals)
    let weight =
      (step == 0 || step == intervals ? 1 : step % 2 == 1 ? 4.0 : 2.0) / Double(3 * intervals)
    let below = posteriors.map { SpecialFunctions.incompleteBeta(x, Double($0.a), Double($0.b)) }
    for (index, one) in posteriors.enumerated() {
      let (a, b) = (Double(one.a), Double(one.b))
      var value =
        naturalExponential(-SpecialFunctions.logBeta(a, b)) * power(x, one.a - 1)
        * power(1 - x, one.b - 1)
      for other in posteriors.indices where other != index { value *= below[other] }
      chances[index] += weight * value
    }
  }
  return chances
}

@Suite("Thompson sampling with known probabilities")
struct ThompsonAllocationTests {
  private func allocation(_ arms: [ArmTally], _ text: String = "thompson") throws -> Allocation {
    try AllocationPolicies.named(text).allocation(over: arms)
  }

  private func expectClose(
    _ allocation: Allocation, _ expected: [Double], within tolerance: Double,
    _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(allocation.probabilities.count == expected.count, sourceLocation: sourceLocation)
    for (ours, theirs) in zip(allocation.probabilities, expected) {
      #expect(
        abs(ours - theirs) <= tolerance, "\(ours) and \(theirs) \(comment)",
        sourceLocation: sourceLocation)
    }
  }

  @Test(
    "the probabilities are those of 30-digit arithmetic (mpmath: quad over the logit of betainc)",
    arguments: [
      ([(1, 1), (2, 1)], [0.333333333333333, 0.666666666666667]),
      ([(10, 10), (12, 8)], [0.257406649770145, 0.742593350229855]),
      ([(51, 951), (61, 941)], [0.16438873512454, 0.83561126487546]),
      ([(3, 5), (4, 4)], [0.296037296037296, 0.703962703962704]),
      ([(1, 1), (2, 1), (1, 2)], [0.3, 0.6, 0.1]),
      (
        [(3, 9), (5, 7), (4, 8), (1, 1)],
        [0.0478377652549168, 0.290046894687286, 0.130331832089113, 0.531783507968684]
      ),
      (
        [(30, 70), (35, 65), (28, 72), (40, 60), (1, 1)],
        [
          0.0148433541933931, 0.0850535435776533, 0.00620482624164574, 0.304489626126445,
          0.589408649860863,
        ]
      ),
    ] as [([(Int, Int)], [Double])])
  func reference(posteriors: [(Int, Int)], expected: [Double]) throws {
    let result = try allocation(posteriors.map { posterior($0.0, $0.1) })
    expectClose(result, expected, within: 2e-12)
    #expect(result.error > 0 && result.error < 1e-7)
  }

  @Test(
    "the probabilities of ten choices are those of scipy (simpson of betainc on 2,000,001 points)")
  func tenChoices() throws {
    let posteriors = [
      (2, 5), (3, 5), (2, 9), (7, 9), (1, 1), (4, 4), (5, 6), (6, 6), (1, 3), (2, 2),
    ]
    let expected = [
      0.017387395905657566, 0.041836102598745, 0.0009412943585372383, 0.04185050539244687,
      0.3104697503962974, 0.14810269173964322, 0.0739896443308494, 0.11518070717199859,
      0.02945388614760131, 0.2207880219582234,
    ]
    expectClose(try allocation(posteriors.map { posterior($0.0, $0.1) }), expected, within: 5e-12)
  }

  @Test("a million decisions per choice are as accurate (scipy: simpson on 400,001 points)")
  func manyDecisions() throws {
    let result = try allocation([
      posterior(300_001, 700_001), posterior(300_501, 699_501), posterior(1_201, 2_801),
    ])
    let expected = [0.1146024256450961, 0.4137101497531044, 0.4716874246017996]
    expectClose(result, expected, within: 2e-9)
  }

  @Test("a billion decisions per choice approach normal posteriors of the logits")
  func hugeCounts() throws {
    let count = 1_000_000_000
    for better in [0, 5_000, 20_000, 60_000] {
      let result = try allocation([
        arm(300_000_000, of: count), arm(300_000_000 + better, of: count),
      ])
      let (p, q) = (0.3, 0.3 + Double(better) / 1e9)
      let shift = naturalLogarithm(q / (1 - q)) - naturalLogarithm(p / (1 - p))
      let variance = 1 / (1e9 * p * (1 - p)) + 1 / (1e9 * q * (1 - q))
      // What is left of their skewness is of the order of one over the root of the count.
      let expected = StandardNormal.cdf(shift / variance.squareRoot())
      #expect(abs(result.probabilities[1] - expected) < 1e-5)
      #expect(result.error < 1e-8)
    }
  }

  @Test("fractional priors count (mpmath, as above)")
  func fractionalPrior() throws {
    let result = try allocation(
      [arm(0, of: 0), arm(1, of: 3), arm(0, of: 1)], "thompson:alpha=0.5,beta=0.5")
    expectClose(
      result, [0.530346745971212, 0.308706656753598, 0.160946597275189], within: 2e-12)
  }

  @Test("normal posteriors agree with scipy (simpson of norm.cdf on 400,001 points)")
  func gaussian() throws {
    let standard = try allocation(
      [
        ArmTally(decisions: 3, rewarded: 2, sum: 2, squares: 2),
        ArmTally(decisions: 8, rewarded: 8, sum: 7.5, squares: 60), ArmTally(),
      ], "thompson-gaussian")
    expectClose(
      standard, [0.23898778668068799, 0.5762096985564013, 0.18480251476291082], within: 2e-12)
    let wide = try allocation(
      [
        ArmTally(decisions: 4, rewarded: 4, sum: 10, squares: 50),
        ArmTally(decisions: 5, rewarded: 5, sum: -3, squares: 90), ArmTally(),
      ], "thompson-gaussian:sigma=2,mean=1,deviation=4")
    expectClose(
      wide, [0.6286312366331113, 0.006110988190430076, 0.36525777517645885], within: 2e-12)
  }

  @Test("two choices have the closed form, to within the error that is stated", arguments: 0..<10)
  func closedForm(chunk: Int) throws {
    for seed in (chunk * 100)..<(chunk * 100 + 100) {
      var random = SeededGenerator(seed: UInt64(seed))
      let top = [3, 30, 300][seed % 3]
      let (a, b) = (1 + random.index(top), 1 + random.index(top))
      let (c, d) = (1 + random.index(top), 1 + random.index(top))
      let result = try allocation([posterior(a, b), posterior(c, d)])
      let expected = chanceToExceed(c, d, over: a, b)
      // The closed sum has some 1e-12 of rounding of its own.
      #expect(abs(result.probabilities[1] - expected) <= 3e-12, "seed \(seed)")
      #expect(result.error < 1e-6, "seed \(seed)")
    }
  }

  @Test("more choices agree with Simpson's rule", arguments: 0..<20)
  func simpsonsRule(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let posteriors = (0..<(2 + seed % 5)).map { _ in
      (a: 1 + random.index(30), b: 1 + random.index(30))
    }
    let result = try allocation(posteriors.map { posterior($0.a, $0.b) })
    expectClose(result, simpson(posteriors), within: 5e-9, "seed \(seed)")
  }

  @Test(
    "draws from the posteriors choose with the same frequencies", arguments: ["0.05", "1", "20"])
  func monteCarlo(parameter: String) throws {
    var random = Xoshiro256(seed: 5)
    let prior = try #require(Double(parameter))
    let arms = [arm(3, of: 10), arm(0, of: 2), arm(40, of: 100), arm(0, of: 0), arm(40, of: 100)]
    let result = try allocation(arms, "thompson:alpha=\(parameter),beta=\(parameter)")
    var wins = [Double](repeating: 0, count: arms.count)
    let draws = 40_000
    for _ in 0..<draws {
      let values = arms.map {
        Draw.beta(prior + $0.sum, prior + Double($0.decisions) - $0.sum, using: &random)
      }
      let best = values.indices.max { values[$0] < values[$1] } ?? 0
      wins[best] += 1 / Double(draws)
    }
    // Five standard errors.
    expectClose(result, wins, within: 0.0125)
    #expect(result.probabilities[2] == result.probabilities[4])
  }

  @Test(
    "equal choices share equally, however many and whatever was learned",
    arguments: [1, 2, 3, 1000])
  func equalChoices(count: Int) throws {
    for one in [arm(0, of: 0), arm(3, of: 7), arm(1_000_000_000, of: 1_000_000_000)] {
      let result = try allocation([ArmTally](repeating: one, count: count))
      #expect(result.probabilities == [Double](repeating: 1 / Double(count), count: count))
      #expect(result.error == 0)
    }
  }

  @Test("one better choice among a thousand equal ones gets more, and they share the rest")
  func oneAmongMany() throws {
    let arms = [ArmTally](repeating: arm(30, of: 100), count: 999) + [arm(60, of: 100)]
    let result = try allocation(arms)
    #expect(result.probabilities[999] > 0.5)
    #expect(Set(result.probabilities).count == 2)
    #expect(abs(result.probabilities.reduce(0, +) - 1) < 1e-12)
  }

  @Test("an additional reward never makes a choice less probable", arguments: 0..<50)
  func monotone(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var arms = (0..<3).map { _ in
      let decisions = 1 + random.index(40)
      return arm(random.index(decisions), of: decisions)
    }
    for text in ["thompson", "thompson-gaussian"] {
      let before = try allocation(arms, text).probabilities[0]
      let kept = arms[0]
      arms[0] = arm(kept.rewarded + 1, of: kept.decisions)
      #expect(try allocation(arms, text).probabilities[0] > before, "seed \(seed)")
      arms[0] = kept
    }
  }

  @Test("rewards outside 0 to 1 are rejected with a remedy, and the probabilities are equal")
  func refused() throws {
    let outside = [
      ArmTally(decisions: 2, rewarded: 2, sum: 2.5, squares: 4),
      ArmTally(decisions: 2, rewarded: 1, sum: -1),
      ArmTally(decisions: 2, rewarded: 2, sum: 0.5, squares: 4.25), ArmTally(decisions: -1),
      ArmTally(decisions: 1, sum: .nan),
    ]
    for tally in outside {
      for text in ["thompson", "kl-ucb", "imed", "bayes-ucb"] {
        let result = try allocation([arm(1, of: 2), tally], text)
        #expect(result.probabilities == [0.5, 0.5])
        #expect(result.refusal?.contains("choice 2") == true)
      }
    }
    #expect(try allocation([arm(1, of: 2), outside[0]], "thompson-gaussian").refusal == nil)
    #expect(
      try allocation([arm(1, of: 2), outside[0]]).refusal?.contains("thompson-gaussian") == true)
  }
}
