public import DecidingCore
public import Events
internal import Threads

/// Rolls features out to one unit, such as the installation of an app: a configuration gives each experiment
/// weights for its variants, and the app asks for a variant by the experiment's name.
///
/// A unit gets a number for an experiment when it first asks, and the number is saved. It leads to a variant by
/// the weights; so as the weight of the first variant grows those who have it keep it. All that is saved is
/// the log: start with the events of the last time, or a snapshot and what followed.
///
/// It may be used from any thread and task at the same time: one call after the other has its turn, and the order
/// of the log is the order of the turns. Conditions run outside of any turn.
public final class Rollouts: Sendable {
  let unit: UnitID
  let exposures: RolloutExposures
  let numbers: RolloutNumbers
  let recorder: Recorder<RolloutsState>
  private let locale: UserLocale
  private let restrictions: Restrictions
  /// The configuration in use. It changes only in a turn of the recorder.
  private let current = Monitor<RolloutPlan?>(nil)

  /// Makes a system without a configuration.
  ///
  /// - Parameters:
  ///   - unit: Who asks.
  ///   - surroundings: The world.
  ///   - exposures: Which answers the log hears of.
  ///   - numbers: Where numbers come from.
  ///   - restrictions: Who is kept out of which experiment when.
  ///   - instance: Its name, where several share a log, such as those of several units.
  ///   - events: What was appended before, by this system and by others.
  public convenience init<Replayed: Sequence>(
    unit: String, surroundings: Surroundings, exposures: RolloutExposures = .changes,
    numbers: RolloutNumbers = .drawn, restrictions: Restrictions = Restrictions(),
    instance: InstanceID? = nil,
    replaying events: Replayed = [Event]()
  ) where Replayed.Element: ReplayableEvent {
    self.init(
      unit, surroundings, exposures, numbers, restrictions,
      Recorder(surroundings, instance: instance, replaying: events))
  }

  /// Makes a system without a configuration that knows what a snapshot says and the events after it.
  ///
  /// - Throws: ``RolloutError/invalidSnapshot(_:)``; the log is replayed instead.
  public convenience init<Replayed: Sequence>(
    unit: String, surroundings: Surroundings, exposures: RolloutExposures = .changes,
    numbers: RolloutNumbers = .drawn, restrictions: Restrictions = Restrictions(),
    instance: InstanceID? = nil, restoring snapshot: String,
    replaying events: Replayed = [Event]()
  ) throws(RolloutError) where Replayed.Element: ReplayableEvent {
    let parsed: Snapshot<RolloutsState>
    do {
      parsed = try Snapshot(parsing: snapshot, instance: instance)
    } catch {
      throw .invalidSnapshot(error.reason)
    }
    self.init(
      unit, surroundings, exposures, numbers, restrictions,
      Recorder(surroundings, snapshot: parsed, replaying: events))
  }

  private init(
    _ unit: String, _ surroundings: Surroundings, _ exposures: RolloutExposures,
    _ numbers: RolloutNumbers, _ restrictions: Restrictions, _ recorder: Recorder<RolloutsState>
  ) {
    self.unit = UnitID(unit)
    self.exposures = exposures
    self.numbers = numbers
    self.restrictions = restrictions
    self.recorder = recorder
    locale = surroundings.locale
  }

  /// The configuration that decides now, for a turn of the recorder.
  var plan: RolloutPlan? { current.withLock { $0 } }

  /// State and position as JSON with sorted keys. The configuration in use is not part of it: call
  /// ``setup(_:)`` after a restart.
  public func snapshot() -> String { recorder.snapshot.text }

  /// What is known.
  var state: RolloutsState { recorder.read { $0 } }
}

// MARK: - Configurations

