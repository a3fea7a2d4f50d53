package import EventLog
internal import Events

/// Codes of the default names of a point or slot that is not given; 0 if the log does not have them.
package struct StandardNames: Sendable {
  package let point: UInt32
  package let slot: UInt32

  /// Looks up the codes in a log.
  package init(_ names: LogNames) {
    point = names.code(of: PointID.standard.rawValue, in: .points) ?? 0
    slot = names.code(of: SlotID.standard.rawValue, in: .slots) ?? 0
  }
}
