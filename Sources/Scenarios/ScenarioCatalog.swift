package import Specifications

/// The scenarios that a specification such as `storefront:days=7` can name.
package typealias ScenarioCatalog = Catalog<SpecifiedEntry<any Scenario, Void>>

extension ScenarioCatalog {
  /// The available scenarios.
  package static var standard: ScenarioCatalog { Scenarios.catalog }

  /// The maximum number of events of a generated log.
  package static var largestCount: Int { 1_000_000_000_000 }

  /// Throws if the number of events is out of range.
  static func requireCount(_ events: Int) throws(SpecificationError) {
    guard events >= 0, events <= largestCount else {
      throw SpecificationError("a log cannot have \(events) events; ask for a number from 0 to \(largestCount)")
    }
  }
}

/// The available scenarios. Each is one folder and one entry here.
private enum Scenarios {
  static let catalog = ScenarioCatalog(
    of: "scenario",
    [SpecifiedEntry(Storefront.self) { $0 }, SpecifiedEntry(StudiesScenario.self) { $0 }])
}
