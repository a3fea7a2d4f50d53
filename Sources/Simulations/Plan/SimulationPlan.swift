public import Bandits
public import Specifications

/// The plan of a simulation: every policy in every environment, with a number of runs of each.
public struct SimulationPlan: Sendable, Hashable {
  /// The specifications of the environments, such as `bernoulli:means=0.1;0.9`.
  public var environments: [String]
  /// The specifications of the policies, such as `ucb:alpha=1`.
  public var policies: [String]
  /// The rules of a run.
  public var rules: RunRules
  /// The number of runs of each pair.
  public var runs: Int
  /// The seed of all random streams.
  public var seed: UInt64
  /// Whether all policies see the same rewards in a run.
  public var isPaired: Bool
  /// The specification of the rewards that policies learn before their first decision, such as
  /// `log:path=shop,experiment=button`; nil for none.
  public var warmStart: String?
  /// The contents of the files and logs that environments and warm start read, in the order in which they were read:
  /// outcomes with different contents belong to different plans.
  public var sources: [PlanSource] = []

  /// Creates a plan.
  public init(
    environments: [String] = [], policies: [String] = [],
    rules: RunRules = RunRules(horizon: 10_000),
    runs: Int = 100, seed: UInt64 = 1, isPaired: Bool = true, warmStart: String? = nil
  ) {
    self.environments = environments
    self.policies = policies
    self.rules = rules
    self.runs = runs
    self.seed = seed
    self.isPaired = isPaired
    self.warmStart = warmStart
  }

  /// Returns a pair of environment and policy in messages: `ucb1 in bernoulli:means=0.1;0.9`.
  func pairName(_ pair: Int) -> String {
    "\(policies[pair % policies.count]) in \(environments[pair / policies.count])"
  }

  /// The steps at which the outcomes of a run are recorded.
  public var steps: [Int] { rules.checkpoints.steps(horizon: rules.horizon) }

  /// The steps that tables show, each with its place among all: those of curves are for plots alone.
  var tableSteps: [(place: Int, step: Int)] {
    let shown = Set(
      (rules.checkpoints == .curve ? Checkpoints.logarithmic : rules.checkpoints)
        .steps(horizon: rules.horizon))
    return steps.enumerated().filter { shown.contains($1) }.map { (place: $0, step: $1) }
  }

  /// Records the steps of curves too, which plots draw and tables leave out, if the checkpoints are the standard ones
  /// and the outcomes of all runs fit into memory.
  public mutating func recordCurves() {
    guard rules.checkpoints == .logarithmic else { return }
    var dense = self
    dense.rules.checkpoints = .curve
    if PreparedPlan.fits(dense) { self = dense }
  }
}

/// A file or log that a plan reads, with a fingerprint of its content.
public struct PlanSource: Sendable, Hashable {
  /// The path as given.
  public var path: String
  /// The fingerprint of the content, such as a checksum and a length.
  public var content: String

  /// Creates a source.
  public init(path: String, content: String) {
    self.path = path
    self.content = content
  }
}

/// An error in a plan.
public struct PlanError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault, its place and its remedy.
  public var description: String

  /// Creates an error from its reason.
  public init(_ description: String) { self.description = description }
}

/// A plan with its environments and policies, ready to run.
public struct PreparedPlan: Sendable {
  /// The plan.
  public private(set) var plan: SimulationPlan
  /// The environments in the order of the plan.
  public let environments: [any Environment]
  /// The simulations of all pairs of environment and policy, those of the first environment first.
  let simulations: [Simulation]

