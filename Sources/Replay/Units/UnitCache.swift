internal import Threads

/// The units of a part of a log, which are kept for the reports that follow: they are collected once for all that need
/// no more of them than most reports do.
///
/// Memory: 32 bytes for each event, and 8 for each unit, until another part is read or the last reference is gone.
package final class UnitCache: Sendable {
  /// The events that most reports need.
  private static let needs: UnitNeeds = [
    .decisions, .goals, .conversions, .propensities, .probabilities, .choices, .hashes,
  ]

  private let content = Monitor<(selection: UnitSelection, units: any BucketedUnits)?>(nil)

  package init() {}

  /// Returns the units of a part of a log.
  ///
  /// - Parameters:
  ///   - selection: The part.
  ///   - needs: The needed events.
  ///   - collect: Reads the log for some needed events of the part.
  /// - Returns: The units, maybe with more events than are needed.
  /// - Throws: Errors of the closure.
  func units(
    _ selection: UnitSelection, _ needs: UnitNeeds,
    collect: (UnitNeeds) throws -> any BucketedUnits
  ) throws -> any BucketedUnits {
    guard needs.isSubset(of: Self.needs) else { return try collect(needs) }
    return try content.withLock { content in
      if let content, content.selection == selection { return content.units }
      content = nil
      let units = try collect(Self.needs)
      content = (selection, units)
      return units
    }
  }
}
