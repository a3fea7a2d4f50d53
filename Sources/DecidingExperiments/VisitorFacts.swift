internal import DecidingCore
internal import Events

/// The saved variation of a visitor in an experiment or a flag.
struct Assignment: Hashable, Sendable, Codable {
  /// What was assigned.
  var variation: VariationID
  /// When.
  var time: Timestamp
  /// When it was last shown by a tracked call; nil when it never was.
  var exposed: Timestamp?
  /// The propensity and the policy that the decision had, which a repeated one carries on.
  var propensity: Double?
  var policy: PolicyID?
  /// Whether it was made without tracking and waits for the call that counts it.
  var isProvisional = false
  /// Whether a conversion of the experiment's primary goal was credited to it.
  var isConverted = false
  /// For a flag: the rule that made the decision and the rule's experiment, from the event's context.
  var rule: String?
  var experiment: ExperimentID?
}

/// What targeting may know of a visitor: a plain value.
struct VisitorFacts: Sendable {
  /// Who asks.
  var userID: String
  /// When.
  var now: Timestamp
  /// What the visitor's data add up to, those that wait in the buffer too.
  var knowledge = VisitorKnowledge()
  /// The visits, with the one that this call is a part of.
  var visits = VisitHistory()
  /// The saved variations by experiment or flag.
  var assignments = OrderedMap<ExperimentID, Assignment>()
  /// What sort of campaign each experiment of the configuration is.
  var kinds: [ExperimentID: Experiment.Kind] = [:]

  /// The sort of an experiment; an experiment when the configuration does not know it.
  func kind(of experiment: ExperimentID) -> Experiment.Kind { kinds[experiment] ?? .experiment }
}
