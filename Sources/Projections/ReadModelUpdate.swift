/// The result of bringing a database up to date.
public struct ReadModelUpdate: Hashable, Sendable {
  /// The kind of update.
  public enum Kind: Hashable, Sendable {
    /// The database was created.
    case made
    /// New events were added.
    case appended
    /// There were no new events.
    case unchanged
    /// The database was recreated from the whole log, for this reason.
    case madeAnew(reason: String)
  }

  /// The kind of update.
  public var kind: Kind
  /// The position of the first event of the log that the database does not include.
  public var position: UInt64
  /// The number of events read from the log.
  public var eventsRead: UInt64
  /// The number of units with new events.
  public var unitsTouched: Int
  /// The projections that were recomputed from the database, because they were of an older version or of the days of
  /// another time zone.
  public var projectionsRebuilt: [String]
}
