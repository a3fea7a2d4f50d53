public import DecidingCore
public import Events
internal import Threads

/// A rollout system for one unit, such as the installation of an app: a configuration gives each experiment
/// weights for its variants, and the app requests a variant by the experiment's name.
///
/// A unit gets a number for an experiment at the first request, and the number is saved. The weights map it
/// to a variant, so as the weight of the first variant grows, units that have it keep it. The log is the only
/// storage: restart with its events, or with a snapshot and the events after it.
///
/// It can be used from any number of threads and tasks: calls are serialized, and events are logged in the
/// order of the calls. Conditions are evaluated outside of any lock.
public final class Rollouts: Sendable {
  let unit: UnitID
  let exposures: RolloutExposures
  let numbers: RolloutNumbers
  package let recorder: Recorder<RolloutsState>
  private let locale: UserLocale
  private let restrictions: Restrictions
  /// The configuration in use. It changes only within a transaction of the recorder.
  private let current = Monitor<RolloutPlan?>(nil)

  /// Creates a system without a configuration, rebuilding its state from the events of a log.
  ///
  /// - Parameters:
  ///   - unit: The unit.
  ///   - surroundings: The clock, random generator, source of ids, locale, and sink.
  ///   - exposures: Which answers are logged.
  ///   - numbers: The source of numbers.
  ///   - restrictions: The holdout, exclusion groups and schedules.
  ///   - instance: The instance name, where several share a log, such as those of several units.
  ///   - events: The events already in the log, of this system and of others.
  public convenience init<Replayed: Sequence>(
    unit: String, surroundings: Surroundings, exposures: RolloutExposures = .changes,
    numbers: RolloutNumbers = .drawn, restrictions: Restrictions = Restrictions(),
    instance: InstanceID? = nil,
    replaying events: Replayed = [Event]()
  ) where Replayed.Element: ReplayableEvent {
    self.init(
      unit, surroundings.locale, exposures, numbers, restrictions,
      Recorder(surroundings, instance: instance, replaying: events))
  }

  /// Restores a system without a configuration from a snapshot and the events after its position.
  ///
  /// - Throws: ``RolloutError/invalidSnapshot(_:)``; the log can be replayed instead.
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
      unit, surroundings.locale, exposures, numbers, restrictions,
      Recorder(surroundings, snapshot: parsed, replaying: events))
  }

  /// Creates a system for another unit, with the same configuration, settings and recorder: for a host that serves
  /// many units. The configuration of the other system is the one that it has now.
  package convenience init(unit: String, like other: Rollouts, locale: UserLocale? = nil) {
    self.init(
      unit, locale ?? other.locale, other.exposures, other.numbers, other.restrictions,
      other.recorder)
    let plan = other.plan.map {
      RolloutPlan(
        $0.configuration, unit: self.unit, locale: self.locale, restrictions: restrictions)
    }
    current.withLock { $0 = plan }
  }

  private init(
    _ unit: String, _ locale: UserLocale, _ exposures: RolloutExposures,
    _ numbers: RolloutNumbers, _ restrictions: Restrictions, _ recorder: Recorder<RolloutsState>
  ) {
    self.unit = UnitID(unit)
    self.exposures = exposures
    self.numbers = numbers
    self.restrictions = restrictions
    self.recorder = recorder
    self.locale = locale
  }

  /// The current configuration, for a transaction of the recorder.
  var plan: RolloutPlan? { current.withLock { $0 } }

  /// Returns a snapshot of the state and its position, as JSON with sorted keys. The configuration in use is
  /// not part of it: call ``setup(_:)`` after a restart.
  public func snapshot() -> String { recorder.snapshot.text }

  /// The current state.
  var state: RolloutsState { recorder.read { $0 } }
}

// MARK: - Configurations

extension Rollouts {
  /// Applies a configuration, replacing any earlier one; nil removes it. Saved draws are kept.
  ///
  /// A configuration that differs from the last one in the log is appended to it.
  ///
  /// - Throws: ``RolloutError`` when a weight or a name is invalid, or the sink does not accept the event;
  ///   the configuration in use then remains.
  public func setup(_ configuration: RolloutConfiguration?) throws(RolloutError) {
    try configuration?.validate()
    let plan = configuration.map {
      RolloutPlan($0, unit: unit, locale: locale, restrictions: restrictions)
    }
    let json = configuration?.json
    try json.map { json throws(RolloutError) in try RolloutConfiguration.requireReadable(json) }
    do {
      try recorder.perform { transaction throws(NotRecorded) in
        // After a restart no configuration is in use, and setting none is not a removal.
        let isRemoval = json == nil && self.plan != nil
        let before = transaction.state.configuration.map { JSONText(validated: $0) }
        if json != nil || isRemoval, json?.jsonText != before {
          let old = transaction.state.configuration.flatMap { try? JSONValue(parsing: $0) }
          let applied = ConfigurationApplied(
            system: RolloutsState.system,
            changed: RolloutConfiguration.changes(from: old, to: json),
            configuration: json?.jsonText ?? .null)
          try transaction.record([transaction.event(UnitID(""), .configurationApplied(applied))])
        }
        current.withLock { $0 = plan }
      }
    } catch {
      throw .notRecorded(error.reason)
    }
  }

  /// The configuration in use; nil when there is none.
  public var configuration: RolloutConfiguration? { plan?.configuration }

  /// The last configuration in the log, for an app that cannot fetch one. It is not applied automatically:
  /// pass it to ``setup(_:)``. Nil when there is none, or when the last one was removed.
  public var lastConfiguration: RolloutConfiguration? {
    guard let text = recorder.read({ $0.configuration }),
      let json = try? JSONValue(parsing: text)
    else { return nil }
    return try? RolloutConfiguration(json: json)
  }

  /// Warnings about ignored settings: unknown members of the configuration, and overrides to a variant that
  /// an experiment does not have.
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
  /// Forces a variant for the unit, with precedence over every other rule, until ``unforce(in:)``. A variant
  /// that the experiment does not have is ignored, with a warning in ``warnings``.
  ///
  /// - Throws: ``RolloutError`` when a name is empty, or the sink does not accept the event.
  public func force(_ variant: String, in experiment: String) throws(RolloutError) {
    guard !variant.isEmpty, !experiment.isEmpty else { throw .emptyName(path: "force") }
    let (variant, experiment) = (VariantID(variant), ExperimentID(experiment))
    try record { transaction in
      if transaction.state.overrides.variant(for: self.unit, in: experiment) == variant {
        return nil
      }
      return Overrides.payload(variant, in: experiment, system: RolloutsState.system)
    }
  }

  /// Removes an override; does nothing when there is none.
  ///
  /// - Throws: ``RolloutError/notRecorded(_:)``.
  public func unforce(in experiment: String) throws(RolloutError) {
    let experiment = ExperimentID(experiment)
    try record { transaction in
      if transaction.state.overrides.variant(for: self.unit, in: experiment) == nil { return nil }
      return Overrides.payload(nil, in: experiment, system: RolloutsState.system)
    }
  }

  private func record(_ payload: (Transaction<RolloutsState>) -> Payload?) throws(RolloutError) {
    do {
      try recorder.perform { transaction throws(NotRecorded) in
        guard let payload = payload(transaction) else { return }
        try transaction.record([transaction.event(unit, payload)])
      }
    } catch {
      throw .notRecorded(error.reason)
    }
  }
}
