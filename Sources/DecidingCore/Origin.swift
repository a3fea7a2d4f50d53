package import Events

/// Which front of which system: what its events say of their origin, and which events of a log it reads.
///
/// Systems that share a log each read their own events, and those that no system wrote: imported ones, and all
/// events of logs from before events had a system. Two fronts of one system tell their events apart by their
/// names; a front without a name does not read what a named one wrote, nor the other way round. Two fronts of
/// the same system and name are one and the same to the log: only one of them may write at a time.
package struct Origin: Hashable, Sendable {
  /// The system.
  package var system: SystemID
  /// The front's name; nil when it has none.
  package var instance: InstanceID?

  /// Names a front.
  package init(_ system: SystemID, instance: InstanceID? = nil) {
    self.system = system
    self.instance = instance
  }

  /// Whether the front reads the event.
  package func reads(_ event: Event) -> Bool {
    guard let system = event.system else { return true }
    return system == self.system && event.instance == instance
  }
}
