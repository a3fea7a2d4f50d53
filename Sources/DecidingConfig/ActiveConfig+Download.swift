internal import DecidingCore
internal import Events

extension ActiveConfig {
  /// Downloads the configuration of the current user and applies it.
  ///
  /// There is at most one download for each user at a time. If the user changes meanwhile, the configuration
  /// is stored for the user that it was requested for. Every download that called the downloader and does not
  /// throw ends with a notice, after the listeners were notified.
  ///
  /// - Returns: The outcome of the download.
  /// - Throws: ``ConfigError/downloadFailed(_:)`` when the downloader threw or the task was cancelled, in
  ///   which case nothing has changed; ``ConfigError/notRecorded(_:)``.
  public func download() async throws(ConfigError) -> ConfigDownloadOutcome {
    let asked = announcer.inUse
    guard announcer.beginDownload(of: asked.unit) else { return .alreadyRunning }
    defer { announcer.endDownload(of: asked.unit) }
    let json: JSONValue?
    do {
      json = try await downloader.requestConfiguration(user: asked.user)
    } catch {
      throw .downloadFailed("\(error)")
    }
    if Task.isCancelled { throw .downloadFailed("the task was cancelled") }
    let outcome = try take(Downloaded(json, mode: mode, schema: schema), for: asked)
    announcer.flush()
    return outcome
  }

  private func take(_ downloaded: Downloaded, for asked: InUse) throws(ConfigError)
    -> ConfigDownloadOutcome
  {
    try recorder.perform { transaction throws(ConfigError) in
      let isFirst = !transaction.state.hasDownloaded
      let outcome = try take(downloaded, for: asked.unit, in: &transaction)
      if outcome == .applied, isFirst { announcer.queue(.firstDownload(user: asked.user)) }
      let document = downloaded.document ?? announcer.inUse.configuration
      announcer.queue(
        .updateFinished(
          user: asked.user, meta: document.meta,
          isCurrent: outcome == .applied || outcome == .unchanged))
      return outcome
    }
  }

  private func take(
    _ downloaded: Downloaded, for unit: UnitID, in transaction: inout Transaction<ActiveConfigState>
  ) throws(ConfigError) -> ConfigDownloadOutcome {
    if let reason = downloaded.refusal { return .ignored(reason) }
    guard let document = downloaded.document else { return .ignored(.nothing) }
    let inUse = announcer.inUse
    guard unit == inUse.unit else {
      try store(document, for: unit, .stored, in: &transaction)
      return .stored(user: unit.rawValue.isEmpty ? nil : unit.rawValue)
    }
    let changed = document.changes(since: inUse.configuration)
    if changed.isEmpty { return .unchanged }
    try adopt(document, .downloaded, changed: changed, in: &transaction)
    return .applied
  }
}

/// A downloaded document, or the reason why there is none to apply.
private struct Downloaded {
  var document: ConfigurationState?
  var refusal: ConfigDownloadOutcome.Reason?

  init(_ json: JSONValue?, mode: ConfigurationState.Mode, schema: ConfigSchema?) {
    guard let json else {
      refusal = .nothing
      return
    }
    do throws(ConfigError) {
      let document = try ConfigurationState(json: json, at: Timestamp(microseconds: 0), mode: mode)
      self.document = document
      if let violation = schema?.violation(in: document) {
        refusal = .invalid(violation)
      } else if document.sections.isEmpty {
        refusal = .noSections
      }
    } catch {
      refusal = .invalid(error)
    }
  }
}
