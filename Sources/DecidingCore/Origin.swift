public import Events

/// The system and instance that write events: what the events record as their origin, and which events of a
/// log they read.
///
/// Systems that share a log each read their own events and those without a system: imported ones, and all
/// events of logs from before events had a system. Instances of one system are told apart by their names; one
/// without a name does not read the events of a named one, nor the other way round. Two of the same system
/// and name are identical to the log: only one of them may write at a time.
public struct Origin: Hashable, Sendable {
  /// The system.
  public var system: SystemID
  /// The instance name; nil when there is none.
  public var instance: InstanceID?

  /// Creates an origin.
  public init(_ system: SystemID, instance: InstanceID? = nil) {
    self.system = system
    self.instance = instance
  }

  /// Returns whether the event is read by this system and instance.
  @inlinable
  public func reads(_ event: Event) -> Bool {
    guard let system = event.system else { return true }
    return system == self.system && event.instance == instance
  }
}
