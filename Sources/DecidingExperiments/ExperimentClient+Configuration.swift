internal import DecidingCore
public import Events
internal import Threads

extension ExperimentClient {
  /// Starts loading the configuration, now and after each refresh interval, until ``stop()``. Has no effect
  /// on a client that is already started.
  public func start() {
    let (time, interval) = (time, settings.refreshInterval)
    upkeep.withLock { upkeep in
      guard upkeep.refreshing == nil else { return }
      upkeep.refreshing = Task { [weak self] in
        while !Task.isCancelled {
          try? await self?.refresh()
          guard let interval, (try? await time.sleep(for: interval)) != nil else { return }
        }
      }
    }
  }

  /// Stops refreshing. The configuration in use remains.
  public func stop() {
    let task = upkeep.withLock { upkeep in
      defer { upkeep.refreshing = nil }
      return upkeep.refreshing
    }
    task?.cancel()
  }

  /// Loads the configuration and applies it.
  ///
  /// - Throws: ``ExperimentError/loadFailed(_:)``, ``ExperimentError/invalidConfiguration(path:reason:)``,
  ///   ``ExperimentError/notRecorded(_:)``. The configuration in use then remains, and ``lastRefreshError``
  ///   has the error.
  public func refresh() async throws(ExperimentError) {
    do throws(ExperimentError) {
      let configuration = try await load()
      try adopt(configuration, reason: "loaded")
      upkeep.withLock { $0.lastRefreshError = nil }
    } catch {
      // A cancelled refresh is not a failure.
      if !Task.isCancelled { upkeep.withLock { $0.lastRefreshError = error } }
      throw error
    }
  }

  private func load() async throws(ExperimentError) -> ExperimentConfiguration {
    do {
      let configuration = try await loader.load(siteCode: siteCode)
      try Task.checkCancellation()
      return configuration
    } catch let error as ExperimentError {
      throw error
    } catch {
      throw .loadFailed("\(error)")
    }
  }

  /// The error of the last refresh; nil when it succeeded or there was none.
  public var lastRefreshError: ExperimentError? { upkeep.withLock { $0.lastRefreshError } }

  /// Applies a configuration directly.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)`` with the path of the invalid member, in
  ///   which case the configuration in use remains. ``ExperimentError/notRecorded(_:)``.
  public func apply(_ configuration: ExperimentConfiguration) throws(ExperimentError) {
    try adopt(configuration, reason: "set")
  }

  /// Applies a default configuration, unless the log has one that was modified later.
  func serve(_ standard: ExperimentConfiguration) {
    let logged = recorder.read { $0.sites[TextKey(siteCode)]?.configuration }
    if let logged, (logged.modified ?? .min) > (standard.modified ?? .min) { return }
    do throws(ExperimentError) {
      try adopt(standard, reason: "default")
    } catch {
      upkeep.withLock { $0.lastRefreshError = error }
    }
  }

  private func adopt(_ configuration: ExperimentConfiguration, reason: String)
    throws(ExperimentError)
  {
    guard configuration.siteCode.hasSameBytes(as: siteCode) else {
      throw .invalidConfiguration(
        path: "siteCode",
        reason: "is \"\(configuration.siteCode)\", and this client is of \"\(siteCode)\"; "
          + "load the configuration of that site")
    }
    try configuration.validate()
    let json = configuration.json
    try Self.requireReadable(json)
    try recorder.perform { transaction throws(ExperimentError) in
      let before = transaction.state.sites[TextKey(siteCode)]?.configuration
      guard before?.json != json else { return }
      let payload = Payload.configurationApplied(
        ConfigurationApplied(
          system: ExperimentsState.system, reason: reason,
          changed: Self.changes(from: before?.json, to: json), configuration: json.typedText))
      try append([transaction.event("", payload)], in: &transaction)
    }
    readiness.begin()
  }

  /// Checks that the configuration survives the log: what is read back equals what was written.
  private static func requireReadable(_ json: JSONValue) throws(ExperimentError) {
    if let flaw = json.firstFlaw() {
      let path = flaw.path.map { Int($0) == nil ? "." + $0 : "[\($0)]" }.joined().dropFirst()
      throw .invalidConfiguration(path: String(path), reason: "must be \(flaw.expected)")
    }
    let read = try ExperimentConfiguration(unchecked: json).json
    guard read != json else { return }
    let names = (json.object ?? [:]).namesOfDifferences(from: read.object ?? [:])
    throw .invalidConfiguration(
      path: names.first ?? "",
      reason: "would be read back as something else; write it as JSON has it")
  }

  /// Returns the names of the members that differ.
  private static func changes(from before: JSONValue?, to after: JSONValue) -> [String] {
    (after.object ?? [:]).namesOfDifferences(from: before?.object ?? [:])
  }
}

extension ExperimentClient {
  /// Forces a variation of an experiment for a user, regardless of its rules, until ``unforce(for:in:)``. The
  /// decisions have the reason `forced`. A variation that the experiment does not have is ignored with a
  /// warning.
  ///
  /// - Throws: ``ExperimentError/visitorCodeInvalid(_:)``, ``ExperimentError/notRecorded(_:)``.
  public func force(_ variation: VariationID, for userID: String, in experiment: ExperimentID)
    throws(ExperimentError)
  {
    try setForcedVariation(variation, in: experiment, for: userID)
  }

  /// Removes an override.
  ///
  /// - Throws: ``ExperimentError/visitorCodeInvalid(_:)``, ``ExperimentError/notRecorded(_:)``.
  public func unforce(for userID: String, in experiment: ExperimentID) throws(ExperimentError) {
    try setForcedVariation(nil, in: experiment, for: userID)
  }

  /// Forces a variation of an experiment for a user, or removes the override.
  ///
  /// - Parameters:
  ///   - variation: The variation; nil removes the override.
  ///   - experiment: The experiment.
  ///   - userID: The user's id.
  ///   - forceTargeting: Whether to bypass the targeting; false evaluates it nevertheless.
  /// - Throws: ``ExperimentError/visitorCodeInvalid(_:)``, ``ExperimentError/notRecorded(_:)``.
  public func setForcedVariation(
    _ variation: VariationID?, in experiment: ExperimentID, for userID: String,
    forceTargeting: Bool = true
  ) throws(ExperimentError) {
    let unit = try unit(userID)
    let variation = variation?.normalized
    try recorder.perform { transaction throws(ExperimentError) in
      let isTargeted = transaction.state.targetedOverrides[experiment]?[unit] == true
      let before = transaction.state.overrides.variant(for: unit, in: experiment)
      let isSimulated = transaction.state.simulatedOverrides[experiment]?[unit] == true
      guard
        before != variation || isSimulated || variation != nil && isTargeted == forceTargeting
      else { return }
      let payload = Self.override(variation, in: experiment, forceTargeting)
      try append([transaction.event(unit, payload)], in: &transaction)
    }
  }

  private static func override(
    _ variation: VariationID?, in experiment: ExperimentID, _ forceTargeting: Bool
  ) -> Payload {
    let plain = Overrides.payload(variation, in: experiment, system: ExperimentsState.system)
    guard let variation, !forceTargeting, case .configurationApplied(var applied) = plain else {
      return plain
    }
    let json: JSONValue = ["variant": .string(variation.rawValue), "forceTargeting": false]
    applied.configuration = json.jsonText
    return .configurationApplied(applied)
  }
}
