internal import DecidingCore
internal import Events

/// The saved variation of a visitor in an experiment or a flag.
struct Assignment: Hashable, Sendable, Codable {
  /// The assigned variation.
  var variation: VariationID
  /// The time of the assignment.
  var time: Timestamp
  /// The time of the last tracked exposure; nil when there was none.
  var exposed: Timestamp?
  /// The propensity and the policy of the decision, which repeated ones carry on.
  var propensity: Double?
  var policy: PolicyID?
  /// Whether it was made without tracking and has not been counted yet.
  var isProvisional = false
  /// Whether a conversion of the experiment's primary goal was credited to it.
  var isConverted = false
  /// For a flag: the rule that made the decision and the rule's experiment, from the event's context.
  var rule: String?
  var experiment: ExperimentID?
}

/// The facts about a visitor that targeting can read.
struct VisitorFacts: Sendable {
  /// The user's id.
  var userID: String
  /// The time of the evaluation.
  var now: Timestamp
  /// The accumulated data of the visitor, including buffered data.
  var knowledge = VisitorKnowledge()
  /// The visits, including the one that this call is part of.
  var visits = VisitHistory()
  /// The saved variations by experiment or flag.
  var assignments = OrderedMap<ExperimentID, Assignment>()
  /// The kind of campaign of each experiment in the configuration.
  var kinds: [ExperimentID: Experiment.Kind] = [:]

  /// Returns the kind of an experiment; `experiment` when the configuration does not have it.
  func kind(of experiment: ExperimentID) -> Experiment.Kind { kinds[experiment] ?? .experiment }
}
