internal import Bandits
internal import Events
internal import Replay
internal import Specifications
internal import Statistics

extension LearnedPolicyFile {
  /// Creates the file of what was learned from a log, with notes on the log, the experiment and the settings.
  ///
  /// - Parameters:
  ///   - learning: What was learned.
  ///   - plan: The settings.
  ///   - experiment: The name of the experiment.
  ///   - eventCount: The number of events of the log; nil if it is not known.
  public init(_ learning: Learning, _ plan: LearningPlan, experiment: String, eventCount: UInt64?) {
    var fields: [JSONTree.Member] = [.init("experiment", .text(experiment))]
    if let eventCount {
      fields.append(.init("positions", .list([.number(0), .number(Double(eventCount))])))
    }
    fields += [
      .init("decisions", .number(Double(learning.training.decisions))),
      .init("units", .number(Double(learning.training.units))),
    ]
    if let time = learning.heldSince {
      fields += [
        .init("held-out-since", .text(Timestamp(microseconds: time).description)),
        .init("held-out-decisions", .number(Double(learning.heldDecisions.decisions))),
      ]
    }
    fields += [
      .init("attribution", .text(plan.attribution.description)),
      .init("reward-model", .text(plan.rewardModel.specification.description)),
      .init("reward-model-features", .text(plan.modelFeatures.description)),
      .init("estimator", .text(plan.estimator.specification.description)),
      .init("folds", .number(Double(plan.folds))),
    ]
    if plan.attribution.metric != .standard {
      fields.append(.init("metric", .text(plan.attribution.metric.description)))
    }
    let values = [
      ("cross-validated-value", learning.candidates[learning.chosen].value),
      ("held-out-value", learning.held),
    ]
    for (name, tally) in values {
      if let value = tally.estimates[0].sums.value { fields.append(.init(name, .number(value))) }
    }
    self.init(learning.policy, notes: fields)
  }
}
