internal import DecidingCore
public import Events
internal import Threads

extension ExperimentClient {
  /// Buffers data of a user until they are sent by the next trigger, conversion or flush. Targeting sees them
  /// at once.
  ///
  /// - Parameters:
  ///   - userID: The user's id, 1 to 255 UTF-8 bytes.
  ///   - data: The data, in order.
  ///   - track: False for data that are never sent and are for targeting only.
  /// - Throws: ``ExperimentError/visitorCodeInvalid(_:)``, ``ExperimentError/invalidRevenue(_:)``; nothing is
  ///   kept then.
  public func addData(userID: String, data: any VisitorData..., track: Bool = true)
    throws(ExperimentError)
  {
    try addData(userID: userID, data, track: track)
  }

  /// Buffers data of a user, given as a list.
  public func addData(userID: String, _ data: [any VisitorData], track: Bool = true)
    throws(ExperimentError)
  {
    let unit = try unit(userID)
    for datum in data { try datum.validate() }
    recorder.perform { transaction in add(data, of: unit, track: track, in: transaction) }
  }

  private func add(
    _ data: [any VisitorData], of unit: UnitID, track: Bool,
    in transaction: Transaction<ExperimentsState>
  ) {
    var batches = data.map { datum in datum.payloads.map { transaction.event(unit, $0) } }
    if settings.dataIsActivity, track, !batches.isEmpty {
      batches[batches.count - 1].append(transaction.event(unit, Self.activity))
    }
    buffer.withLock { buffer in
      for batch in batches { buffer.add(batch, of: unit, isTracked: track) }
    }
  }

  static let activity = Payload.dataPoint(DataPoint(kind: ExperimentsState.activityKind))

  /// The number of data dropped unsent because the buffer was full.
  public var droppedData: Int { buffer.withLock { $0.dropped } }

  /// Adds a conversion and sends the buffered data of the user.
  ///
  /// - Parameters:
  ///   - userID: The user's id.
  ///   - goalID: The goal that was reached.
  ///   - revenue: The revenue, finite.
  ///   - negative: Whether it reverses an earlier conversion.
  /// - Throws: ``ExperimentError``. After ``ExperimentError/notRecorded(_:)`` the conversion is still in the
  ///   buffer, or in the log but not yet durable; the next flush handles both.
  public func trackConversion(
    userID: String, goalID: GoalID, revenue: Double = 0, negative: Bool = false
  ) async throws(ExperimentError) {
    let conversion = Conversion(goalID: goalID, revenue: revenue, negative: negative)
    try sendConversion(conversion, of: userID)
    try await makeDurable()
  }

  /// Adds a conversion and sends the buffered data of the user. The handler is called once: with true when
  /// everything is durable, with false otherwise.
  public func trackConversion(
    userID: String, goalID: GoalID, revenue: Double = 0, negative: Bool = false,
    completionHandler: (@Sendable (Bool) -> Void)? = nil
  ) {
    let conversion = Conversion(goalID: goalID, revenue: revenue, negative: negative)
    finish(completionHandler) { () throws(ExperimentError) in
      try sendConversion(conversion, of: userID)
    }
  }

  /// Sends the buffered data of one user, or of all users in order of their ids. Returns once everything sent
  /// so far is durable.
  ///
  /// - Throws: ``ExperimentError/notRecorded(_:)``. Data that were not accepted remain in the buffer, and
  ///   accepted ones are not sent again; the call can be retried.
  public func flush(userID: String? = nil) async throws(ExperimentError) {
    if let userID { try send(userID) } else { try sendAll() }
    try await makeDurable()
  }

  // Without this overload a task that passes a `String` would call the one with a handler, which does
  // not wait.

  /// Sends the buffered data of a user. Returns once everything sent so far is durable.
  ///
  /// - Throws: ``ExperimentError/notRecorded(_:)``, after which the call can be retried;
  ///   ``ExperimentError/visitorCodeInvalid(_:)``.
  public func flush(userID: String) async throws(ExperimentError) {
    try send(userID)
    try await makeDurable()
  }

  /// Sends the buffered data of a user. The handler is called once: with true when everything is durable,
  /// with false otherwise.
  public func flush(
    userID: String, completionHandler: (@Sendable (Bool) -> Void)? = nil
  ) {
    finish(completionHandler) { () throws(ExperimentError) in try send(userID) }
  }

  // The log has the events in the order of the calls, so they are appended before anything is awaited.
  private func finish(
    _ handler: (@Sendable (Bool) -> Void)?, sending: () throws(ExperimentError) -> Void
  ) {
    let isSent = (try? sending()) != nil
    Task {
      let isDurable = isSent ? (try? await makeDurable()) != nil : false
      handler?(isDurable)
    }
  }

  private func sendConversion(_ conversion: Conversion, of userID: String) throws(ExperimentError) {
    let unit = try unit(userID)
    try conversion.validate()
    try recorder.perform { transaction throws(ExperimentError) in
      add([conversion], of: unit, track: true, in: transaction)
      try record([Self.activity], of: unit, in: &transaction)
    }
  }

  private func send(_ userID: String) throws(ExperimentError) {
    let unit = try unit(userID)
    try recorder.perform { transaction throws(ExperimentError) in
      try record([Self.activity], of: unit, in: &transaction)
    }
  }

  private func sendAll() throws(ExperimentError) {
    try recorder.perform { transaction throws(ExperimentError) in
      let units = buffer.withLock { $0.units }
      var events: [Event] = []
      for unit in units {
        events += buffer.withLock { $0.pending(of: unit) }
        events.append(transaction.event(unit, Self.activity))
      }
      try append(events, in: &transaction)
      buffer.withLock { buffer in
        for unit in units { buffer.sent(unit) }
      }
    }
  }

  private func makeDurable() async throws(ExperimentError) {
    do {
      try await sink.flush()
    } catch {
      throw .notRecorded("the log could not make them durable: \(error)")
    }
  }
}
