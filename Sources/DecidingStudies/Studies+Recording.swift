internal import DecidingCore
public import Events
internal import Prediction

extension Studies {
  /// Defines a study. One with the same description is replaced, with its history; the counts are dated now.
  ///
  /// The predictor of these studies learns from it, whatever the predictor of the given value. Defining a
  /// study that was never encountered again changes nothing.
  ///
  /// - Throws: ``StudyError/notRecorded(_:)``.
  public func define(_ study: Study) throws(StudyError) {
    let id = ExperimentID(study.description)
    let isNew = study.counts.encountered == 0
    try recorder.perform { transaction throws(StudyError) in
      if isNew, transaction.state.study(id)?.counts == study.counts { return }
      try record([Self.configured(study.counts, .defined, id)], .defined, of: id, in: &transaction)
    }
  }

  /// Removes a study and its history.
  ///
  /// - Returns: False when there is no such study.
  /// - Throws: ``StudyError/notRecorded(_:)``.
  @discardableResult
  public func remove(_ study: String) throws(StudyError) -> Bool {
    let id = ExperimentID(study)
    return try recorder.perform { transaction throws(StudyError) in
      guard transaction.state.study(id) != nil else { return false }
      try record([Self.configured(nil, .removed, id)], .removed, of: id, in: &transaction)
      return true
    }
  }

  /// Records that the unit took an option: it is counted as taken, and every option as encountered.
  ///
  /// - Throws: ``StudyError/unknownStudy(_:)``, ``StudyError/unknownOption(_:)`` or
  ///   ``StudyError/notRecorded(_:)``.
  public func recordOptionTaken(withDescription description: String, in study: String)
    throws(StudyError)
  {
    try change(study) { known, id throws(StudyError) in
      guard known.counts.place(of: VariantID(description)) != nil else {
        throw .unknownOption(description)
      }
      return Change([Self.took(description, id)], .optionTaken)
    }
  }

  /// Records that the unit took an option. If the study has it, only its description is used; otherwise it is
  /// first added as by ``updateOption(_:in:)``.
  ///
  /// - Throws: ``StudyError`` when the study is unknown, the option cannot be added, or the sink does not
  ///   accept the events.
  public func recordOptionTaken(_ option: StudyOption, in study: String) throws(StudyError) {
    try change(study) { known, id throws(StudyError) in
      var payloads = [Self.took(option.description, id)]
      if known.counts.place(of: VariantID(option.description)) == nil,
        let counts = try known.counts.updating(option)
      {
        payloads.insert(
          Self.configured(counts, .optionUpdated, id, changed: option.description), at: 0)
      }
      return Change(payloads, .optionTaken)
    }
  }

  /// Records a data point of the unit, such as its country: the latest value of each kind and key applies.
  /// Predictors that use data points, such as `logistic`, learn and predict from it in every study.
  ///
  /// Data points that others append to the log become known when it is replayed.
  ///
  /// - Throws: ``StudyError/reservedKind(_:)`` or ``StudyError/notRecorded(_:)``.
  public func recordDataPoint(kind: String, key: String? = nil, value: AttributeValue? = nil)
    throws(StudyError)
  {
    guard kind != StudiesState.taken, kind != StudiesState.encountered else {
      throw .reservedKind(kind)
    }
    let point = DataPoint(kind: kind, key: key, value: value)
    try recorder.perform { transaction throws(StudyError) in
      do throws(NotRecorded) {
        try transaction.record([transaction.event(transaction.state.unit, .dataPoint(point))])
      } catch {
        throw .notRecorded(error.reason)
      }
    }
  }

  /// Records that the unit encountered the study and took nothing. Does nothing without options.
  ///
  /// - Throws: ``StudyError/unknownStudy(_:)`` or ``StudyError/notRecorded(_:)``.
  public func recordEncounter(in study: String) throws(StudyError) {
    try change(study) { known, id in
      guard !known.counts.names.isEmpty else { return nil }
      let point = DataPoint(kind: StudiesState.encountered, key: id.rawValue)
      return Change([.dataPoint(point)], .encountered)
    }
  }

  /// Adds an option at the end, never taken and encountered as often as the study.
  ///
  /// - Returns: False when the option already exists.
  /// - Throws: ``StudyError/emptyDescription``, ``StudyError/unknownStudy(_:)`` or
  ///   ``StudyError/notRecorded(_:)``.
  @discardableResult
  public func addOption(withDescription description: String, in study: String) throws(StudyError)
    -> Bool
  {
    try change(study) { known, id throws(StudyError) in
      guard !description.isEmpty else { throw .emptyDescription }
      return known.counts.adding(description).map { counts in
        Change([Self.configured(counts, .optionAdded, id, changed: description)], .optionAdded)
      }
    }
  }

