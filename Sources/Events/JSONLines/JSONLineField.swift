/// The keys of an event's JSON object that this version knows: see ``EventFieldRow``.
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

    init() {}

    init(_ fields: some Sequence<JSONLineField>) { bits = fields.reduce(0) { $0 | $1.bit } }

    @inline(__always)
    func contains(_ field: JSONLineField) -> Bool { bits & field.bit != 0 }

    @inline(__always)
    mutating func insert(_ field: JSONLineField) { bits |= field.bit }

    mutating func remove(_ field: JSONLineField) { bits &= ~field.bit }
  }
}
