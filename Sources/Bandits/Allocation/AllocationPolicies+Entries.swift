internal import Statistics

/// The policies and where they come from.
extension AllocationPolicies {
  static var fixedEntries: [Entry] {
    [
      Entry(
        "uniform", "each choice with the same probability",
        source: "Lattimore and Szepesvári 2020, chapter 1"
      ) { specification, _ in UniformAllocation(specification: specification) },
      Entry(
        "weights", "each choice with a given share",
        [
          Parameter(
            key: "values", standard: nil, meaning: "a weight for each choice, from 0, such as 3;1;1"
          )
        ],
        source: "fixed allocation"
      ) { specification, _ throws(SpecificationError) in try WeightedAllocation(specification) },
      Entry(
        "fixed", "always the same choice",
        [Parameter(key: "variant", standard: nil, meaning: "the name of the choice")],
        source: "fixed allocation"
      ) { specification, variants throws(SpecificationError) in
        try FixedAllocation(specification, variants: variants)
      },
    ]
  }

  static var greedyEntries: [Entry] {
    [
      Entry(
        "greedy", "the best mean so far, those never chosen first",
        source: "Sutton and Barto 2018, section 2.2"
      ) { specification, _ in GreedyAllocation(specification: specification) },
      Entry(
        "epsilon-greedy", "any choice with probability epsilon, else the greedy one",
        [
          Parameter(
            key: "epsilon", standard: "0.1", meaning: "probability of a choice at random, 0 to 1")
        ],
        source: "Sutton and Barto 2018, section 2.2"
      ) { specification, _ throws(SpecificationError) in try EpsilonGreedyAllocation(specification)
      },
    ]
  }

  static var exploringEntries: [Entry] {
    [
      Entry(
        "softmax", "probabilities in proportion to exp(mean / temperature)",
        [
          Parameter(
            key: "temperature", standard: "0.1",
            meaning: "how far below the best a mean may be to be chosen often, 1e-9 to 1e9")
        ],
        source: "Sutton and Barto 1998, equation 2.2"
      ) { specification, _ throws(SpecificationError) in try SoftmaxAllocation(specification) },
      Entry(
        "etc", "each choice so often, then the best one for good",
        [Parameter(key: "pulls", standard: "100", meaning: "decisions for each choice, from 1")],
        source: "Lattimore and Szepesvári 2020, algorithm 1"
      ) { specification, _ throws(SpecificationError) in try CommittingAllocation(specification) },
    ]
  }

  static var boundEntries: [Entry] {
    [
      index(
        "ucb1", "mean + sqrt(2 ln t / n)",
        source: "Auer, Cesa-Bianchi and Fischer 2002, figure 1"
      ) { _ in ArmIndex.ucb1 },
      index(
        "ucb", "mean + sqrt(alpha ln t / (2 n))",
        [Parameter(key: "alpha", standard: "1", meaning: "how wide the bound is, 0 to 1e9")],
        source: "Bubeck and Cesa-Bianchi 2012, section 2.2"
      ) { specification throws(SpecificationError) in
        let alpha = try specification.number("alpha", default: 1, in: 0...1e9)
        return { ArmIndex.ucb($0, $1, alpha: alpha) }
      },
      index(
        "ucb1-tuned", "mean + sqrt(ln t / n min(1/4, variance + sqrt(2 ln t / n)))",
        source: "Auer, Cesa-Bianchi and Fischer 2002, section 4"
      ) { _ in ArmIndex.ucb1Tuned },
      index(
        "ucb-v", "mean + sqrt(2 variance zeta ln t / n) + 3 c zeta ln t / n",
        [
          Parameter(key: "zeta", standard: "1", meaning: "factor of ln t, 0 to 1e9"),
          Parameter(key: "c", standard: "1", meaning: "factor of the last term, 0 to 1e9"),
        ],
        source: "Audibert, Munos and Szepesvári 2009, equation 1"
      ) { specification throws(SpecificationError) in
        let zeta = try specification.number("zeta", default: 1, in: 0...1e9)
        let c = try specification.number("c", default: 1, in: 0...1e9)
        return { ArmIndex.ucbV($0, $1, zeta: zeta, c: c) }
      },
      index(
        "moss", "mean + sqrt(max(0, ln(t / (K n))) / n)",
        [
          Parameter(
            key: "horizon", standard: nil,
            meaning: "decisions there will be, in place of t; without it t is those so far")
        ],
        source: "Audibert and Bubeck 2009, section 2; anytime: Degenne and Perchet 2016"
      ) { specification throws(SpecificationError) in
        var horizon: Double?
        if specification["horizon"] != nil {
          horizon = Double(try specification.integer("horizon", default: 1, in: 1...Int.max))
        }
        return { [horizon] in ArmIndex.moss($0, $1, horizon: horizon) }
      },
    ]
  }

