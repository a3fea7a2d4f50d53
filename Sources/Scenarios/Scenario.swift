package import Events
package import Specifications

/// A simulated world that generates a log whose true means, propensities and best variants are known.
package protocol Scenario: Specified where ParameterSources == Void {
  /// Creates a generator of the events of a log.
  ///
  /// - Parameters:
  ///   - events: The number of events of the log, from 0 to 10¹².
  ///   - seed: The seed of the random streams. The same seed gives the same events.
  /// - Returns: A generator of exactly `events` events.
  /// - Throws: `SpecificationError` if the number of events is out of range.
  func generator(events: Int, seed: UInt64) throws(SpecificationError) -> any EventGenerator
}

/// A generator of the events of a scenario, and the ground truth behind them.
///
/// Events come in the order in which a real collector would append them: by the time at which each one was collected,
/// which for late events is not the order of the event times.
package protocol EventGenerator: Sendable {
  /// Fills the record with the next event, or leaves it unchanged after the last one.
  ///
  /// - Returns: Whether there was another event.
  mutating func next(into record: inout EventRecord) -> Bool

  /// The true parameters of the scenario, and counts of what has been generated. It is complete once ``next(into:)``
  /// has returned false.
  ///
  /// - Complexity: O(number of variants).
  var truth: Truth { get }
}
