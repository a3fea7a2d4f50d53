import Specifications
import Statistics

@testable import Bandits

/// One way to write each environment, and the files and logs that they name.
enum EnvironmentExamples {
  static let texts = [
    "bernoulli:means=0.1;0.9", "gaussian:means=0;1,deviations=0.5",
    "truncated-gaussian:means=0.3;0.7,deviations=0.5",
    "clipped-gaussian:means=0.3;0.7,deviations=3;0.5", "poisson:means=0;2.5;40",
    "exponential:means=1;2", "beta:a=1;2,b=2;0.5", "beta:means=0.2;0.4,concentration=10",
    "constant:values=1;-2", "bayesian:variants=5", "bayesian:prior=gaussian,sigma=2,variants=4",
    "log:path=shop,experiment=button", "piecewise:means=0.3;0.5;0.9|0.3;0.9;0.1,changes=100",
    "piecewise:means=3;5|7;-1|0;0,changes=10;300,deviation=2", "drifting:variants=3,step=0.05",
    "drifting:means=2;5,step=1,low=-1,high=8,deviation=0.5",
    "sinusoidal:means=0.5;0.6,amplitudes=0.4,periods=100;37", "rotting:means=0.9;0.8",
    "restless:good=0.9;0.8,bad=0.1,rise=0.05,fall=0.1", "adversarial:path=rewards.csv",
    "linear:variants=3,features=4", "linear:contexts=variants,seed=7,noise=0",
    "logistic:variants=3,features=2", "supervised:path=shapes.csv,label=kind,ignore=id",
    "delayed:environment=(bernoulli:means=0.1;0.9),mean=3",
    "delayed:environment=(linear:variants=2,features=2),steps=4",
    "schedule:environment=(bernoulli:means=0.1;0.5;0.9),absent=3@2-50;2@200-",
    "schedule:environment=(delayed:environment=(drifting:variants=2),steps=2),absent=1@5-10",
  ]

  static let files = [
    "rewards.csv": "north,south\n0.5,1\n0.25,0\n1,0.75\n",
    "shapes.csv": "id,size,colour,kind\n1,1,red,round\n2,3,blue,square\n3,5,red,round\n4,,,flat\n",
  ]

  static let sources = EnvironmentSources(
    text: { (path) throws(SpecificationError) in
      guard let text = files[path] else { throw SpecificationError("there is no \(path)") }
      return text
    },
    other: { (specification) throws(SpecificationError) in
      guard specification.name == "log" else { return nil }
      return try EmpiricalEnvironment(
        specification, variantNames: ["blue", "green"],
        rewards: [ObservedRewards([1, 1], zeros: 1), ObservedRewards([2, 0.5])])
    })

  static func make(_ text: String) throws -> any Environment {
    try Environments.named(text, sources)
  }
}

/// A run, step by step.
func steps(_ text: String, seed: UInt64 = 1, horizon: Int = 1000) throws -> any ChangingRun {
  try EnvironmentExamples.make(text).makeRun(StreamKey(seed: seed), horizon: horizon).stepwise
}

/// The rewards of one variant at the first steps of a run.
func sample(_ text: String, variant: Int, count: Int, seed: UInt64 = 1) throws -> [Double] {
  var run = try steps(text, seed: seed, horizon: count)
  return (0..<count).map { step in
    run.begin(step)
    return run.reward(variant)
  }
}

/// The Kolmogorov-Smirnov distance over the bound that a correct sampler exceeds with a probability of 10⁻⁶ at most, by
/// P. Massart's form of the Dvoretzky-Kiefer-Wolfowitz inequality (1990): P(D > d) ≤ 2·exp(−2nd²).
func distanceRatio(_ sample: [Double], _ cdf: (Double) -> Double) -> Double {
  let n = Double(sample.count)
  var distance = 0.0
  for (index, value) in sample.sorted().enumerated() {
    let p = cdf(value)
    distance = max(distance, p - Double(index) / n, Double(index + 1) / n - p)
  }
  return distance / (14.508657738524219 / (2 * n)).squareRoot()
}

/// Whether values have this mean, to within five of their own standard errors.
func hasMean(_ values: [Double], _ mean: Double) -> Bool {
  let differences = values.map { $0 - mean }
  let squares = differences.reduce(0) { $0 + $1 * $1 }
  return abs(differences.reduce(0, +)) <= 5 * squares.squareRoot() + 1e-9
}
