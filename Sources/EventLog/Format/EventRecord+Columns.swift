package import Events

// The columns of the single texts.
extension EventRecord.TextField {
  /// The column of the log, and the vocabulary whose codes it has; nil if it has the texts, because most of them are
  /// different.
  @inline(__always)
  private var place: (column: ColumnID, vocabulary: Vocabulary?) {
    switch self {
    case .id: (.id, nil)
    case .unit: (.unit, .units)
    case .experiment: (.experiment, .experiments)
    case .point: (.point, .points)
    case .slot: (.slot, .slots)
    case .variant: (.variant, .variants)
    case .policy: (.policy, .policies)
    case .reason: (.reason, .reasons)
    case .goal: (.goal, .goals)
    case .dataKind: (.dataKind, .dataKinds)
    case .key: (.key, .keys)
    case .system: (.system, .systems)
    case .configuration: (.configuration, nil)
    case .unknown: (.unknown, nil)
    case .instance: (.instance, .systems)
    }
  }

  /// The column of the log.
  @inline(__always)
  var column: ColumnID { place.column }

  /// The vocabulary whose codes are in the column; nil if the texts are.
  @inline(__always)
  package var vocabulary: Vocabulary? { place.vocabulary }

  /// The fields that are codes of names, but for the unit.
  static let names = allCases.filter { $0.vocabulary != nil && $0 != .unit }

  /// The fields that are texts.
  static let texts = allCases.filter { $0.vocabulary == nil }
}
