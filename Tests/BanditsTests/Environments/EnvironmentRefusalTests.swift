import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Invalid environments")
struct EnvironmentRefusalTests {
  static let refused = [
    ("nothing:means=1", "unknown environment"), ("bernoulli", "needs means"),
    ("bernoulli:means=", "must be a number"), ("bernoulli:means=0.5;1.5", "from 0.0 to 1.0"),
    ("bernoulli:mean=0.5", "no parameter \"mean\""), ("gaussian:means=0;nan", "must be a number"),
    ("gaussian:means=0;1;2,deviations=1;2", "has 2 numbers, and there are 3 variants"),
    ("gaussian:means=0,deviations=-1", "must be a number"),
    ("truncated-gaussian:means=0.5,low=1,high=1", "must be above low"),
    ("truncated-gaussian:means=80", "cannot be cut"),
    ("clipped-gaussian:means=0.5,deviations=1e7", "cannot be cut"),
    ("clipped-gaussian:means=1e100,deviations=1e-100", "cannot be cut"),
    ("poisson:means=-1", "must be a number"), ("poisson:means=1e16", "must be a number"),
    ("exponential:means=0", "must be a number"), ("beta:a=1", "needs a and b"),
    ("beta:a=1;2,b=1;2;3", "has 3 numbers"), ("beta:a=0,b=1", "must be a number"),
    ("beta:means=0.5,a=1", "beside means"), ("beta:a=1,b=1,concentration=2", "beside a and b"),
    ("bayesian:prior=cauchy", "must be one of beta, gaussian"),
    ("bayesian:sigma=1", "beside prior=beta"), ("bayesian:variants=0", "whole number"),
    ("bayesian:prior=gaussian,a=1", "beside prior=gaussian"),
    ("bayesian:variants=99999999999", "whole number"), ("piecewise", "needs means"),
    ("piecewise:means=0.1;0.2|0.3,changes=5", "different numbers of means"),
    ("piecewise:means=0.1|0.2|0.3,changes=5", "3 segments of means and 1 changes"),
    ("piecewise:means=0.1|0.2|0.3,changes=5;5", "above the one before"),
    ("piecewise:means=0.1|0.2,changes=0", "above 0"),
    ("piecewise:means=0.1|2,changes=1", "from 0.0 to 1.0"),
    ("piecewise:means=0.1||0.2,changes=1;2", "must be a number"),
    ("drifting:low=-1", "from 0.0 to 1.0"), ("drifting:low=0.5,means=0.2", "must be a number"),
    ("drifting:means=0.5,variants=3", "beside means"),
    ("drifting:low=0.6,high=0.4", "must be above low"),
    ("sinusoidal:means=0.5,amplitudes=0.6", "take a smaller amplitude"),
    ("sinusoidal:means=0.5,periods=0", "must be a number"),
    ("sinusoidal:means=0.5;0.5,phases=0;0;0", "has 3 numbers"),
    ("rotting:means=0.5,decay=sudden", "must be one of power, linear, exponential"),
    ("rotting:means=0.5,low=0.6", "must be a number"),
    ("rotting:means=-1,low=-2,deviation=1", "only reached by decay=linear"),
    ("restless:bad=0.5", "needs good"), ("restless:good=0.5,rise=2", "must be a number"),
    ("adversarial", "needs a file"), ("adversarial:path=", "needs a file"),
    ("adversarial:path=none.csv", "there is no none.csv"),
    ("linear:contexts=mine", "must be one of shared, variants"),
    ("linear:features=100000", "whole number"), ("linear:seed=-1", "whole number"),
    ("linear:noise=-1", "must be a number"), ("logistic:noise=1", "no parameter"),
    ("supervised:path=shapes.csv", "must be one of the columns"),
    ("supervised:path=shapes.csv,label=kind,ignore=weight", "no column \"weight\""),
    ("supervised:path=shapes.csv,label=size", "line 5: the label in column size is empty"),
    ("delayed:mean=3", "needs another environment"),
    ("delayed:environment=(bernoulli:means=0.5)", "needs mean or steps"),
    ("delayed:environment=(bernoulli:means=0.5),mean=1,steps=1", "beside steps"),
    ("delayed:environment=(bernoulli:means=0.5),steps=-1", "whole number"),
    ("delayed:environment=(bernoulli:means=2),mean=1", "from 0.0 to 1.0"),
    ("schedule:environment=(bernoulli:means=0.5;0.6)", "needs absent"),
    ("schedule:environment=(bernoulli:means=0.5;0.6),absent=3@1-2", "names no variant"),
    ("schedule:environment=(bernoulli:means=0.5;0.6),absent=2", "names no variant"),
    ("schedule:environment=(bernoulli:means=0.5;0.6),absent=2@5", "must be NAME@FIRST-LAST"),
    ("schedule:environment=(bernoulli:means=0.5;0.6),absent=2@5-3", "must be NAME@FIRST-LAST"),
    ("schedule:environment=(bernoulli:means=0.5;0.6),absent=2@0-3", "must be NAME@FIRST-LAST"),
    (
      "schedule:environment=(bernoulli:means=0.5;0.6),absent=2@5-9;1@9-10",
      "no variant is left at decision 9"
    ),
    ("schedule:environment=(rotting:means=0.5;0.6),absent=1@1-2", "depend on choices"),
    (
      "schedule:environment=(delayed:environment=(rotting:means=0.5),steps=1),absent=1@1-2",
      "depend on choices"
    ),
    (
      "schedule:environment=(schedule:environment=(bernoulli:means=0.5;0.6),absent=1@1-2),absent=2@5-6",
      "in one"
    ),
  ]

