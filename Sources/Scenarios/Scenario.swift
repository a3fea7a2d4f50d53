public import Events

/// A made-up world that writes a log whose true means, propensities and best variants are known.
public protocol Scenario: Sendable {
  /// The name on the command line.
  var name: String { get }

  /// What happens in it, in one line.
  var summary: String { get }

  /// What can be set, with the values that hold now.
  var parameters: [ScenarioParameter] { get }

  /// The same scenario with one parameter set to another value.
  ///
  /// - Throws: ``ScenarioError`` if there is no such parameter or the value is out of its range.
  func setting(_ parameter: String, to value: String) throws(ScenarioError) -> any Scenario

  /// Starts a log of the scenario.
  ///
  /// - Parameters:
  ///   - events: how many events the log shall have, from 0 to 10¹².
  ///   - seed: what the random streams are made from. The same seed gives the same events.
  /// - Returns: a generator of exactly `events` events.
  /// - Throws: ``ScenarioError`` if the number of events is out of range.
  func generator(events: Int, seed: UInt64) throws(ScenarioError) -> any EventGenerator
}

/// The events of a scenario, one after the other, and the truth behind them.
///
/// They come in the order in which a real collector would append them: by the time at which each
/// one was collected, which for late events is not the order of the event times.
public protocol EventGenerator: Sendable {
  /// Fills the record with the next event, or leaves it as it is after the last one.
  ///
  /// - Returns: whether there was another event.
  mutating func next(into record: inout EventRecord) -> Bool

  /// What is true of the scenario, and what has been generated. It is complete once
  /// ``next(into:)`` has returned false.
  ///
  /// - Complexity: O(number of variants).
  var truth: Truth { get }
}

/// Something of a scenario that can be set.
public struct ScenarioParameter: Hashable, Sendable {
  /// The name: the part before `=` in `storefront:days=30`.
  public var name: String

  /// The value that holds, as it would be written after `=`.
  public var value: String

  /// What it means, with its range.
  public var meaning: String

  /// Describes a parameter.
  public init(name: String, value: String, meaning: String) {
    (self.name, self.value, self.meaning) = (name, value, meaning)
  }
}

/// Why a scenario cannot be had, and what to write instead.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and how to mend it, in one line.
  public var description: String

  /// Makes an error from its description.
  public init(_ description: String) {
    self.description = description
  }
}
