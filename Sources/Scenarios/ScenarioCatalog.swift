internal import Specifications

/// The available scenarios.
public enum ScenarioCatalog {
  /// Every scenario with its default parameters, sorted by name.
  public static let all: [any Scenario] = [Storefront(), StudiesScenario()]

  /// The maximum number of events of a generated log.
  public static let largestCount = 1_000_000_000_000

  /// Returns the scenario of a text such as `storefront` or `storefront:days=7`.
  ///
  /// Parameters follow the name after a colon, as `name=value`, separated by commas; of two values for the same
  /// parameter the later one is used.
  ///
  /// - Throws: ``ScenarioError`` that names the known scenarios or parameters.
  public static func named(_ text: String) throws(ScenarioError) -> any Scenario {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map { String($0) } ?? ""
    guard var scenario = all.first(where: { $0.name == name }) else {
      throw ScenarioError(
        NearestName.unknown("scenario", name, among: all.map(\.name)))
    }
    guard parts.count == 2 else { return scenario }
    for setting in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      let sides = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else {
        throw ScenarioError(
          "\"\(setting)\" in \"\(text)\" is not a parameter; write them as \(name):name=value,...")
      }
      scenario = try scenario.setting(String(sides[0]), to: String(sides[1]))
    }
    return scenario
  }

  /// Throws if the number of events is out of range.
  static func requireCount(_ events: Int) throws(ScenarioError) {
    guard events >= 0, events <= largestCount else {
      throw ScenarioError(
        "a log cannot have \(events) events; ask for a number from 0 to \(largestCount)")
    }
  }
}
