public import Specifications

/// The ground truth of a generated log: the parameters it was drawn from and counts of what was drawn.
///
/// Rewards are per counted decision, as in the `rewards` report with `last` attribution: a decision counts when it is
/// confirmed, at once or by a later `decisionConfirmed`, and its reward is the sum of the accepted goals credited to
/// it. Generators ensure that no unit decides again in an experiment before the goal of its decision has happened, so
/// that every goal is credited to the decision that it was drawn for, and every goal is in the log.
public struct Truth: Hashable, Sendable {
  /// The name of the scenario.
  public var scenario: String
  /// The parameters of the scenario, in its order.
  public var parameters: [Specification.Parameter]
  /// The number of events of the log.
  public var events: Int
  /// The seed.
  public var seed: UInt64
  /// The number of generated events of each kind.
  public var counts: Counts
  /// The experiments, in the order of the scenario.
  public var experiments: [Experiment]
  /// The conversions, in the order of the scenario. They do not depend on any experiment: the true effect of every
  /// variant on every conversion is zero.
  public var conversions: [Conversion]
  /// The studies, in the order of the scenario.
  public var studies: [Study] = []

  /// The number of generated events of each kind.
  public struct Counts: Hashable, Sendable {
    /// Distinct units.
    public var units = 0
    /// Decisions that were confirmed at once.
    public var confirmed = 0
    /// Provisional decisions.
    public var provisional = 0
    /// Exposures that repeat a decision.
    public var repeated = 0
    /// Decisions for excluded units.
    public var excluded = 0
    /// Events that confirm the provisional decisions of a unit at a point.
    public var decisionsConfirmed = 0
    /// Accepted goals.
    public var accepted = 0
    /// Refused goals.
    public var refused = 0
    /// Conversions, including negative ones.
    public var conversions = 0
    /// Data points.
    public var dataPoints = 0
    /// Events with a time before that of an event earlier in the log.
    public var outOfOrder = 0
  }

  /// An experiment.
  public struct Experiment: Hashable, Sendable {
    /// The code of the experiment.
    public var experiment: String
    /// The code of its goal.
    public var goal: String
    /// The logging policy.
    public var policy: String
    /// The smallest propensity with which the policy chooses any variant.
    public var smallestPropensity: Double
    /// Whether a unit gets a single decision and is shown the same variant ever after.
    public var isSticky: Bool
    /// The number of accepted goals; each one is credited once in every slot.
    public var goals: Int
    /// The number of refused goals.
    public var refusedGoals: Int
    /// The slots.
    public var slots: [Slot]
  }

  /// A slot at a point.
  public struct Slot: Hashable, Sendable {
    /// The point; nil if the events name none.
    public var point: String?
    /// The slot; nil if the events name none.
    public var slot: String?
    /// The variant with the highest true mean.
    public var bestVariant: String
    /// The variants, in the order of the choices.
    public var variants: [Variant]
    /// The breakdown by an attribute of the context; empty if nothing depends on it.
    public var contexts: [Context]
  }

  /// A variant of a slot.
  public struct Variant: Hashable, Sendable {
    /// The variant.
    public var variant: String
    /// The probability with which it is chosen; nil if it changes from decision to decision.
    public var propensity: Double?
    /// The expectation of the reward of a decision.
    public var rewardMean: Double
    /// The variance of the reward of a decision.
    public var rewardVariance: Double
    /// The number of counted decisions.
    public var decisions: Int
    /// The number of goals credited to them.
    public var rewards: Int
    /// The sum of the values of these goals, exact and then rounded once.
    public var rewardSum: Double
  }

  /// A slot restricted to one value of a context attribute.
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

  /// The conversions of one goal.
  public struct Conversion: Hashable, Sendable {
    /// The goal.
    public var goal: String
    /// The number of conversions, without negative ones.
    public var conversions: Int
    /// The number of negative conversions.
    public var negative: Int
    /// Their revenue minus that of the negative ones, exact and then rounded once.
    public var revenueSum: Double
  }

  /// A study in which the takes of each unit form a Markov chain.
  public struct Study: Hashable, Sendable {
    /// The name of the study.
    public var study: String
    /// The options, in declared order.
    public var options: [String]
    /// The order of the Markov chain: the number of last takes that the next one depends on.
    public var order: Int
    /// The entropy rate: the entropy of a take given those before it, in nats. No predictor has a lower log loss in
    /// the long run.
    public var entropyRate: Double
    /// The entropy of a take without knowledge of those before it, in nats.
    public var entropy: Double
    /// The long-run frequency of the most likely option, given the true chain.
    public var bestHitRate: Double
    /// The number of takes.
    public var takes: Int
    /// The number of units with a take.
    public var units: Int
  }
}