  @Test("are rejected with a remedy", arguments: refused)
  func refusals(text: String, reason: String) throws {
    let error = #expect(throws: SpecificationError.self) { try EnvironmentExamples.make(text) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "none")")
  }

  @Test("those that need a file or a log report that it is missing")
  func noSources() throws {
    for text in ["adversarial:path=a.csv", "log:path=a", "supervised:path=a.csv,label=b"] {
      let error = #expect(throws: SpecificationError.self) { try Environments.named(text) }
      #expect(error?.description.contains("at hand") == true)
    }
    #expect(throws: SpecificationError.self) {
      try AdversarialEnvironment(Specification("adversarial"))
    }
    let wrapped = try DelayedEnvironment(
      Specification(parsing: "delayed:environment=(bernoulli:means=0.5),steps=1"))
    #expect(wrapped.inner.problem(horizon: 1).variants == 1)
  }

  @Test("the nesting of environments is limited")
  func nesting() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "delayed:environment=(", count: depth) + "bernoulli:means=0.5"
        + String(repeating: "),steps=1", count: depth)
    }
    var run = try steps(nested(8))
    run.begin(0)
    #expect(run.delay() == 8)
    for depth in [9, 20_000] {
      #expect(throws: SpecificationError.self) { try Environments.named(nested(depth)) }
    }
  }

  @Test("no specification traps")
  func hostile() throws {
    let values = [
      "0", "1", "-1", "0.5", "1e100", "-1e100", "1e-100", "9223372036854775807", "0.5;0.5",
      "1;2;3", "", ";", "nan", "inf", "x", "0.1;0.9|0.9;0.1", "1;1e12", "beta", "gaussian",
      "(bernoulli:means=0.5;1)", "(bayesian:prior=gaussian)", "1@1-5", "2@3-", "1@-", "@-",
      "2@9223372036854775807-9223372036854775807", "variants", "linear", "power", "kind",
      "rewards.csv", "shapes.csv", "1e308", "1000", "1e9", "1e15",
    ]
    var random = SeededGenerator(seed: 11)
    var made = 0
    for _ in 0..<6000 {
      let info = random.pick(Environments.all, or: BernoulliEnvironment.info)
      var specification = Specification(info.name)
      for parameter in info.parameters
      where random.chance(["path", "means", "environment"].contains(parameter.key) ? 0.95 : 0.4) {
        specification.parameters.append(
          .init(key: parameter.key, value: random.pick(values, or: "0")))
      }
      guard
        let environment = try? Environments.named(
          specification.description, EnvironmentExamples.sources)
      else { continue }
      let problem = environment.problem(horizon: 5)
      guard problem.variants * (1 + problem.variantFeatures + problem.sharedFeatures) < 20_000
      else { continue }
      made += 1
      var run = environment.makeRun(StreamKey(seed: 5), horizon: 5).stepwise
      for step in 0..<4 {
        run.begin(step)
        let variant = random.index(problem.variants)
        #expect(run.mean(variant).isFinite && run.optimum.isFinite, "\(specification)")
        #expect(run.reward(variant).isFinite, "\(specification)")
        #expect(run.delay() >= 0, "\(specification)")
        #expect(run.context.shared.allSatisfy { $0.isFinite }, "\(specification)")
      }
    }
    #expect(made > 500)
  }
}
