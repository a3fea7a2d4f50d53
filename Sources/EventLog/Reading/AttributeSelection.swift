/// An attribute that a replay reads as a column.
public enum AttributeSelection: Hashable, Sendable {
  /// What the policy saw of the unit: the attribute of this name in the context of decisions.
  case context(String)
  /// What else was known of a goal or conversion: the attribute of this name in their metadata.
  case metadata(String)
  /// The values of data points.
  case data

  /// Whose attribute it is.
  var role: AttributeRole {
    switch self {
    case .context: .context
    case .metadata: .metadata
    case .data: .data
    }
  }

  /// The name of the attribute; the value of a data point has none.
  var name: String? {
    switch self {
    case .context(let name), .metadata(let name): name
    case .data: nil
    }
  }
}