extension Rollouts {
  /// Puts a configuration in use, again for a new one; nil puts none in use. What is saved stays.
  ///
  /// A configuration that differs from the last one in the log is appended to it.
  ///
  /// - Throws: ``RolloutError``: a weight or a name is wrong, or the sink does not take the event; the
  ///   configuration that was in use stays.
  public func setup(_ configuration: RolloutConfiguration?) throws(RolloutError) {
    try configuration?.validate()
    let plan = configuration.map {
      RolloutPlan($0, unit: unit, locale: locale, restrictions: restrictions)
    }
    let json = configuration?.json
    try json.map { json throws(RolloutError) in try RolloutConfiguration.requireReadable(json) }
    do {
      try recorder.perform { turn throws(NotRecorded) in
        // After a restart none is in use, and putting none in use is no removal.
        let isRemoval = json == nil && self.plan != nil
        let before = turn.state.configuration.map { JSONText(validated: $0) }
        if json != nil || isRemoval, json?.jsonText != before {
          let old = turn.state.configuration.flatMap { try? JSONValue(parsing: $0) }
          let applied = ConfigurationApplied(
            system: RolloutsState.system,
            changed: RolloutConfiguration.changes(from: old, to: json),
            configuration: json?.jsonText ?? .null)
          try turn.record([turn.event(UnitID(""), .configurationApplied(applied))])
        }
        current.withLock { $0 = plan }
      }
    } catch {
      throw .notRecorded(error.reason)
    }
  }

  /// The configuration in use; nil when there is none.
  public var configuration: RolloutConfiguration? { plan?.configuration }

  /// The last configuration in the log, for a host that cannot fetch one. It is never used by itself: pass
  /// it to ``setup(_:)``. Nil when there is none, or when the last one was removed.
  public var lastConfiguration: RolloutConfiguration? {
    guard let text = recorder.read({ $0.configuration }),
      let json = try? JSONValue(parsing: text)
    else { return nil }
    return try? RolloutConfiguration(json: json)
  }

  /// What is passed over: settings of the configuration that are unknown, and overrides to a variant that an
  /// experiment does not have.
  public var warnings: [String] {
    guard let plan else { return [] }
    let overrides = recorder.read { $0.overrides }
    return plan.configuration.warnings
      + plan.configuration.experiments.compactMap { experiment in
        guard let forced = overrides.variant(for: unit, in: experiment.name),
          plan.entries[experiment.name]?.index(of: forced) == nil
        else { return nil }
        return "\(experiment.name): \"\(forced)\" is forced upon \(unit) but is no variant; it was "
          + "passed over"
      }
  }
}

// MARK: - Overrides

extension Rollouts {
  /// Forces a variant upon the unit, before every other rule, until ``unforce(in:)``. A variant that the
  /// experiment does not have is passed over, with a warning in ``warnings``.
  ///
  /// - Throws: ``RolloutError``: a name is empty, or the sink does not take the event.
  public func force(_ variant: String, in experiment: String) throws(RolloutError) {
    guard !variant.isEmpty, !experiment.isEmpty else { throw .emptyName(path: "force") }
    let (variant, experiment) = (VariantID(variant), ExperimentID(experiment))
    try record { turn in
      if turn.state.overrides.variant(for: self.unit, in: experiment) == variant { return nil }
      return Overrides.payload(variant, in: experiment, system: RolloutsState.system)
    }
  }

  /// Ends an override; does nothing when there is none.
  ///
  /// - Throws: ``RolloutError/notRecorded(_:)``.
  public func unforce(in experiment: String) throws(RolloutError) {
    let experiment = ExperimentID(experiment)
    try record { turn in
      if turn.state.overrides.variant(for: self.unit, in: experiment) == nil { return nil }
      return Overrides.payload(nil, in: experiment, system: RolloutsState.system)
    }
  }

  private func record(_ payload: (Turn<RolloutsState>) -> Payload?) throws(RolloutError) {
    do {
      try recorder.perform { turn throws(NotRecorded) in
        guard let payload = payload(turn) else { return }
        try turn.record([turn.event(unit, payload)])
      }
    } catch {
      throw .notRecorded(error.reason)
    }
  }
}