  /// Creates the environments and policies, and checks that every policy supports every environment.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - makeEnvironment: Returns the environment of a specification; `Environments.named` by default. Environments
  ///     that read files need a function of their own.
  ///   - policies: The policies that the plan can name; the built-in ones by default.
  ///   - makeWarmStart: Returns what policies learn before their first decision in an environment, from the
  ///     specification in the plan; nil for nothing, if no run will be made. Called only for plans with a warm start.
  /// - Throws: ``PlanError`` that names what cannot be used.
  public init(
    _ plan: SimulationPlan,
    makeEnvironment: (String) throws -> any Environment = { try Environments.named($0) },
    policies: PolicyCatalog = .standard,
    makeWarmStart: (String, any Environment) throws -> WarmStart? = Self.noWarmStart
  ) throws {
    try Self.check(plan)
    self.plan = plan
    environments = try plan.environments.map { text in
      do { return try makeEnvironment(text) } catch let error as SpecificationError {
        throw PlanError("environment \(text): \(error)")
      }
    }
    var simulations: [Simulation] = []
    for environment in environments {
      let warmStart = try plan.warmStart.flatMap { text in
        do { return try makeWarmStart(text, environment) } catch let error as SpecificationError {
          throw PlanError("warm start in \(environment.specification): \(error)")
        }
      }
      for text in plan.policies {
        simulations.append(try Self.simulation(text, policies, environment, warmStart, plan))
      }
    }
    self.simulations = simulations
  }

  /// Rejects a warm start, as there is no log.
  ///
  /// - Throws: `SpecificationError`, always.
  public static func noWarmStart(
    _ text: String, _ environment: any Environment
  ) throws -> WarmStart? {
    throw SpecificationError("\(text) needs a log, and none is at hand")
  }

  /// Records the contents of the files and logs that were read to prepare the plan.
  public mutating func note(sources: [PlanSource]) { plan.sources = sources }

  private static func simulation(
    _ text: String, _ policies: PolicyCatalog, _ environment: any Environment,
    _ warmStart: WarmStart?, _ plan: SimulationPlan
  ) throws -> Simulation {
    do {
      var policy = try policies.named(text, variants: environment.variantNames)
      if let warmStart {
        policy = try policy.warmed(
          by: warmStart, for: environment.problem(horizon: plan.rules.horizon))
      }
      let simulation = Simulation(
        environment, policy, plan.rules, seed: plan.seed, isPaired: plan.isPaired)
      try simulation.check()
      return simulation
    } catch {
      throw PlanError("policy \(text) in \(environment.specification): \(error)")
    }
  }

  /// The maximum number of outcomes of runs at checkpoints; each takes 48 bytes of memory.
  fileprivate static let mostPoints = 50_000_000

  private static func check(_ plan: SimulationPlan) throws {
    guard !plan.environments.isEmpty else {
      throw PlanError("there is no environment; name one, such as bernoulli:means=0.1;0.9")
    }
    guard !plan.policies.isEmpty else {
      throw PlanError("there is no policy; name one, such as thompson")
    }
    for (kind, list) in [("environment", plan.environments), ("policy", plan.policies)] {
      var seen: Set<String> = []
      for text in list where !seen.insert(text).inserted {
        throw PlanError("\(kind) \(text) is given twice; keep one")
      }
    }
    guard plan.runs >= 1, plan.runs <= 100_000_000 else {
      throw PlanError("runs must be 1 to 100000000")
    }
    guard plan.rules.horizon >= 1, plan.rules.horizon <= 1_000_000_000 else {
      throw PlanError("the horizon must be 1 to 1000000000")
    }
    guard plan.rules.batch >= 1 else { throw PlanError("a batch has at least 1 decision") }
    guard fits(plan) else {
      throw PlanError(
        "all runs together would have more than \(mostPoints) checkpoints, which are kept until the end; take fewer "
          + "(--checkpoints), or make several plans of it")
    }
  }
}

extension PreparedPlan {
  /// Whether the outcomes of all runs of a plan fit into memory.
  fileprivate static func fits(_ plan: SimulationPlan) -> Bool {
    let pairs = plan.environments.count.multipliedReportingOverflow(by: plan.policies.count)
    let runs = pairs.partialValue.multipliedReportingOverflow(by: plan.runs)
    let points = runs.partialValue.multipliedReportingOverflow(by: plan.steps.count)
    return !pairs.overflow && !runs.overflow && !points.overflow && points.partialValue <= mostPoints
  }

  /// The only simulation; nil if there are several.
  public var single: Simulation? { simulations.count == 1 ? simulations.first : nil }
}

extension PlanError: ExitCoded {
  package var exitCode: ExitCode { .usage }
}
