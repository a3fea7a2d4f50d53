internal import DecidingCore
internal import Events
internal import Prediction

extension Studies {
  /// Returns the current predictions for all options, in declared order.
  ///
  /// - Throws: ``StudyError/unknownStudy(_:)``.
  public func predictions(in study: String) throws(StudyError) -> [StudyPrediction] {
    try ask(study) { known, transaction in known.predictions(at: transaction.now) }
  }

  /// Returns the current predictions by confidence, highest first, ties in declared order.
  ///
  /// - Parameters:
  ///   - study: The description of the study.
  ///   - limit: The maximum number of predictions; all when nil.
  /// - Returns: The predictions; none without options.
  /// - Throws: ``StudyError/unknownStudy(_:)``.
  public func rankedPredictions(in study: String, limit: Int? = nil) throws(StudyError)
    -> [StudyPrediction]
  {
    try ask(study) { known, transaction in
      known.rankedPredictions(limit: limit, at: transaction.now)
    }
  }

  /// Returns the prediction for the option most likely to be taken next; of equally likely ones, the one
  /// declared first.
  ///
  /// - Parameters:
  ///   - study: The description of the study.
  ///   - threshold: The confidence must be strictly above it.
  /// - Returns: Nil when there are no options, or none is above the threshold.
  /// - Throws: ``StudyError/unknownStudy(_:)``.
  public func mostLikelyPrediction(in study: String, above threshold: Double? = nil)
    throws(StudyError) -> StudyPrediction?
  {
    try ask(study) { known, transaction in
      known.mostLikelyPrediction(above: threshold, at: transaction.now)
    }
  }

  /// Returns a suggestion of where to lead the unit now. An override has precedence; an excluded unit gets
  /// none; otherwise it is the most likely option. Nothing is recorded: see ``act(on:in:)``.
  ///
  /// - Parameters:
  ///   - study: The description of the study.
  ///   - threshold: The confidence must be strictly above it; not checked for an override.
  /// - Returns: The suggested option, or the reason why there is none.
  /// - Throws: ``StudyError/unknownStudy(_:)``.
  public func suggestion(in study: String, above threshold: Double? = nil) throws(StudyError)
    -> StudySuggestion
  {
    try ask(study) { known, transaction in
      let best = known.mostLikelyPrediction(above: threshold, at: transaction.now)
      let reason: Reason =
        best != nil ? .predicted : known.options.isEmpty ? .noDrawableVariant : .conditions
      return suggestion(best, reason, in: known, transaction)
    }
  }

  /// Returns what ``act(on:in:)`` would return; nothing is recorded.
  ///
  /// - Throws: ``StudyError/unknownStudy(_:)``, or ``StudyError/unknownOption(_:)`` when the option is not
  ///   currently in the study.
  public func preview(actingOn prediction: StudyPrediction, in study: String) throws(StudyError)
    -> StudySuggestion
  {
    try ask(study) { known, transaction throws(StudyError) in
      try follow(prediction, in: known, transaction)
    }
  }

  /// Records that the app acts on a prediction: a decision for the option, with all options as choices and
  /// the predictor as policy, so that the influence on later takes can be measured. The study does not
  /// change; when the unit then takes an option, that is recorded as usual.
  ///
  /// An override leads to another option; an excluded unit is not led, and the decision is recorded as
  /// `excluded`, for the option declared first. Follow the suggestion that is returned.
  ///
  /// - Throws: ``StudyError/unknownStudy(_:)``, ``StudyError/unknownOption(_:)`` when the option is not
  ///   currently in the study, or ``StudyError/notRecorded(_:)``.
  @discardableResult
  public func act(on prediction: StudyPrediction, in study: String) throws(StudyError)
    -> StudySuggestion
  {
    let id = ExperimentID(study)
    return try recorder.perform { transaction throws(StudyError) in
      guard let known = transaction.state.study(id) else { throw .unknownStudy(study) }
      let suggestion = try follow(prediction, in: known, transaction)
      let choices = known.counts.names
      let variant =
        suggestion.prediction.map { VariantID($0.option.description) }
        ?? choices.first ?? VariantID(prediction.option.description)
      let decision = Decision(
        experiment: id, variant: variant, choices: choices, propensity: suggestion.propensity,
        policy: PolicyID(suggestion.policy), reason: suggestion.reason.rawValue,
        status: suggestion.status)
      try record([.decision(decision)], nil, of: id, in: &transaction)
      return suggestion
    }
  }

