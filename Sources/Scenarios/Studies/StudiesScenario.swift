internal import Specifications

/// Units that choose among the tabs of an app, with habits common to all: the next take depends only on the last takes
/// of the unit.
///
/// The first event defines the study `tabs` for everyone; every other one is a take of a unit drawn at random. The
/// Markov chain of takes is drawn from the seed (``Truth/Study`` has its entropy rate): no predictor has a lower log
/// loss in the long run, and one that counts the takes after contexts of the chain's order comes close with enough
/// takes of each unit.
public struct StudiesScenario: Scenario {
  /// The number of units, from 1 to 10,000,000.
  public private(set) var units = 1_000
  /// The number of options of the study, from 2 to 26.
  public private(set) var options = 5
  /// The order of the Markov chain: the number of last takes that the next one depends on, from 0 to 3.
  public private(set) var order = 2

  /// Creates a scenario with a thousand units, five options, and order two.
  public init() {}

  /// `studies`.
  public var name: String { "studies" }

  /// A one-line summary.
  public var summary: String {
    "units that choose among options again and again, by a Markov chain of known entropy rate"
  }

  /// The parameters `units`, `options` and `order`.
  public var parameters: [ScenarioParameter] {
    [
      ScenarioParameter(
        name: "units", value: String(units), meaning: "how many units there are, from 1 to 10000000"
      ),
      ScenarioParameter(
        name: "options", value: String(options),
        meaning: "how many options the study has, from 2 to 26"),
      ScenarioParameter(
        name: "order", value: String(order),
        meaning: "how many of the last takes the next one depends on, from 0 to 3"),
    ]
  }

  /// Returns the scenario with one parameter set.
  ///
  /// - Throws: ``ScenarioError`` if there is no such parameter, or the value is not an integer in its range.
  public func setting(
    _ parameter: String, to value: String
  ) throws(ScenarioError) -> any Scenario {
    let ranges = ["units": 1...10_000_000, "options": 2...26, "order": 0...3]
    guard let range = ranges[parameter] else {
      throw ScenarioError(
        "\(name) has no parameter \"\(parameter)\""
          + NearestName.remedy(
            for: parameter, among: ["units", "options", "order"], lead: "it takes"))
    }
    guard let number = Int(value), range.contains(number) else {
      throw ScenarioError(
        "\(name): \(parameter)=\(value) is not possible; give a whole number from "
          + "\(range.lowerBound) to \(range.upperBound)")
    }
    var scenario = self
    switch parameter {
    case "units": scenario.units = number
    case "options": scenario.options = number
    default: scenario.order = number
    }
    return scenario
  }

  /// Creates a generator of the events of the units.
  ///
  /// - Throws: ``ScenarioError`` if the number of events is not in 0 ... 10¹².
  public func generator(events: Int, seed: UInt64) throws(ScenarioError) -> any EventGenerator {
    try ScenarioCatalog.requireCount(events)
    return StudiesGenerator(scenario: self, events: events, seed: seed)
  }
}
