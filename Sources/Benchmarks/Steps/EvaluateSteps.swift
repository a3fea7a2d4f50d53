/// The value of another policy, as a whole process: of a log whose units have one decision each, which suits the code,
/// and of one whose units have several decisions with late goals, which does not.
struct EvaluateSteps {
  private let bandolier: String
  private let singles: String
  private let several: String
  private let events: Int

  /// Writes both logs.
  init(bandolier: String, folder: String, events: Int, seed: UInt64) throws {
    self.bandolier = bandolier
    self.events = events
    singles = folder + "/singles.log"
    several = folder + "/several.log"
    _ = try ProcessRun([
      bandolier, "simulate", "--environment",
      "bernoulli:means=0.01;0.02;0.03;0.04;0.05;0.06;0.07;0.08;0.09", "--policy", "uniform",
      "--horizon", "\(events)", "--runs", "1", "--seed", "\(seed)", "--log", singles, "--output",
      folder + "/singles.csv",
    ])
    _ = try ProcessRun([
      bandolier, "generate", "storefront", "--events", "\(events)", "--seed", "\(seed)", "--log",
      several,
    ])
  }

  func steps() -> [Step] {
    let questions = [
      ("ips and snips", ["--estimator", "ips", "--estimator", "snips"]),
      ("dr, tabular model", ["--estimator", "dr"]),
      (
        "snips, bootstrap of 1,000 replicates",
        ["--estimator", "snips", "--interval", "bootstrap:replicates=1000"]
      ),
    ]
    return questions.flatMap { name, options in
      [
        step(
          "\(name), one decision per unit", singles, ["--policy", "weights:1=1;2=2;3=3"] + options),
        step(
          "\(name), several decisions per unit", several,
          ["--experiment", "homepage", "--policy", "uniform"] + options),
      ]
    }
  }

  private func step(_ name: String, _ log: String, _ options: [String]) -> Step {
    let command = [bandolier, "evaluate", log] + options
    return Step(name: "evaluate \(name)", events: events) { Measurement(try ProcessRun(command)) }
  }
}
