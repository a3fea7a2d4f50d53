/// The keys of an event's JSON object that this version knows.
enum JSONLineField: UInt8, CaseIterable, Sendable {
  case type, id, time, unit
  case experiment, point, slot, variant, choices, propensity, probabilities, policy
  case reason, status, context, features
  case goal, value, revenue, negative, metadata
  case kind, key
  case system, instance, changed, configuration

  /// The key of the field.
  var name: String { "\(self)" }

  /// The field's bit in a ``Set``.
  var bit: UInt32 { 1 &<< UInt32(rawValue) }

  /// A set of fields.
  struct Set: Sendable {
    var bits: UInt32 = 0

    init(_ fields: JSONLineField...) {
      for field in fields { bits |= field.bit }
    }

    @inline(__always)
    func contains(_ field: JSONLineField) -> Bool { bits & field.bit != 0 }

    @inline(__always)
    mutating func insert(_ field: JSONLineField) { bits |= field.bit }

    mutating func remove(_ field: JSONLineField) { bits &= ~field.bit }

    func union(_ other: Set) -> Set {
      var all = self
      all.bits |= other.bits
      return all
    }

    /// The fields that every kind of event may have.
    static let envelope = Set(.id, .time, .unit, .system, .instance)
  }
}

extension EventKind {
  /// The fields of events of the kind, other than the type itself. All other members are preserved without
  /// interpretation.
  var fields: JSONLineField.Set {
    JSONLineField.Set.envelope.union(own)
  }

  /// Returns whether events of the kind have a field, by its key in JSON Lines.
  package func has(field name: String) -> Bool {
    guard let field = JSONLineField.allCases.first(where: { $0.name == name }) else { return false }
    return fields.contains(field)
  }

  private var own: JSONLineField.Set {
    switch self {
    case .decision:
      .init(
        .experiment, .point, .slot, .variant, .choices, .propensity, .probabilities, .policy,
        .reason, .status, .context, .features)
    case .goal:
      .init(.experiment, .point, .slot, .goal, .value, .status, .reason, .metadata)
    case .conversion: .init(.goal, .revenue, .negative, .metadata)
    case .dataPoint: .init(.kind, .key, .value)
    case .sessionExpired, .assignmentRemoved: .init(.experiment, .reason)
    case .decisionConfirmed: .init(.experiment, .point, .slot)
    case .configurationApplied: .init(.experiment, .reason, .changed, .configuration)
    }
  }

  /// Fields that older versions knew for some kinds of event only, and preserved without interpretation for this one.
  /// So that their files can still be read, a value that is invalid for such a field is preserved as well.
  var laterFields: JSONLineField.Set {
    switch self {
    case .goal: .init(.system, .instance, .point, .slot)
    case .configurationApplied: .init(.instance)
    default: .init(.system, .instance)
    }
  }
}
