import Specifications
import Testing

@testable import Bandits

@Suite("Parameters of policies and environments")
struct ParameterTests {
  @Test("policies created from values equal those from specifications")
  func typed() throws {
    func check(_ policy: any Policy, _ text: String, _ variants: [String] = ["a", "b"]) throws {
      #expect(policy.specification.description == text)
      let named = try Policies.named(text, variants: variants)
      let environment = try Environments.named("linear:variants=2,features=2,seed=1")
      let bernoulli = try Environments.named("bernoulli:means=0.3;0.4")
      for environment in [environment, bernoulli] {
        let problem = environment.problem(horizon: 40)
        guard (try? named.makeState(problem)) != nil else { continue }
        let found = try Simulator(PreparedPolicy(policy), environment).run(horizon: 40, seed: 5)
        #expect(found == (try Simulator(named, environment).run(horizon: 40, seed: 5)), "\(text)")
      }
    }
    let greedy = PreparedPolicy(try EpsilonGreedy { $0.epsilon = 0.2 })
    try check(Greedy(), "greedy")
    try check(UCB1(), "ucb1")
    try check(try Thompson { $0.prior.alpha = 2 }, "thompson:alpha=2")
    try check(EpsilonGreedy(), "epsilon-greedy")
    try check(try EpsilonGreedy { $0.epsilon = 0.25 }, "epsilon-greedy:epsilon=0.25")
    try check(try ExploreThenCommit { $0.pulls = 3 }, "etc:pulls=3")
    try check(try Fixed { ($0.variant, $0.variants) = ("b", ["a", "b"]) }, "fixed:variant=b")
    try check(try Weights { $0.values = [3, 1] }, "weights:values=3;1")
    try check(try MOSS { $0.horizon = 40 }, "moss:horizon=40")
    try check(
      try Hedge { ($0.information, $0.eta) = (.bandit, 0.1) }, "hedge:information=bandit,eta=0.1")
    try check(try TsallisINF { $0.estimator = .importanceWeights }, "tsallis-inf:estimator=iw")
    try check(
      try Gradient { ($0.alpha, $0.hasBaseline) = (0.2, false) }, "gradient:alpha=0.2,baseline=no")
    try check(try LilUCB { $0.lambda = 9 }, "lil-ucb:lambda=9")
    try check(
      try SlidingWindowUCB { ($0.window, $0.xi) = (9, 1) }, "sliding-window-ucb:window=9,xi=1")
    try check(try TopTwoThompson { $0.priorBeta = 2 }, "top-two:prior-beta=2")
    try check(
      try LinUCB {
        $0.alpha = 0.5
        ($0.options.lambda, $0.options.models, $0.options.hasIntercept) = (2, .each, true)
      },
      "linucb:alpha=0.5,lambda=2,models=each,intercept=yes")
    try check(
      try Floor { ($0.policy, $0.probability) = (greedy, 0.1) },
      "floor:policy=(epsilon-greedy:epsilon=0.2),probability=0.1")
    try check(
      try Conservative {
        $0.policy = PreparedPolicy(UCB1())
        ($0.baseline, $0.variants, $0.delta) = ("a", ["a", "b"], 0.1)
      },
      "conservative:policy=(ucb1),baseline=a,delta=0.1")
    try check(
      try Exp4 { $0.experts = [PreparedPolicy(UCB1()), PreparedPolicy(Greedy())] },
      "exp4:experts=(ucb1);(greedy)")
    try check(
      try Corral {
        $0.policies = [PreparedPolicy(UCB1()), PreparedPolicy(Thompson())]
        $0.feedback = .agreeing
      },
      "corral:policies=(ucb1);(thompson),feedback=agreeing")
  }

