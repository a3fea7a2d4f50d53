/// What is true of a generated log: the parameters it was drawn from and what was drawn.
///
/// Rewards are per counted decision, as the `rewards` report has them under `last` attribution: a
/// decision counts when it is confirmed, at once or by a later `decisionConfirmed`, and its reward
/// is the sum of the accepted goals credited to it. Generators see to it that no unit decides again
/// in an experiment before the goal of its decision has happened, so that every goal is credited to
/// the decision that it was drawn for, and every goal is in the log.
public struct Truth: Hashable, Sendable {
  /// The scenario.
  public var scenario: String
  /// The parameters of the scenario, in its order.
  public var parameters: [ScenarioParameter]
  /// How many events the log has.
  public var events: Int
  /// The seed.
  public var seed: UInt64
  /// How many events of each sort were generated.
  public var counts: Counts
  /// The experiments, in the order of the scenario.
  public var experiments: [Experiment]
  /// The conversions, in the order of the scenario. They depend on no experiment: the true effect
  /// of every variant on every conversion is zero.
  public var conversions: [Conversion]
  /// The studies, in the order of the scenario.
  public var studies: [Study] = []

  /// How many events of each sort were generated.
  public struct Counts: Hashable, Sendable {
    /// Distinct units.
    public var units = 0
    /// Decisions that were confirmed at once.
    public var confirmed = 0
    /// Decisions that were made and held.
    public var provisional = 0
    /// Exposures that repeat a decision.
    public var repeated = 0
    /// Decisions for units that were not in.
    public var excluded = 0
    /// Events that confirm the provisional decisions of a unit at a point.
    public var decisionsConfirmed = 0
    /// Goals that count.
    public var accepted = 0
    /// Goals that do not.
    public var refused = 0
    /// Conversions, those that take one back included.
    public var conversions = 0
    /// Data points.
    public var dataPoints = 0
    /// Events with a time before that of an event earlier in the log.
    public var outOfOrder = 0
  }

  /// One experiment.
  public struct Experiment: Hashable, Sendable {
    /// Its code.
    public var experiment: String
    /// The code of its goal.
    public var goal: String
    /// What chose.
    public var policy: String
    /// The smallest propensity with which the policy chooses any variant.
    public var smallestPropensity: Double
    /// Whether a unit is decided for once and shown the same variant ever after.
    public var isSticky: Bool
    /// Accepted goals generated; each one is credited once in every slot.
    public var goals: Int
    /// Refused goals generated.
    public var refusedGoals: Int
    /// What is decided.
    public var slots: [Slot]
  }

  /// One slot at one point.
  public struct Slot: Hashable, Sendable {
    /// The point; nil when the events name none.
    public var point: String?
    /// The slot; nil when the events name none.
    public var slot: String?
    /// The variant with the highest true mean.
    public var bestVariant: String
    /// The variants, in the order of the choices.
    public var variants: [Variant]
    /// What differs by an attribute of the context; empty when nothing does.
    public var contexts: [Context]
  }

  /// One variant of a slot.
  public struct Variant: Hashable, Sendable {
    /// The variant.
    public var variant: String
    /// The probability with which it is chosen; nil when that changes from decision to decision.
    public var propensity: Double?
    /// The expectation of the reward of a decision.
    public var rewardMean: Double
    /// The variance of the reward of a decision.
    public var rewardVariance: Double
    /// Counted decisions generated.
    public var decisions: Int
    /// Goals credited to them.
    public var rewards: Int
    /// The sum of the values of these goals, exact and then rounded once.
    public var rewardSum: Double
  }

  /// A slot as far as one value of a context attribute goes.
  public struct Context: Hashable, Sendable {
    /// The attribute.
    public var attribute: String
    /// Its value.
    public var value: String
    /// The share of units that have the value.
    public var share: Double
    /// The variant with the highest true mean among them.
    public var bestVariant: String
    /// The variants, in the order of the choices.
    public var variants: [Variant]
  }

  /// Conversions of one goal.
  public struct Conversion: Hashable, Sendable {
    /// The goal.
    public var goal: String
    /// Conversions generated, negative ones not included.
    public var conversions: Int
    /// Conversions taken back.
    public var negative: Int
    /// Their revenue less what was taken back, exact and then rounded once.
    public var revenueSum: Double
  }

  /// One study, of which the takes of each unit are a Markov chain.
  public struct Study: Hashable, Sendable {
    /// Its name.
    public var study: String
    /// The options, in declared order.
    public var options: [String]
    /// How many of the last takes the next one depends on.
    public var order: Int
    /// The entropy of a take once those before it are known, in nats: no predictor has a lower log loss in the long run.
    public var entropyRate: Double
    /// The entropy of a take when nothing is known of those before it, in nats.
    public var entropy: Double
    /// How often the likeliest option is taken, by those who know the chain.
    public var bestHitRate: Double
    /// Takes generated.
    public var takes: Int
    /// Units that took anything.
    public var units: Int
  }
}
