public import Events

/// The likelihood, from a model of the app, that the visitor reaches a goal. The latest value for each goal
/// applies.
public struct ConversionLikelihood: VisitorData, Hashable {
  /// The goal; nil for any goal.
  public var goalID: GoalID?
  /// The likelihood, usually in 0 ... 1.
  public var value: Double

  /// Creates a likelihood, of any goal unless one is given.
  public init(_ value: Double, goalID: GoalID? = nil) {
    self.goalID = goalID
    self.value = value
  }

  static let kind = "likelihood"

  /// A data point of kind `likelihood`, with the goal as its key; none when the value is not finite.
  public var payloads: [Payload] {
    guard value.isFinite else { return [] }
    return [.dataPoint(DataPoint(kind: Self.kind, key: goalID?.rawValue, value: .number(value)))]
  }
}

/// The ranking, from a model of the app, of an experiment's variations for the visitor. The latest value for
/// each experiment applies.
public struct VariationScores: VisitorData, Hashable {
  /// The experiment of a flag's rule.
  public var experimentID: ExperimentID
  /// Groups of equally suitable variations, best first. An empty list removes the known ranking.
  public var groups: [[VariationID]]

  /// Creates a ranking from groups, best first.
  public init(experimentID: ExperimentID, groups: [[VariationID]]) {
    self.experimentID = experimentID
    self.groups = groups.map { $0.map(\.normalized) }.filter { !$0.isEmpty }
  }

  /// Creates a ranking from a score for each variation, higher being better. Scores that are not finite are
  /// left out.
  public init(experimentID: ExperimentID, scores: [VariationID: Double]) {
    var groups: [Double: [VariationID]] = [:]
    for (variation, score) in scores where score.isFinite {
      groups[score, default: []].append(variation)
    }
    let best = groups.sorted { $0.key > $1.key }
    self.init(
      experimentID: experimentID, groups: best.map { $0.value.sorted(by: VariantID.isOrdered) })
  }

  static let kind = "scores"

  /// A data point of kind `scores`, with the experiment as its key and the groups as JSON text.
  public var payloads: [Payload] {
    let json = JSONValue.array(groups.map { .array($0.map { .string($0.rawValue) }) })
    let value: AttributeValue? = groups.isEmpty ? nil : .text(json.description)
    return [.dataPoint(DataPoint(kind: Self.kind, key: experimentID.rawValue, value: value))]
  }

  /// Parses the groups of a data point.
  static func groups(_ text: String) -> [[VariationID]] {
    guard let json = try? JSONValue(parsing: text), let groups = json.array else { return [] }
    return groups.map { group in
      (group.array ?? []).compactMap { $0.string.map { VariationID($0).normalized } }
    }.filter { !$0.isEmpty }
  }
}
