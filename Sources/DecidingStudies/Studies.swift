public import DecidingCore
public import Events
public import Prediction

/// The studies of one unit, stored only in the log: they predict which option the unit will take next, from
/// those it took before.
///
/// The unit can be a user, a device or a session; its studies live as long as its events. Every change is
/// appended to the sink first, so the same studies can be rebuilt from the log: pass its events as
/// `replaying`. When the sink does not accept an event, nothing has changed and the call throws.
///
/// Methods can be called from any number of threads and tasks: calls are serialized by one lock, events are
/// logged in the order of the changes, and ``changes`` reports them in that order. A ``Study`` returned is a
/// value, and does not change.
public final class Studies: Sendable {
  /// The unit of the studies.
  public let unit: String
  /// The predictor.
  public let predictor: Predictor
  /// The restrictions that can exclude the unit from being led; see ``act(on:in:)``.
  public let restrictions: Restrictions
  /// The invalid studies skipped when restoring from a snapshot: the path of each and the problem.
  public let leftOut: [String]

  let recorder: Recorder<StudiesState>
  let subscribers = StudySubscribers()

  /// Creates studies, rebuilding their state from the events of a log.
  ///
  /// - Parameters:
  ///   - unit: The unit.
  ///   - surroundings: The clock, the ids and the sink.
  ///   - predictor: The predictor, which learns from all the events.
  ///   - restrictions: The restrictions that can exclude the unit from being led.
  ///   - instance: The instance name, where several studies of the unit share a log.
  ///   - events: The events already in the log, which can include those of other units and systems.
  public convenience init<Replayed: Sequence>(
    unit: String, surroundings: Surroundings, predictor: Predictor = .beauchamp,
    restrictions: Restrictions = Restrictions(), instance: InstanceID? = nil,
    replaying events: Replayed = [Event]()
  ) where Replayed.Element: ReplayableEvent {
    let state = StudiesState(unit: UnitID(unit), predictor: predictor)
    self.init(
      surroundings, Snapshot(position: 0, instance: instance, state: state), restrictions,
      leftOut: [],
      replaying: events)
  }

  /// Restores studies from a snapshot and the events after its position.
  ///
  /// - Parameters:
  ///   - unit: The unit.
  ///   - surroundings: The clock, the ids and the sink.
  ///   - predictor: The predictor with which the snapshot was taken.
  ///   - restrictions: The restrictions that can exclude the unit from being led.
  ///   - instance: The instance name, if they had one.
  ///   - text: The result of ``snapshot()``.
  ///   - catalog: The predictors that the snapshot can name.
  ///   - skippingInvalid: Whether an invalid study, such as one with a missing field, is skipped and listed in
  ///     ``leftOut``; otherwise it is an error with its path.
  ///   - events: The events recorded after the snapshot.
  /// - Throws: ``StudyError/invalidSnapshot(_:)`` when the snapshot is damaged, or of another unit,
  ///   predictor, system or version. The log can be replayed instead.
  public convenience init<Replayed: Sequence>(
    unit: String, surroundings: Surroundings, predictor: Predictor = .beauchamp,
    restrictions: Restrictions = Restrictions(), instance: InstanceID? = nil,
    restoring text: String, catalog: PredictorCatalog = .standard, skippingInvalid: Bool = false,
    replaying events: Replayed = [Event]()
  ) throws(StudyError) where Replayed.Element: ReplayableEvent {
    let (snapshot, leftOut) = try Self.snapshot(
      text, instance, catalog, skippingInvalid: skippingInvalid)
    let state = snapshot.state
    guard state.unit == UnitID(unit) else {
      throw .invalidSnapshot("it is of the unit \"\(state.unit)\"; replay the log instead")
    }
    guard state.predictor == predictor else {
      throw .invalidSnapshot(
        "it was taken with the predictor \(state.predictor); replay the log instead")
    }
    self.init(surroundings, snapshot, restrictions, leftOut: leftOut, replaying: events)
  }

  private init(
    _ surroundings: Surroundings, _ snapshot: Snapshot<StudiesState>, _ restrictions: Restrictions,
    leftOut: [String], replaying events: some Sequence<some ReplayableEvent>
  ) {
    unit = snapshot.state.unit.rawValue
    predictor = snapshot.state.predictor
    self.restrictions = restrictions
    self.leftOut = leftOut
    recorder = Recorder(surroundings, snapshot: snapshot, replaying: events)
  }

  /// Returns the study with that description; nil when there is none.
  public subscript(_ description: String) -> Study? {
    recorder.read { $0.study(ExperimentID(description)) }
  }

  /// All studies, in the order in which they were first defined.
  public var all: [Study] { recorder.read { $0.all } }

  /// Returns the pool of a study, what its predictor learned from all units, as far as it is known here; nil
  /// when there is no such study.
  public func common(in study: String) -> (any OptionPool)? {
    recorder.read { $0.study(ExperimentID(study))?.learning.common }
  }

  /// Sets the pool of a study, so that a predictor by which units learn from each other
  /// (`Predictor.isPooled`) knows of other units: these studies see the events of one unit only.
  ///
  /// The pool must include the events that were replayed here, as does that of `PredictorEvaluation.pool(_:)`
  /// of a log; it learns from later takes. Nothing is recorded: set it again after rebuilding from the log;
  /// ``snapshot()`` includes it. It is kept when the study is redefined.
  ///
  /// - Parameters:
  ///   - common: The pool; ignored if it is of another predictor.
  ///   - study: The description of the study.
  /// - Returns: Whether there is such a study, and the pool is of its predictor.
  @discardableResult
  public func share(_ common: any OptionPool, in study: String) -> Bool {
    recorder.perform { transaction in
      transaction.adopt { $0.share(common, in: ExperimentID(study)) }
    }
  }

  /// The changes from now on, in the order of the log. Each access returns a new stream, in which notices are
  /// buffered until they are read; it ends when the studies are released.
  ///
  /// Every call that changes something sends one notice. Replay sends none.
  public var changes: AsyncStream<StudyChange> { subscribers.subscribe() }

  /// Returns a snapshot as JSON: restoring it and replaying the events after its position is equivalent to
  /// replaying all of them.
  public func snapshot() -> String { recorder.snapshot.text }

  private static func snapshot(
    _ text: String, _ instance: InstanceID?, _ catalog: PredictorCatalog, skippingInvalid: Bool
  ) throws(StudyError) -> (Snapshot<StudiesState>, [String]) {
    var (text, leftOut) = (text, [String]())
    if skippingInvalid { leftOut = dropStudies(from: &text, catalog) }
    do throws(SnapshotProblem) {
      return (
        try Snapshot(parsing: text, instance: instance, userInfo: catalog.userInfo), leftOut
      )
    } catch {
      throw .invalidSnapshot(error.reason)
    }
  }

  /// Removes the invalid studies from a snapshot, and returns the problem of each.
  private static func dropStudies(
    from text: inout String, _ catalog: PredictorCatalog
  ) -> [String] {
    guard var json = (try? JSONValue(parsing: text))?.object, var state = json["state"]?.object,
      let studies = state["studies"]?.array
    else { return [] }
    var (kept, leftOut): ([JSONValue], [String]) = ([], [])
    for (index, study) in studies.enumerated() {
      switch StudyRecords.study(study, catalog) {
      case .success: kept.append(study)
      case .failure(let problem): leftOut.append(problem.text(at: "state.studies.\(index)"))
      }
    }
    state["studies"] = .array(kept)
    json["state"] = .object(state)
    text = JSONValue.object(json).description
    return leftOut
  }
}
