internal import DecidingCore
public import Events

extension ActiveConfig {
  /// Sets the user: applies the user's configuration and notifies the listeners of every section that
  /// differs. Setting the same user changes nothing. The user itself is not logged.
  ///
  /// - Parameter user: Nil, or an empty text, for no user.
  public func setUser(_ user: String?) {
    let unit = UnitID(user ?? "")
    recorder.perform { transaction in
      guard unit != announcer.inUse.unit else { return }
      let new = lookUp(unit, in: transaction.state, now: transaction.now)
      // The user changes even when the sink does not accept the event; the group is then logged with the next
      // change.
      try? transaction.record(exposureEvents(of: new, in: transaction))
      announcer.use(new)
    }
    announcer.flush()
  }

  /// Applies a configuration and stores it for the current user. Does nothing for nil, and for one equal to
  /// the configuration in use.
  ///
  /// - Throws: ``ConfigError/wrongType(path:expected:)`` when the schema does not allow a value,
  ///   ``ConfigError/notRecorded(_:)``.
  public func set(_ state: ConfigurationState?) throws(ConfigError) {
    guard let state else { return }
    if let violation = schema?.violation(in: state) { throw violation }
    try recorder.perform { transaction throws(ConfigError) in
      let changed = state.changes(since: announcer.inUse.configuration)
      if !changed.isEmpty { try adopt(state, .set, changed: changed, in: &transaction) }
    }
    announcer.flush()
  }

  /// Removes the stored configuration of the user from the state. The configuration in use remains until the
  /// user is looked up again: when another user is set and then this one, or at the next launch.
  ///
  /// - Parameter user: Nil, or an empty text, for no user.
  /// - Throws: ``ConfigError/notRecorded(_:)``.
  public func removeStored(user: String?) throws(ConfigError) {
    let unit = UnitID(user ?? "")
    try recorder.perform { transaction throws(ConfigError) in
      guard let stored = transaction.state.stored(unit) else { return }
      let changed = ConfigurationState(at: transaction.now).changes(since: stored.configuration)
      try record(
        [event(nil, of: unit, .removed, changed: changed, in: transaction)], in: &transaction)
    }
  }

  // MARK: - History

  /// Returns the history of the user's configurations, in order.
  ///
  /// - Parameter user: Nil, or an empty text, for no user.
  /// - Returns: The configurations since the log began, and their removals.
  public func history(user: String?) -> [ConfigHistoryEntry] {
    recorder.read { $0.history(UnitID(user ?? "")) }
  }

  /// Restores an earlier configuration of a user. It is applied at once when the user is the current one.
  ///
  /// - Parameter position: The ``ConfigHistoryEntry/position`` of the configuration, which also identifies
  ///   the user.
  /// - Throws: ``ConfigError/missing(path:)`` when there is no configuration at the position,
  ///   ``ConfigError/wrongType(path:expected:)`` when the schema does not allow a value,
  ///   ``ConfigError/notRecorded(_:)``.
  public func restore(position: Int) throws(ConfigError) {
    try recorder.perform { transaction throws(ConfigError) in
      guard let entry = transaction.state.entry(at: position), let earlier = entry.configuration
      else {
        throw .missing(path: "history[\(position)].configuration")
      }
      if let violation = schema?.violation(in: earlier) { throw violation }
      let inUse = announcer.inUse
      if entry.unit == inUse.unit {
        let isStored = transaction.state.stored(entry.unit)?.configuration == earlier
        let changed = earlier.changes(since: inUse.configuration)
        if isStored, changed.isEmpty { return }
        try adopt(earlier, .restored, changed: changed, in: &transaction)
      } else {
        try store(earlier, for: entry.unit, .restored, in: &transaction)
      }
    }
    announcer.flush()
  }

  // MARK: - Exposures

  /// Logs the group of an experiment that the server assigns in `meta`: now, and whenever the group of the
  /// current user changes, a decision of the policy `server` is appended, so that conversions can be credited
  /// to it.
  ///
  /// The group is a text, a number or a Boolean; any other value, and an empty text, is no group. Without a
  /// user there is no group, because decisions need a unit. Of two calls for one experiment the later one
  /// applies. A group that the sink did not accept when another user was set is logged with the next change.
  ///
  /// - Parameters:
  ///   - experiment: The experiment of the decisions.
  ///   - metaKey: The key in `meta` of the group.
  /// - Throws: ``ConfigError/notRecorded(_:)``; the group is then not observed.
  public func exposures(experiment: ExperimentID, metaKey: String) throws(ConfigError) {
    let exposure = Exposure(experiment: experiment, metaKey: metaKey)
    try recorder.perform { transaction throws(ConfigError) in
      let events = exposureEvents(of: announcer.inUse, [exposure], in: transaction)
      try record(events, in: &transaction)
      announcer.watch(exposure)
    }
  }

  private func exposureEvents(
    of inUse: InUse, _ exposures: [Exposure]? = nil, in transaction: Transaction<ActiveConfigState>
  ) -> [Event] {
    guard inUse.user != nil else { return [] }
    let meta = inUse.configuration.metaMembers
    return (exposures ?? announcer.exposures).compactMap { exposure in
      guard let group = meta[exposure.metaKey]?.group,
        group != transaction.state.group(of: inUse.unit, in: exposure.experiment)
      else { return nil }
      let decision = Decision(
        experiment: exposure.experiment, variant: group, policy: ActiveConfigState.policy)
      return transaction.event(inUse.unit, .decision(decision))
    }
  }

  // MARK: - Appending

  /// Stores the configuration for the current user and applies it.
  func adopt(
    _ configuration: ConfigurationState, _ reason: ConfigReason, changed: [String],
    in transaction: inout Transaction<ActiveConfigState>
  ) throws(ConfigError) {
    var new = announcer.inUse
    new.configuration = configuration
    let first = event(configuration, of: new.unit, reason, changed: changed, in: transaction)
    try record([first] + exposureEvents(of: new, in: transaction), in: &transaction)
    // The configuration is applied as the log returns it, so that one rebuilt from the log is no different.
    announcer.use(lookUp(new.unit, in: transaction.state, now: transaction.now))
  }

  /// Stores the configuration for a user other than the current one, unless it is unchanged.
  func store(
    _ configuration: ConfigurationState, for unit: UnitID, _ reason: ConfigReason,
    in transaction: inout Transaction<ActiveConfigState>
  ) throws(ConfigError) {
    let old = transaction.state.stored(unit)?.configuration
    if old == configuration { return }
    let changed = configuration.changes(since: old ?? ConfigurationState(at: transaction.now))
    try record(
      [event(configuration, of: unit, reason, changed: changed, in: transaction)], in: &transaction)
  }

  private func event(
    _ configuration: ConfigurationState?, of unit: UnitID, _ reason: ConfigReason,
    changed: [String], in transaction: Transaction<ActiveConfigState>
  ) -> Event {
    transaction.event(
      unit,
      .configurationApplied(
        ConfigurationApplied(
          system: ActiveConfigState.system, reason: reason.rawValue, changed: changed,
          configuration: configuration?.json.jsonText ?? .null)))
  }

  private func record(
    _ events: [Event], in transaction: inout Transaction<ActiveConfigState>
  ) throws(ConfigError) {
    do {
      try transaction.record(events)
    } catch {
      throw .notRecorded(error.reason)
    }
  }
}

extension JSONValue {
  /// The value as a group name.
  fileprivate var group: VariantID? {
    switch self {
    case .string(let text): text.isEmpty ? nil : VariantID(text)
    case .boolean, .integer, .number: VariantID(description)
    case .null, .array, .object: nil
    }
  }
}
