public import DecidingCore
public import Events
public import Prediction

/// The studies of one unit, kept in the log and nowhere else: predicts which option the unit will take next, from
/// what it took before.
///
/// The unit may be a user, a device or a session; its studies live as long as its events. Everything a call
/// changes is appended to the sink first, so the same studies come back from the log: give its events to
/// `replaying`. When the sink refuses, nothing has changed and the call throws.
///
/// A front may be used from any number of threads and tasks: one lock is held during a call, the order in the log
/// is the order in which the studies changed, and ``changes`` tells of them in that order. A ``Study`` that is
/// handed out is a value, and stays as it was.
public final class Studies: Sendable {
  /// Whose studies these are.
  public let unit: String
  /// What predicts.
  public let predictor: Predictor
  /// What may keep the unit from being led; see ``act(on:in:)``.
  public let restrictions: Restrictions
  /// What was left out of the snapshot that the studies were restored from, because it cannot be read: the path
  /// of each study and what is wrong with it.
  public let leftOut: [String]

  let recorder: Recorder<StudiesState>
  let subscribers = StudySubscribers()

  /// Starts from what the events say.
  ///
  /// - Parameters:
  ///   - unit: Whose studies these are.
  ///   - surroundings: The clock, the ids and the sink.
  ///   - predictor: What predicts; it learns from all the events.
  ///   - restrictions: What may keep the unit from being led.
  ///   - instance: Their name, where several studies of the unit share a log.
  ///   - events: What was recorded before; events of other units and systems may be among them.
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

  /// Starts from a snapshot and the events after its position.
  ///
  /// - Parameters:
  ///   - unit: Whose studies these are.
  ///   - surroundings: The clock, the ids and the sink.
  ///   - predictor: What predicts: the one that the snapshot was taken with.
  ///   - restrictions: What may keep the unit from being led.
  ///   - instance: Their name, if they had one.
  ///   - text: What ``snapshot()`` gave.
  ///   - skippingInvalid: Whether a study that lacks a field or cannot be is left out and listed in ``leftOut``;
  ///     otherwise it is refused with its path.
  ///   - events: What was recorded after the snapshot.
  /// - Throws: ``StudyError/invalidSnapshot(_:)``: the snapshot is damaged, or of another unit, predictor, system
  ///   or version. The log is replayed instead.
  public convenience init<Replayed: Sequence>(
    unit: String, surroundings: Surroundings, predictor: Predictor = .beauchamp,
    restrictions: Restrictions = Restrictions(), instance: InstanceID? = nil,
    restoring text: String, skippingInvalid: Bool = false,
    replaying events: Replayed = [Event]()
  ) throws(StudyError) where Replayed.Element: ReplayableEvent {
    let (snapshot, leftOut) = try Self.snapshot(text, instance, skippingInvalid: skippingInvalid)
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

  /// The study of that description; nil when there is none.
  public subscript(_ description: String) -> Study? {
    recorder.read { $0.study(ExperimentID(description)) }
  }

  /// All studies, in the order in which they were first defined.
  public var all: [Study] { recorder.read { $0.all } }

  /// What units have in common in a study, as far as it is known here; nil when there is no such study.
  public func common(in study: String) -> (any OptionPool)? {
    recorder.read { $0.study(ExperimentID(study))?.learning.common }
  }

  /// Takes over what all units have in common in a study, so that a predictor by which units learn from each other
  /// (`Predictor.isPooled`) knows of the others: a front sees the events of one unit alone.
  ///
  /// What was learned must include the events that were replayed here, as `PredictorEvaluation.pool(_:)` of a log
  /// does; it learns from the takes that follow. Nothing is recorded: a front that is made from the log again is given
  /// it again, while ``snapshot()`` has it. It stays when the study is defined anew.
  ///
  /// - Parameters:
  ///   - common: What was learned; that of another predictor is not taken.
  ///   - study: The description of the study.
  /// - Returns: Whether there is such a study, and its predictor learned that.
  @discardableResult
  public func share(_ common: any OptionPool, in study: String) -> Bool {
    recorder.perform { turn in turn.adopt { $0.share(common, in: ExperimentID(study)) } }
  }

  /// The changes from now on, in the order of the log. Each access gives a stream of its own, in which notices
  /// wait until they are read; it ends when the front is gone.
  ///
  /// Every call that changes something gives one notice. Replay gives none.
  public var changes: AsyncStream<StudyChange> { subscribers.subscribe() }

  /// What is known, as JSON: restoring it and replaying the events after its position gives the same as
  /// replaying all of them.
  public func snapshot() -> String { recorder.snapshot.text }

  private static func snapshot(
    _ text: String, _ instance: InstanceID?, skippingInvalid: Bool
  ) throws(StudyError) -> (Snapshot<StudiesState>, [String]) {
    var (text, leftOut) = (text, [String]())
    if skippingInvalid { leftOut = dropStudies(from: &text) }
    do throws(SnapshotProblem) {
      return (try Snapshot(parsing: text, instance: instance), leftOut)
    } catch {
      throw .invalidSnapshot(error.reason)
    }
  }

  /// Takes the studies out of a snapshot that cannot be read, and says which.
  private static func dropStudies(from text: inout String) -> [String] {
    guard var json = (try? JSONValue(parsing: text))?.object, var state = json["state"]?.object,
      let studies = state["studies"]?.array
    else { return [] }
    var (kept, leftOut): ([JSONValue], [String]) = ([], [])
    for (index, study) in studies.enumerated() {
      switch StudyRecords.study(study) {
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