  static var divergenceEntries: [Entry] {
    [
      index(
        "kl-ucb", "the largest q with n kl(mean, q) <= ln t + c ln ln t, for rewards in 0 to 1",
        [Parameter(key: "c", standard: "0", meaning: "factor of ln ln t, 0 to 1e9")],
        source: "Garivier and Cappé 2011, algorithm 1", needsUnitRewards: true
      ) { specification throws(SpecificationError) in
        let c = try specification.number("c", default: 0, in: 0...1e9)
        return { ArmIndex.klUCB($0, $1, c: c) }
      },
      index(
        "imed", "the least n kl(mean, best mean) + ln n, for rewards in 0 to 1",
        source: "Honda and Takemura 2015, algorithm 1", needsUnitRewards: true
      ) { _ in ArmIndex.imed },
    ]
  }

  static var bayesianEntries: [Entry] {
    let prior = [
      Parameter(key: "alpha", standard: "1", meaning: "successes assumed beforehand, 0.001 to 1e9"),
      Parameter(key: "beta", standard: "1", meaning: "failures assumed beforehand, 0.001 to 1e9"),
    ]
    return [
      index(
        "bayes-ucb", "quantile 1 - 1/t of the Beta posterior, for rewards in 0 to 1", prior,
        source: "Kaufmann, Cappé and Garivier 2012, algorithm 1", needsUnitRewards: true
      ) { specification throws(SpecificationError) in
        let prior = try BetaPrior(specification)
        return { ArmIndex.bayesUCB($0, $1, prior: prior) }
      },
      Entry(
        "thompson", "probability to have the best mean, by Beta posteriors, for rewards in 0 to 1",
        prior, source: "Thompson 1933; Kaufmann, Korda and Munos 2012"
      ) { specification, _ throws(SpecificationError) in try ThompsonAllocation(specification) },
      Entry(
        "thompson-gaussian", "probability to have the best mean, by normal posteriors",
        [
          Parameter(key: "sigma", standard: "1", meaning: "standard deviation of a reward"),
          Parameter(key: "mean", standard: "0", meaning: "mean assumed beforehand"),
          Parameter(key: "deviation", standard: "1", meaning: "how far the mean may be from it"),
        ],
        source: "Agrawal and Goyal 2013, algorithm 2"
      ) { specification, _ throws(SpecificationError) in
        try GaussianThompsonAllocation(specification)
      },
    ]
  }

  /// A policy that follows an index.
  private static func index(
    _ name: String, _ summary: String, _ parameters: [Parameter] = [], source: String,
    needsUnitRewards: Bool = false,
    _ make:
      @escaping @Sendable (Specification) throws(SpecificationError)
      -> @Sendable (ArmTally, IndexAllocation.Situation) -> Double
  ) -> Entry {
    Entry(name, summary, parameters, source: source) {
      specification, _ throws(SpecificationError) in
      IndexAllocation(
        specification: specification, needsUnitRewards: needsUnitRewards,
        index: try make(specification))
    }
  }
}
