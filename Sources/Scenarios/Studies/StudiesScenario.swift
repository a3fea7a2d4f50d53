package import Specifications

/// Units that choose among the tabs of an app, with habits common to all: the next take depends only on the last takes
/// of the unit.
///
/// The first event defines the study `tabs` for everyone; every other one is a take of a unit drawn at random. The
/// Markov chain of takes is drawn from the seed (``Truth/Study`` has its entropy rate): no predictor has a lower log
/// loss in the long run, and one that counts the takes after contexts of the chain's order comes close with enough
/// takes of each unit.
package struct StudiesScenario: Scenario {
  /// The number of units, from 1 to 10,000,000.
  package var units = 1_000
  /// The number of options of the study, from 2 to 26.
  package var options = 5
  /// The order of the Markov chain: the number of last takes that the next one depends on, from 0 to 3.
  package var order = 2
  package var specification = Self.info.specification()

  /// Creates a scenario with a thousand units, five options, and order two.
  package init() {}

  package static let info = SpecificationInfo(
    "studies", "units that choose among options again and again, by a Markov chain of known entropy rate",
    source: "simulated", example: "studies:units=20,order=1")

  package static var parameters: [Field] {
    Field.integer("units", \.units, in: 1...10_000_000, "how many units there are, {range}")
    Field.integer("options", \.options, in: 2...26, "how many options the study has, {range}")
    Field.integer("order", \.order, in: 0...3, "how many of the last takes the next one depends on, {range}")
  }

  /// Creates a generator of the events of the units.
  ///
  /// - Throws: ``SpecificationError`` if the number of events is not in 0 ... 10¹².
  package func generator(events: Int, seed: UInt64) throws(SpecificationError) -> any EventGenerator {
    try ScenarioCatalog.requireCount(events)
    return StudiesGenerator(scenario: self, events: events, seed: seed)
  }
}
