internal import Events

/// The referents of a column's codes: names of one vocabulary, or texts that are composed of codes of others.
enum CodeKind: Int, CaseIterable {
  case experiments, points, slots, variants, policies, reasons, goals, dataKinds, keys, systems
  case attributes, values
  /// Lists of variants.
  case choices
  /// Lists of keys.
  case changed
  /// Shapes of contexts and of metadata.
  case shapes
  /// Shapes of features.
  case featureShapes

  /// The vocabulary of the codes.
  var vocabulary: Vocabulary {
    switch self {
    case .experiments: .experiments
    case .points: .points
    case .slots: .slots
    case .variants: .variants
    case .policies: .policies
    case .reasons: .reasons
    case .goals: .goals
    case .dataKinds: .dataKinds
    case .keys: .keys
    case .systems: .systems
    case .attributes: .attributes
    case .values: .values
    case .choices, .changed: .lists
    case .shapes, .featureShapes: .shapes
    }
  }

  /// Whether code 1 marks a text that is stored in the frame itself.
  var hasLiterals: Bool { vocabulary.firstCode > Vocabulary.literalCode }

  /// The columns with a code for each row, but that of the units.
  static let columns: [(column: ColumnID, kind: CodeKind)] =
    EventRecord.TextField.names.compactMap { field in
      allCases.first { $0.vocabulary == field.vocabulary }.map { (field.column, $0) }
    } + [
      (.choices, .choices), (.changed, .changed), (.context, .shapes), (.metadata, .shapes),
      (.features, .featureShapes),
    ]

  /// The role of the attributes whose shapes a column has; nil for another column.
  static func role(of column: ColumnID) -> AttributeRole? {
    switch column {
    case .context: .context
    case .metadata: .metadata
    case .features: .features
    default: nil
    }
  }
}
