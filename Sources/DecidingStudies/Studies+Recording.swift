internal import DecidingCore
public import Events
internal import Prediction

extension Studies {
  /// Keeps a study. One of the same description is replaced, with its history; its counts are dated now.
  ///
  /// The front's own predictor learns from it, whatever predicted for the value that is given. Defining a study
  /// again that was never met changes nothing.
  ///
  /// - Throws: ``StudyError/notRecorded(_:)``.
  public func define(_ study: Study) throws(StudyError) {
    let id = ExperimentID(study.description)
    let isNew = study.counts.encountered == 0
    try recorder.perform { turn throws(StudyError) in
      if isNew, turn.state.study(id)?.counts == study.counts { return }
      try record([Self.configured(study.counts, .defined, id)], .defined, of: id, in: &turn)
    }
  }

  /// Forgets a study and its history.
  ///
  /// - Returns: False when there is no such study.
  /// - Throws: ``StudyError/notRecorded(_:)``.
  @discardableResult
  public func remove(_ study: String) throws(StudyError) -> Bool {
    let id = ExperimentID(study)
    return try recorder.perform { turn throws(StudyError) in
      guard turn.state.study(id) != nil else { return false }
      try record([Self.configured(nil, .removed, id)], .removed, of: id, in: &turn)
      return true
    }
  }

  /// The unit took an option: it is counted as taken, and every option as encountered.
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

  /// The unit took an option. Of one that is a member only the description is used; any other is first added as
  /// by ``updateOption(_:in:)``.
  ///
  /// - Throws: ``StudyError`` when the study is unknown, the option cannot be added, or the sink refuses.
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

  /// Something became known of the unit, such as its country: the latest value of each kind and key counts. Predictors
  /// that look at data points, such as `logistic`, learn and predict from it in every study.
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
    try recorder.perform { turn throws(StudyError) in
      do throws(NotRecorded) {
        try turn.record([turn.event(turn.state.unit, .dataPoint(point))])
      } catch {
        throw .notRecorded(error.reason)
      }
    }
  }

  /// The unit encountered the study and took nothing. Without options nothing happens.
  ///
  /// - Throws: ``StudyError/unknownStudy(_:)`` or ``StudyError/notRecorded(_:)``.
  public func recordEncounter(in study: String) throws(StudyError) {
    try change(study) { known, id in
      guard !known.counts.names.isEmpty else { return nil }
      let point = DataPoint(kind: StudiesState.encountered, key: id.rawValue)
      return Change([.dataPoint(point)], .encountered)
    }
  }

  /// Adds an option at the end, never taken and as often encountered as the study.
  ///
  /// - Returns: False when the option is there already.
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

  /// Removes an option and what was learned of it; the others keep their counts.
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

  /// Puts new options in place of all that there are, also of those whose description stays: their history is
  /// forgotten.
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

  /// Replaces the counts of the option with that description, or adds it; then every encountered count is raised
  /// to the greatest.
  ///
  /// - Throws: ``StudyError`` when the study is unknown, the description is empty, a count is negative, the option
  ///   would have been taken more often than encountered, or the sink refuses.
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
  /// What a call appends and tells.
  struct Change {
    let payloads: [Payload]
    let action: StudyChange.Action

    init(_ payloads: [Payload], _ action: StudyChange.Action) {
      self.payloads = payloads
      self.action = action
    }
  }

  /// Changes a known study by what the closure says; nil when nothing changes.
  @discardableResult
  func change(
    _ study: String, _ body: (Study, ExperimentID) throws(StudyError) -> Change?
  ) throws(StudyError) -> Bool {
    let id = ExperimentID(study)
    return try recorder.perform { turn throws(StudyError) in
      guard let change = try Self.change(id, in: turn.state, body) else { return false }
      try record(change.payloads, change.action, of: id, in: &turn)
      return true
    }
  }

  /// The study is looked at and let go here, so that nobody holds a copy of it while it changes.
  private static func change(
    _ id: ExperimentID, in state: StudiesState,
    _ body: (Study, ExperimentID) throws(StudyError) -> Change?
  ) throws(StudyError) -> Change? {
    guard let known = state.study(id) else { throw .unknownStudy(id.rawValue) }
    return try body(known, id)
  }

  /// Appends the events of a call, and tells of the change.
  func record(
    _ payloads: [Payload], _ action: StudyChange.Action?, of id: ExperimentID,
    in turn: inout Turn<StudiesState>
  ) throws(StudyError) {
    var events: [Event] = []
    for payload in payloads { events.append(turn.event(turn.state.unit, payload)) }
    do throws(NotRecorded) {
      try turn.record(events)
    } catch {
      throw .notRecorded(error.reason)
    }
    guard let action, !subscribers.isEmpty else { return }
    let options = turn.state.study(id)?.options ?? []
    subscribers.tell(StudyChange(study: id.rawValue, options: options, action: action))
  }

  private static func took(_ option: String, _ id: ExperimentID) -> Payload {
    .dataPoint(
      DataPoint(kind: StudiesState.taken, key: id.rawValue, value: .text(option)))
  }

  /// A definition, or the end of the study when there are no counts.
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
