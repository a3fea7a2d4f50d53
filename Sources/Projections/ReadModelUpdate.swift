/// What was done to bring a database up to date.
public struct ReadModelUpdate: Hashable, Sendable {
  /// How the database came to where it is.
  public enum Kind: Hashable, Sendable {
    /// It was made.
    case made
    /// New events were added.
    case appended
    /// Nothing was new.
    case unchanged
    /// It was made anew from the whole log, for this reason.
    case madeAnew(reason: String)
  }

  /// How the database came to where it is.
  public var kind: Kind
  /// The position of the first event of the log that it does not have.
  public var position: UInt64
  /// How many events of the log were read.
  public var eventsRead: UInt64
  /// How many units the new events are of.
  public var unitsTouched: Int
  /// Projections that were computed anew from what the database holds, because an older version wrote them.
  public var projectionsRebuilt: [String]
}
