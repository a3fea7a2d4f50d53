public import Events
package import Specifications

/// A simulated world that generates a log whose true means, propensities and best variants are known.
public protocol Scenario: Sendable {
  /// The name on the command line.
  var name: String { get }

  /// A one-line summary.
  var summary: String { get }

  /// The parameters, with their current values.
  var parameters: [ScenarioParameter] { get }

  /// Returns the same scenario with one parameter set to another value.
  ///
  /// - Throws: ``ScenarioError`` if there is no such parameter or the value is out of its range.
  func setting(_ parameter: String, to value: String) throws(ScenarioError) -> any Scenario

  /// Creates a generator of the events of a log.
  ///
  /// - Parameters:
  ///   - events: The number of events of the log, from 0 to 10¹².
  ///   - seed: The seed of the random streams. The same seed gives the same events.
  /// - Returns: A generator of exactly `events` events.
  /// - Throws: ``ScenarioError`` if the number of events is out of range.
  func generator(events: Int, seed: UInt64) throws(ScenarioError) -> any EventGenerator
}

/// A generator of the events of a scenario, and the ground truth behind them.
///
/// Events come in the order in which a real collector would append them: by the time at which each one was collected,
/// which for late events is not the order of the event times.
public protocol EventGenerator: Sendable {
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

/// A parameter of a scenario.
public struct ScenarioParameter: Hashable, Sendable {
  /// The name: the part before `=` in `storefront:days=30`.
  public var name: String

  /// The current value, as it would be written after `=`.
  public var value: String

  /// The meaning, with the range of values.
  public var meaning: String
}

/// An error thrown for an unknown scenario or an invalid parameter.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A message in one line that says what is wrong and how to fix it.
  public var description: String

  /// Creates an error from its description.
  public init(_ description: String) {
    self.description = description
  }
}

extension ScenarioError: ExitCoded {
  package var exitCode: ExitCode { .usage }
}