  @Test("environments created from values equal those from specifications")
  func typedEnvironments() throws {
    func check(_ environment: any Environment, _ text: String) throws {
      #expect(environment.specification.description == text)
      let named = try Environments.named(text)
      #expect(
        try Simulator(UCB1(), environment).run(horizon: 60, seed: 3)
          == Simulator(UCB1(), named).run(horizon: 60, seed: 3), "\(text)")
      #expect(environment.variantNames == named.variantNames)
    }
    try check(try BernoulliEnvironment { $0.means = [0.1, 0.9] }, "bernoulli:means=0.1;0.9")
    try check(
      try GaussianEnvironment { ($0.means, $0.deviations) = ([0, 1], [2]) },
      "gaussian:means=0;1,deviations=2")
    try check(
      try TruncatedGaussianEnvironment { ($0.normals.means, $0.normals.high) = ([0.3, 0.7], 2) },
      "truncated-gaussian:means=0.3;0.7,high=2")
    try check(
      try ClippedGaussianEnvironment { ($0.normals.means, $0.normals.low) = ([0.3], -1) },
      "clipped-gaussian:means=0.3,low=-1")
    try check(try PoissonEnvironment { $0.means = [1, 2] }, "poisson:means=1;2")
    try check(try ExponentialEnvironment { $0.means = [1, 2] }, "exponential:means=1;2")
    try check(try BetaEnvironment { ($0.a, $0.b) = ([1, 2], [3]) }, "beta:a=1;2,b=3")
    try check(
      try BetaEnvironment { ($0.means, $0.concentration) = ([0.2, 0.4], [9]) },
      "beta:means=0.2;0.4,concentration=9")
    try check(try ConstantEnvironment { $0.values = [1, 2] }, "constant:values=1;2")
    try check(
      try BayesianEnvironment { ($0.prior, $0.sigma, $0.variants) = (.gaussian, 2, 4) },
      "bayesian:prior=gaussian,sigma=2,variants=4")
    try check(
      try PiecewiseEnvironment { ($0.segments, $0.changes) = ([[0.3, 0.9], [0.8, 0.2]], [20]) },
      "piecewise:means=0.3;0.9|0.8;0.2,changes=20")
    try check(
      try DriftingEnvironment { ($0.variants, $0.step, $0.deviation) = (3, 0.1, 1) },
      "drifting:variants=3,step=0.1,deviation=1")
    try check(
      try SinusoidalEnvironment {
        ($0.means, $0.periods, $0.phases) = ([0.5, 0.5], [10, 20], [0.25])
      },
      "sinusoidal:means=0.5;0.5,periods=10;20,phases=0.25")
    try check(
      try RottingEnvironment { ($0.means, $0.rates, $0.decay) = ([0.5, 0.4], [0.1], .linear) },
      "rotting:means=0.5;0.4,rates=0.1,decay=linear")
    try check(
      try RestlessEnvironment { ($0.good, $0.fall) = ([0.9, 0.8], [0.2]) },
      "restless:good=0.9;0.8,fall=0.2")
    try check(
      try LinearEnvironment {
        ($0.shape.variants, $0.shape.contexts, $0.shape.seed) = (3, .variants, 7)
        $0.noise = 0
      },
      "linear:variants=3,contexts=variants,seed=7,noise=0")
    try check(
      try LogisticEnvironment { ($0.shape.features, $0.scale) = (2, 3) },
      "logistic:features=2,scale=3")
    let bernoulli = try BernoulliEnvironment { $0.means = [0.1, 0.9] }
    try check(
      try DelayedEnvironment { ($0.environment, $0.mean) = (bernoulli, 10) },
      "delayed:environment=(bernoulli:means=0.1;0.9),mean=10")
    try check(
      try ScheduledEnvironment { ($0.environment, $0.absent) = (bernoulli, "2@5-9") },
      "schedule:environment=(bernoulli:means=0.1;0.9),absent=2@5-9")
    let table = try CSVTable("a,b\n1,2\n3,4\n", name: "rewards.csv")
    #expect(
      try Simulator(UCB1(), try AdversarialEnvironment { $0.table = table }).run(horizon: 2)
        .outcomes[0]
        .points[1].reward >= 3)
  }

  @Test("a value out of range is the same error as in a specification")
  func errors() {
    func check(_ text: String, _ make: () throws -> any Policy) {
      let typed = #expect(throws: SpecificationError.self) { try make() }
      let named = #expect(throws: SpecificationError.self) {
        try Policies.named(text, variants: ["a", "b"])
      }
      #expect(typed == named)
    }
    check("thompson:alpha=0") { try Thompson { $0.prior.alpha = 0 } }
    check("epsilon-greedy:epsilon=inf") { try EpsilonGreedy { $0.epsilon = .infinity } }
    check("etc:pulls=0") { try ExploreThenCommit { $0.pulls = 0 } }
    check("m-ucb:window=3") { try MonitoredUCB { $0.window = 3 } }
    check("weights:values=0;0") { try Weights { $0.values = [0, 0] } }
    check("fixed:variant=c") { try Fixed { ($0.variant, $0.variants) = ("c", ["a", "b"]) } }
    check("floor:policy=(ucb1),probability=2") {
      try Floor { ($0.policy, $0.probability) = (PreparedPolicy(UCB1()), 2) }
    }
    #expect(throws: SpecificationError.self) { try Corral { $0.eta = 1 } }
    let typed = #expect(throws: SpecificationError.self) {
      try BernoulliEnvironment { $0.means = [2] }
    }
    let named = #expect(throws: SpecificationError.self) {
      try Environments.named("bernoulli:means=2")
    }
    #expect(typed == named)
    #expect(throws: SpecificationError.self) { try BernoulliEnvironment { $0.means = [] } }
    #expect(throws: SpecificationError.self) { try BayesianEnvironment { $0.mean = 1 } }
  }

  @Test("numbers beyond the listed range are rejected, with the range in the error")
  func ranges() throws {
    let needed = [
      "fixed": "variant=1", "weights": "values=1;1", "floor": "policy=(ucb1)",
      "conservative": "policy=(ucb1),baseline=1", "corral": "policies=(ucb1)",
    ]
    var count = 0
    for info in Policies.all {
      for parameter in info.parameters {
        guard let range = parameter.range else { continue }
        count += 1
        for beyond in ["-1e308", "1e308", "-9223372036854775807", "none"] {
          let rest = needed[info.name].map { ",\($0)" } ?? ""
          let text = "\(info.name):\(parameter.key)=\(beyond)\(rest)"
          let error = #expect(throws: SpecificationError.self) {
            try Policies.named(text, variants: ["1", "2"])
          }
          #expect(
            error?.description.contains("must be a") == true
              && error?.description.contains("from") == true, "\(text)")
        }
        #expect(range.lowerBound < range.upperBound)
      }
    }
    #expect(count > 60)
  }
}
