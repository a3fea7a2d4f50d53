package import Specifications

/// The ground truth of a generated log: the parameters it was drawn from and counts of what was drawn.
///
/// Rewards are per counted decision, as in the `rewards` report with `last` attribution: a decision counts when it is
/// confirmed, at once or by a later `decisionConfirmed`, and its reward is the sum of the accepted goals credited to
/// it. Generators ensure that no unit decides again in an experiment before the goal of its decision has happened, so
/// that every goal is credited to the decision that it was drawn for, and every goal is in the log.
package struct Truth: Hashable, Sendable {
  /// The name of the scenario.
  package var scenario: String
  /// The parameters of the scenario, in its order.
  package var parameters: [Specification.Parameter]
  /// The number of events of the log.
  package var events: Int
  /// The seed.
  package var seed: UInt64
  /// The number of generated events of each kind.
  package var counts: Counts
  /// The experiments, in the order of the scenario.
  package var experiments: [Experiment]
  /// The conversions, in the order of the scenario. They do not depend on any experiment: the true effect of every
  /// variant on every conversion is zero.
  package var conversions: [Conversion]
  /// The studies, in the order of the scenario.
  package var studies: [Study] = []

  /// The number of generated events of each kind.
  package struct Counts: Hashable, Sendable {
    /// Distinct units.
    package var units = 0
    /// Decisions that were confirmed at once.
    package var confirmed = 0
    /// Provisional decisions.
    package var provisional = 0
    /// Exposures that repeat a decision.
    package var repeated = 0
    /// Decisions for excluded units.
    package var excluded = 0
    /// Events that confirm the provisional decisions of a unit at a point.
    package var decisionsConfirmed = 0
    /// Accepted goals.
    package var accepted = 0
    /// Refused goals.
    package var refused = 0
    /// Conversions, including negative ones.
    package var conversions = 0
    /// Data points.
    package var dataPoints = 0
    /// Events with a time before that of an event earlier in the log.
    package var outOfOrder = 0
  }

  /// An experiment.
  package struct Experiment: Hashable, Sendable {
    /// The code of the experiment.
    package var experiment: String
    /// What kind of experiment it is, and what is to be found in it.
    package var about: String
    /// The code of its goal.
    package var goal: String
    /// The logging policy.
    package var policy: String
    /// The smallest propensity with which the policy chooses any variant.
    package var smallestPropensity: Double
    /// Whether a unit gets a single decision and is shown the same variant ever after.
    package var isSticky: Bool
    /// The number of accepted goals; each one is credited once in every slot.
    package var goals: Int
    /// The number of refused goals.
    package var refusedGoals: Int
    /// The slots.
    package var slots: [Slot]
    /// The true effects on the units of an A/B test; empty for other experiments.
    package var effects: [Effect] = []
  }

  /// What a variant of an A/B test does to a metric of all its units, also of those that were lost before the log.
  package struct Effect: Hashable, Sendable {
    /// The metric, as the report `compare` writes it.
    package var metric: String
    /// The variant.
    package var variant: String
    /// The true rate or mean.
    package var mean: Double
    /// The true difference to the first variant, relative to its mean; nil for the first variant itself.
    package var lift: Double?
  }

  /// A slot at a point.
  package struct Slot: Hashable, Sendable {
    /// The point; nil if the events name none.
    package var point: String?
    /// The slot; nil if the events name none.
    package var slot: String?
    /// The variant with the highest true mean, the first of equal ones.
    package var bestVariant: String
    /// The variants, in the order of the choices.
    package var variants: [Variant]
    /// The breakdown by an attribute of the context; empty if nothing depends on it.
    package var contexts: [Context]
  }

  /// A variant of a slot.
  package struct Variant: Hashable, Sendable {
    /// The variant.
    package var variant: String
    /// The logged probability with which it is chosen; nil if it changes from decision to decision.
    package var propensity: Double?
    /// The expectation of the reward of a decision.
    package var rewardMean: Double
    /// The variance of the reward of a decision.
    package var rewardVariance: Double
    /// The number of counted decisions.
    package var decisions: Int
    /// The number of goals credited to them.
    package var rewards: Int
    /// The sum of the values of these goals, exact and then rounded once.
    package var rewardSum: Double
  }

  /// A slot restricted to one value of a context attribute.
  package struct Context: Hashable, Sendable {
    /// The attribute.
    package var attribute: String
    /// Its value.
    package var value: String
    /// The share of units that have the value.
    package var share: Double
    /// The variant with the highest true mean among them.
    package var bestVariant: String
    /// The variants, in the order of the choices.
    package var variants: [Variant]
  }

  /// The conversions of one goal.
  package struct Conversion: Hashable, Sendable {
    /// The goal.
    package var goal: String
    /// The number of conversions, without negative ones.
    package var conversions: Int
    /// The number of negative conversions.
    package var negative: Int
    /// Their revenue minus that of the negative ones, exact and then rounded once.
    package var revenueSum: Double
  }

  /// A study in which the takes of each unit form a Markov chain.
  package struct Study: Hashable, Sendable {
    /// The name of the study.
    package var study: String
    /// The options, in declared order.
    package var options: [String]
    /// The order of the Markov chain: the number of last takes that the next one depends on.
    package var order: Int
    /// The entropy rate: the entropy of a take given those before it, in nats. No predictor has a lower log loss in
    /// the long run.
    package var entropyRate: Double
    /// The entropy of a take without knowledge of those before it, in nats.
    package var entropy: Double
    /// The long-run frequency of the most likely option, given the true chain.
    package var bestHitRate: Double
    /// The number of takes.
    package var takes: Int
    /// The number of units with a take.
    package var units: Int
  }
}
