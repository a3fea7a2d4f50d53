internal import Bandits
internal import Statistics

extension SelfTest {
  static func generatorChecks() throws -> [Check] {
    var words = SplitMix64(seed: 1_234_567)
    return [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
      .enumerated().map { (index, word: UInt64) in
        let next = words.next()
        // Halves are exact as numbers, whole words are not.
        return Check(
          "generator: word \(index + 1) of SplitMix64 from seed 1234567, its upper half",
          Double(word >> 32), Double(next >> 32), within: word == next ? 0 : -1,
          "Vigna's reference implementation")
      }
  }

  static func divergenceChecks() throws -> [Check] {
    [(0.5, 0.6, 0.0204109973), (0.1, 0.9, 1.7577796619), (0.8, 0.9, 0.0444030076)].map { p, q, kl in
      Check(
        "kl(\(p), \(q))", kl,
        RewardDistribution.bernoulli(p).divergence(from: .bernoulli(q)) ?? .nan, within: 1e-9,
        "computed with 30 digits")
    }
  }

  static func indexChecks() throws -> [Check] {
    var checks: [Check] = []
    let source = "the root by bisection"
    for (mean, n, t, index) in [
      (0.3, 10, 100, 0.7560227380), (0.5, 10, 100, 0.8879087616), (0.5, 100, 10_000, 0.7050830496),
      (0, 5, 100, 0.6018928294),
    ] as [(Double, Int, Double, Double)] {
      let sum = mean * Double(n)
      let arm = ArmTally(decisions: n, rewarded: Int(sum), sum: sum, squares: sum)
      let policy = try AllocationPolicies.named("kl-ucb") as? any IndexPolicy
      let value = policy?.index(arm, IndexSituation(decisions: t, choices: 2, bestMean: 1))
      checks.append(
        Check(
          "kl-ucb: index of mean \(mean), n = \(n), t = \(t)", index, value ?? .nan, within: 1e-9,
          source))
    }
    for (a, b, discount, index) in [
      (1, 1, 0.9, 0.70289), (1, 2, 0.9, 0.50013), (2, 1, 0.9, 0.80006), (3, 1, 0.9, 0.84520),
      (1, 1, 0.99, 0.86986), (2, 2, 0.99, 0.78436),
    ] as [(Double, Double, Double, Double)] {
      var table = GittinsIndex(discount: discount)
      checks.append(
        Check(
          "gittins: index of Beta(\(a), \(b)), discount \(discount)", index, table.index(a, b),
          within: 6e-6, "Gittins, Glazebrook and Weber 2011, tables"))
    }
    for (a, b, c, d, chance) in [
      (10, 10, 12, 8, 0.7425933502), (51, 951, 61, 941, 0.8356112649), (3, 5, 4, 4, 0.7039627040),
    ] as [(Int, Int, Int, Int, Double)] {
      let arms = [(a, b), (c, d)].map { a, b in
        ArmTally(
          decisions: a + b - 2, rewarded: a - 1, sum: Double(a - 1), squares: Double(a - 1))
      }
      let shares = try AllocationPolicies.named("thompson").allocation(over: arms).probabilities
      checks.append(
        Check(
          "thompson: chance of Beta(\(c), \(d)) over Beta(\(a), \(b))", chance, shares[1],
          within: 1e-9, "closed form for whole parameters"))
    }
    return checks
  }

  static func boundChecks() throws -> [Check] {
    let problems: [(String, Double)] = [
      ("0.1;0.2;0.3;0.4;0.5;0.6;0.7;0.8;0.9", 7.516516),
      ("0.01;0.02;0.3;0.4;0.5;0.6;0.795;0.8;0.805", 101.045122), ("0.9;0.8;0.7", 3.553644),
      ("0.5;0.5;0.5;0.5;0.5;0.5;0.5;0.5;0.5;0.6", 44.093877), ("0.9;0.6", 0.963890),
    ]
    var checks = try problems.map { means, constant in
      let arms = try Environments.named("bernoulli:means=\(means)").arms ?? []
      return Check(
        "Lai-Robbins constant of means \(means)", constant, LaiRobbins.constant(arms) ?? .nan,
        within: 1e-6, "Lai and Robbins 1985, theorem 1")
    }
    let clipped = try Environments.named("clipped-gaussian:means=0.7,deviations=3").arms?.first
    checks.append(
      Check(
        "mean of a normal reward (0.7, 3) clipped to 0 ... 1", 0.526454, clipped?.mean ?? .nan,
        within: 1e-6, "numerical integration"))
    return checks
  }

  static func bestArmChecks() throws -> [Check] {
    let weights = TrackAndStopWeights(means: [0.5, 0.45, 0.43, 0.4])
    let source = "Garivier and Kaufmann 2016, section 6"
    var checks = [
      Check(
        "track-and-stop: T* of means .5, .45, .43, .4", 989.7921, weights.characteristicTime,
        within: 1e-3, source)
    ]
    for (index, share) in [0.4165, 0.3903, 0.1362, 0.0570].enumerated() {
      checks.append(
        Check(
          "track-and-stop: w* of variant \(index + 1)", share, weights.weights[index], within: 6e-5,
          source))
    }
    return checks
  }
}