  /// Forces an option for the unit, regardless of its confidence, for tests and demonstrations. Decisions
  /// then have the reason `forced`, so that reports can exclude them. While the option is not in the study,
  /// the override is ignored with a warning.
  ///
  /// - Throws: ``StudyError/emptyDescription``, ``StudyError/unknownStudy(_:)`` or
  ///   ``StudyError/notRecorded(_:)``.
  public func force(_ option: String, in study: String) throws(StudyError) {
    guard !option.isEmpty else { throw .emptyDescription }
    try setOverride(VariantID(option), in: study)
  }

  /// Removes the override, if there is one.
  ///
  /// - Throws: ``StudyError/unknownStudy(_:)`` or ``StudyError/notRecorded(_:)``.
  public func unforce(in study: String) throws(StudyError) {
    try setOverride(nil, in: study)
  }

  private func setOverride(_ option: VariantID?, in study: String) throws(StudyError) {
    let id = ExperimentID(study)
    try recorder.perform { transaction throws(StudyError) in
      guard transaction.state.study(id) != nil else { throw .unknownStudy(study) }
      guard transaction.state.override(in: id) != option else { return }
      let payload = Overrides.payload(option, in: id, system: StudiesState.system)
      try record([payload], option == nil ? .unforced : .forced, of: id, in: &transaction)
    }
  }

  /// Returns the result of a closure that reads a known study.
  private func ask<Answer: Sendable>(
    _ study: String, _ body: (Study, Transaction<StudiesState>) throws(StudyError) -> Answer
  ) throws(StudyError) -> Answer {
    try recorder.perform { transaction throws(StudyError) in
      guard let known = transaction.state.study(ExperimentID(study)) else {
        throw .unknownStudy(study)
      }
      return try body(known, transaction)
    }
  }

  private func follow(
    _ prediction: StudyPrediction, in study: Study, _ transaction: Transaction<StudiesState>
  )
    throws(StudyError) -> StudySuggestion
  {
    let name = prediction.option.description
    guard study.counts.place(of: VariantID(name)) != nil else { throw .unknownOption(name) }
    return suggestion(prediction, .predicted, in: study, transaction)
  }

  /// Returns the suggestion for a prediction, after overrides and restrictions.
  private func suggestion(
    _ prediction: StudyPrediction?, _ reason: Reason, in study: Study,
    _ transaction: Transaction<StudiesState>
  ) -> StudySuggestion {
    let id = ExperimentID(study.description)
    var warning: String?
    if let forced = transaction.state.forcedOption(in: id) {
      if let place = study.counts.place(of: forced) {
        let confidence = study.learning.forecast(in: study.situation(at: transaction.now))
          .confidences[
            place]
        let prediction = StudyPrediction(
          option: study.counts.option(at: place), confidence: confidence, reason: .forced)
        return suggestion(prediction, .forced, .confirmed, nil, in: study)
      }
      warning =
        "the option \"\(forced)\" is forced in \"\(id)\", which does not have it; "
        + "add it, or end the override"
    }
    if let refusal = restrictions.refusal(of: transaction.state.unit, in: id, at: transaction.now) {
      return suggestion(nil, refusal, .excluded, warning, in: study)
    }
    let status: EventStatus? = prediction == nil ? nil : .confirmed
    return suggestion(prediction, reason, status, warning, in: study)
  }

  private func suggestion(
    _ prediction: StudyPrediction?, _ reason: Reason, _ status: EventStatus?, _ warning: String?,
    in study: Study
  ) -> StudySuggestion {
    StudySuggestion(
      study: study.description, prediction: prediction, reason: reason, propensity: 1,
      status: status, policy: predictor.description, warning: warning)
  }
}
