/// The keys of an event's JSON object that this version knows.
enum JSONLineField: UInt8, CaseIterable, Sendable {
  case type, id, time, unit
  case experiment, point, slot, variant, choices, propensity, probabilities, policy
  case reason, status, context, features
  case goal, value, revenue, negative, metadata
  case kind, key
  case system, changed, configuration

  /// The key.
  var name: String { "\(self)" }

  /// The field's own bit in a ``Set``.
  var bit: UInt32 { 1 &<< UInt32(rawValue) }

  /// Some of the fields.
  struct Set: Sendable {
    var bits: UInt32 = 0

    init(_ fields: JSONLineField...) {
      for field in fields { bits |= field.bit }
    }

    @inline(__always)
    func contains(_ field: JSONLineField) -> Bool { bits & field.bit != 0 }

    @inline(__always)
    mutating func insert(_ field: JSONLineField) { bits |= field.bit }
  }
}

extension EventKind {
  /// The fields that have a meaning for events of the kind, besides the type itself. All others are
  /// carried unread.
  var fields: JSONLineField.Set {
    switch self {
    case .decision:
      .init(
        .id, .time, .unit, .experiment, .point, .slot, .variant, .choices, .propensity,
        .probabilities, .policy, .reason, .status, .context, .features)
    case .goal:
      .init(.id, .time, .unit, .experiment, .goal, .value, .status, .reason, .metadata)
    case .conversion: .init(.id, .time, .unit, .goal, .revenue, .negative, .metadata)
    case .dataPoint: .init(.id, .time, .unit, .kind, .key, .value)
    case .sessionExpired, .assignmentRemoved: .init(.id, .time, .unit, .experiment, .reason)
    case .decisionConfirmed: .init(.id, .time, .unit, .experiment, .point, .slot)
    case .configurationApplied:
      .init(.id, .time, .unit, .system, .experiment, .reason, .changed, .configuration)
    }
  }
}