  /// Removes an option and what was learned about it; the others keep their counts.
  ///
  /// - Returns: False when there is no such option.
  /// - Throws: ``StudyError/unknownStudy(_:)`` or ``StudyError/notRecorded(_:)``.
  @discardableResult
  public func removeOption(withDescription description: String, in study: String)
    throws(StudyError) -> Bool
  {
    try change(study) { known, id in
      known.counts.removing(description).map { counts in
        Change([Self.configured(counts, .optionRemoved, id, changed: description)], .optionRemoved)
      }
    }
  }

  /// Replaces all options, including those whose description is kept: their history is discarded.
  ///
  /// - Throws: ``StudyError/emptyDescription``, ``StudyError/duplicateOption(_:)``,
  ///   ``StudyError/unknownStudy(_:)`` or ``StudyError/notRecorded(_:)``.
  public func setOptions(withDescriptions descriptions: [String], in study: String)
    throws(StudyError)
  {
    try change(study) { known, id throws(StudyError) in
      try known.counts.replaced(by: descriptions).map { counts in
        Change([Self.configured(counts, .optionsReplaced, id)], .optionsReplaced)
      }
    }
  }

  /// Replaces the counts of the option with that description, or adds it; then every encounter count is
  /// raised to the maximum.
  ///
  /// - Throws: ``StudyError`` when the study is unknown, the description is empty, a count is negative, the
  ///   option would have been taken more often than encountered, or the sink does not accept the events.
  public func updateOption(_ option: StudyOption, in study: String) throws(StudyError) {
    try change(study) { known, id throws(StudyError) in
      try known.counts.updating(option).map { counts in
        Change(
          [Self.configured(counts, .optionUpdated, id, changed: option.description)],
          .optionUpdated)
      }
    }
  }
}

extension Studies {
  /// The event and the notice of a call.
  struct Change {
    let payloads: [Payload]
    let action: StudyChange.Action

    init(_ payloads: [Payload], _ action: StudyChange.Action) {
      self.payloads = payloads
      self.action = action
    }
  }

  /// Changes a known study as the closure says; does nothing when it returns nil.
  @discardableResult
  func change(
    _ study: String, _ body: (Study, ExperimentID) throws(StudyError) -> Change?
  ) throws(StudyError) -> Bool {
    let id = ExperimentID(study)
    return try recorder.perform { transaction throws(StudyError) in
      guard let change = try Self.change(id, in: transaction.state, body) else { return false }
      try record(change.payloads, change.action, of: id, in: &transaction)
      return true
    }
  }

  /// Reads the study and releases it before it changes, so that it is not copied.
  private static func change(
    _ id: ExperimentID, in state: StudiesState,
    _ body: (Study, ExperimentID) throws(StudyError) -> Change?
  ) throws(StudyError) -> Change? {
    guard let known = state.study(id) else { throw .unknownStudy(id.rawValue) }
    return try body(known, id)
  }

  /// Appends the events of a call, and sends the notice of the change.
  func record(
    _ payloads: [Payload], _ action: StudyChange.Action?, of id: ExperimentID,
    in transaction: inout Transaction<StudiesState>
  ) throws(StudyError) {
    var events: [Event] = []
    for payload in payloads { events.append(transaction.event(transaction.state.unit, payload)) }
    do throws(NotRecorded) {
      try transaction.record(events)
    } catch {
      throw .notRecorded(error.reason)
    }
    guard let action, !subscribers.isEmpty else { return }
    let options = transaction.state.study(id)?.options ?? []
    subscribers.tell(StudyChange(study: id.rawValue, options: options, action: action))
  }

  private static func took(_ option: String, _ id: ExperimentID) -> Payload {
    .dataPoint(
      DataPoint(kind: StudiesState.taken, key: id.rawValue, value: .text(option)))
  }

  /// Returns the payload that defines a study, or removes it when there are no counts.
  private static func configured(
    _ counts: OptionCounts?, _ action: StudyChange.Action, _ id: ExperimentID,
    changed option: String? = nil
  ) -> Payload {
    .configurationApplied(
      ConfigurationApplied(
        system: StudiesState.system, experiment: id, reason: action.rawValue,
        changed: option.map { [$0] } ?? ["options"],
        configuration: counts.map(\.configuration.jsonText) ?? .null))
  }
}
