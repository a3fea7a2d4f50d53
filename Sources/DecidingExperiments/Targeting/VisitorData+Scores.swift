public import Events

/// How likely the visitor is to reach a goal, as a model of the host's found; the latest one of each goal holds.
public struct ConversionLikelihood: VisitorData, Hashable {
  /// The goal; nil when it is about any.
  public var goalID: GoalID?
  /// How likely, usually in 0 ... 1.
  public var value: Double

  /// Makes a likelihood, of any goal unless one is named.
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

/// Which variations of an experiment suit the visitor best, as a model of the host's found; the latest ones
/// of each experiment hold.
public struct VariationScores: VisitorData, Hashable {
  /// The experiment of a flag's rule.
  public var experimentID: ExperimentID
  /// Groups of variations that suit the same, the best ones first. No group takes away what was known.
  public var groups: [[VariationID]]

  /// Makes scores of groups, the best ones first.
  public init(experimentID: ExperimentID, groups: [[VariationID]]) {
    self.experimentID = experimentID
    self.groups = groups.map { $0.map(\.normalized) }.filter { !$0.isEmpty }
  }

  /// Makes scores of a number for each variation, more being better. Those that are not finite are left out.
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

  /// The groups that a data point tells.
  static func groups(_ text: String) -> [[VariationID]] {
    guard let json = try? JSONValue(parsing: text), let groups = json.array else { return [] }
    return groups.map { group in
      (group.array ?? []).compactMap { $0.string.map { VariationID($0).normalized } }
    }.filter { !$0.isEmpty }
  }
}
