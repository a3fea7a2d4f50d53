/// An attribute that a replay reads as a column.
public enum AttributeSelection: Hashable, Sendable {
  /// The attribute of this name in the context of decisions, which the policy observed of the unit.
  case context(String)
  /// The attribute of this name in the features of decisions, which the policy observed of each choice.
  case features(String)
  /// The attribute of this name in the metadata of goals and conversions.
  case metadata(String)
  /// The values of data points.
  case data

  /// The owner of the attribute.
  var role: AttributeRole {
    switch self {
    case .context: .context
    case .features: .features
    case .metadata: .metadata
    case .data: .data
    }
  }

  /// The name of the attribute; nil for the value of a data point.
  var name: String? {
    switch self {
    case .context(let name), .features(let name), .metadata(let name): name
    case .data: nil
    }
  }

  /// Returns the vocabularies that are needed to read attributes.
  static func vocabularies(_ selections: [AttributeSelection]) -> Set<Vocabulary> {
    var vocabularies: Set<Vocabulary> = []
    for selection in selections {
      switch selection {
      case .data: vocabularies.insert(.values)
      case .context, .metadata: vocabularies.formUnion([.values, .attributes, .shapes])
      case .features: vocabularies.formUnion([.values, .attributes, .shapes, .variants])
      }
    }
    return vocabularies
  }
}
