public import Bandits
internal import Statistics

/// What is to be simulated: every policy in every environment, so many runs of each.
public struct SimulationPlan: Sendable, Hashable {
  /// The environments as they are written, such as `bernoulli:means=0.1;0.9`.
  public var environments: [String]
  /// The policies as they are written, such as `ucb:alpha=1`.
  public var policies: [String]
  /// How runs are made.
  public var rules: RunRules
  /// How many runs there are of each pair.
  public var runs: Int
  /// What all randomness follows from.
  public var seed: UInt64
  /// Whether all policies see the same rewards of a run.
  public var isPaired: Bool
  /// The rewards that policies learn before their first decision, as they are written, such as
  /// `log:path=shop,experiment=button`; nil for none.
  public var warmStart: String?
  /// What was in the files and logs that environments and warm start name, once they were read, in the order in which
  /// they were: outcomes are of other plans where it differs.
  public var sources: [PlanSource] = []

  /// Makes a plan.
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

  /// The steps at which runs are looked at.
  public var steps: [Int] { rules.checkpoints.steps(horizon: rules.horizon) }
}

/// A file or log that a plan reads, and what was in it.
public struct PlanSource: Sendable, Hashable {
  /// The path as it is written.
  public var path: String
  /// What tells its content from any other, such as a checksum and a length.
  public var content: String

  /// Describes a source.
  public init(path: String, content: String) {
    self.path = path
    self.content = content
  }
}

/// Why a plan cannot be carried out.
public struct PlanError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, where, and how to mend it.
  public var description: String

  /// Makes an error from its reason.
  public init(_ description: String) { self.description = description }
}

/// A plan whose environments and policies are ready.
public struct PreparedPlan: Sendable {
  /// What was asked for.
  public private(set) var plan: SimulationPlan
  /// The environments in the order of the plan.
  public let environments: [any Environment]
  /// One simulation for each environment and policy: those of the first environment first.
  let simulations: [Simulation]

  /// Makes everything ready, and sees to it that every policy is one for every environment.
  ///
  /// - Parameters:
  ///   - plan: What is asked for.
  ///   - makeEnvironment: Makes the environment that a specification names; `Environments.named` by default. Those that
  ///     come from files are made by who may read files.
  ///   - policies: The policies that the plan can name; the built-in ones by default.
  ///   - makeWarmStart: Makes what policies learn before their first decision in an environment, from what is written in
  ///     the plan; nil for nothing, where no run will be made. Called only for plans with a warm start.
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

  /// Refuses a warm start: no log is at hand.
  ///
  /// - Throws: `SpecificationError`, always.
  public static func noWarmStart(
    _ text: String, _ environment: any Environment
  ) throws -> WarmStart? {
    throw SpecificationError("\(text) needs a log, and none is at hand")
  }

  /// Says what was in the files and logs that were read to make the plan ready.
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

  /// What a run came to at a checkpoint takes 48 bytes of memory.
  private static let mostPoints = 50_000_000

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
        throw PlanError("\(kind) \(text) stands twice; keep one")
      }
    }
    guard plan.runs >= 1, plan.runs <= 100_000_000 else {
      throw PlanError("runs must be 1 to 100000000")
    }
    guard plan.rules.horizon >= 1, plan.rules.horizon <= 1_000_000_000 else {
      throw PlanError("the horizon must be 1 to 1000000000")
    }
    guard plan.rules.batch >= 1 else { throw PlanError("a batch has at least 1 decision") }
    let pairs = plan.environments.count.multipliedReportingOverflow(by: plan.policies.count)
    let runs = pairs.partialValue.multipliedReportingOverflow(by: plan.runs)
    let points = runs.partialValue.multipliedReportingOverflow(by: plan.steps.count)
    guard !pairs.overflow, !runs.overflow, !points.overflow, points.partialValue <= mostPoints
    else {
      throw PlanError(
        "all runs together would have more than \(mostPoints) checkpoints, which are kept until the end; take fewer "
          + "(--checkpoints), or make several plans of it")
    }
  }
}

extension PreparedPlan {
  /// The only simulation; nil when there are several.
  public var single: Simulation? { simulations.count == 1 ? simulations.first : nil }
}
