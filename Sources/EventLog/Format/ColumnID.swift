/// The columns of a frame. The raw values are part of the log format and never change; a reader skips a column that it
/// does not know.
///
/// Streams have a value for every row unless another rule is given: a row without a name has code 0. "Dense" streams
/// have a value only for each row (or occurrence) that the preceding columns say has one, in order.
package struct ColumnID: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  private init(_ rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Codes of instances, which share the vocabulary of systems. The last free id below 32, the range of columns with
  /// an integer for each row.
  package static let instance = ColumnID(0)
  /// `EventKind`.
  package static let kind = ColumnID(1)
  /// Microseconds since 1970.
  package static let time = ColumnID(2)
  /// Codes of units.
  package static let unit = ColumnID(3)
  /// Texts, optional per row.
  package static let id = ColumnID(4)
  /// Codes of experiments.
  package static let experiment = ColumnID(5)
  /// Codes of points.
  package static let point = ColumnID(6)
  /// Codes of slots.
  package static let slot = ColumnID(7)
  /// Codes of variants.
  package static let variant = ColumnID(8)
  /// Codes of policies.
  package static let policy = ColumnID(9)
  /// Codes of reasons.
  package static let reason = ColumnID(10)
  /// Codes of goals.
  package static let goal = ColumnID(11)
  /// Codes of data kinds.
  package static let dataKind = ColumnID(12)
  /// Codes of keys.
  package static let key = ColumnID(13)
  /// Codes of systems: those that wrote the events, or that a configuration is for.
  package static let system = ColumnID(14)
  /// `EventStatus`, 0 if not given.
  package static let status = ColumnID(15)
  /// 0 not given, 1 false, 2 true.
  package static let negative = ColumnID(16)
  /// Numbers, optional per row.
  package static let propensity = ColumnID(17)
  /// Numbers, optional per row.
  package static let value = ColumnID(18)
  /// Numbers, optional per row.
  package static let revenue = ColumnID(19)
  /// Codes of lists of codes of variants.
  package static let choices = ColumnID(20)
  /// 0 if not given, else the number of probabilities plus 1.
  package static let probabilityCount = ColumnID(21)
  /// Dense numbers.
  package static let probabilities = ColumnID(22)
  /// Codes of lists of codes of keys.
  package static let changed = ColumnID(23)
  /// Texts, optional per row.
  package static let configuration = ColumnID(24)
  /// Texts, optional per row.
  package static let unknown = ColumnID(25)
  /// `ValueType` of a data point's value, 0 if there is none. The values follow as attributes of role `data` with key
  /// 0.
  package static let dataType = ColumnID(26)
  /// Codes of shapes of contexts.
  package static let context = ColumnID(27)
  /// Codes of shapes of features.
  package static let features = ColumnID(28)
  /// Codes of shapes of metadata.
  package static let metadata = ColumnID(29)
  /// Dense: producers whose last sequence up to the end of the frame is in ``sequences``; for rewritten frames, whose
  /// header no longer names the producer of each append.
  package static let producers = ColumnID(30)
  /// Dense: the last sequence of each of ``producers``.
  package static let sequences = ColumnID(31)

  /// Dense texts: the operations on the log, one JSON object each.
  package static let notes = ColumnID(48)

  /// Returns the column of the dense values of one type of an attribute of one role; the entry's key is the
  /// attribute's code.
  static func attribute(_ role: AttributeRole, _ type: ValueType) -> ColumnID {
    ColumnID(32 + UInt16(role.rawValue) * 4 + UInt16(type.rawValue) - 1)
  }

  /// Returns the column of the names that appear for the first time: texts; the entry's `low` is the first one's code.
  static func names(_ vocabulary: Vocabulary) -> ColumnID {
    ColumnID(64 + UInt16(vocabulary.rawValue))
  }

  /// The vocabulary whose names the column holds; nil if it holds none.
  var vocabulary: Vocabulary? {
    rawValue > 64 ? UInt8(exactly: rawValue - 64).flatMap { Vocabulary(rawValue: $0) } : nil
  }

  /// The column of the dense texts that are represented by code 1 in this column.
  var literals: ColumnID { ColumnID(rawValue | 128) }

  /// Whether this version knows the column.
  var isKnown: Bool { !name.hasPrefix("column-") }

  /// The name shown by `log info` and in messages.
  package var name: String {
    // No column is defined from 256 on, whatever its lower bits are.
    guard rawValue < 256 else { return "column-\(rawValue)" }
    if rawValue & 128 != 0 { return ColumnID(rawValue & 127).name + "-literals" }
    if let vocabulary { return "\(vocabulary.name)-names" }
    if (32..<48).contains(rawValue),
      let role = AttributeRole(rawValue: UInt8((rawValue - 32) / 4)),
      let type = ValueType(rawValue: UInt8((rawValue - 32) % 4 + 1))
    {
      return "\(role)-\(type)"
    }
    return Self.fixedNames[Int(rawValue)] ?? "column-\(rawValue)"
  }

  private static let fixedNames: [Int: String] = [
    0: "instance", 1: "kind", 2: "time", 3: "unit", 4: "id", 5: "experiment", 6: "point", 7: "slot",
    8: "variant", 9: "policy", 10: "reason", 11: "goal", 12: "data-kind", 13: "key",
    14: "system", 15: "status", 16: "negative", 17: "propensity", 18: "value", 19: "revenue",
    20: "choices", 21: "probability-count", 22: "probabilities", 23: "changed",
    24: "configuration", 25: "unknown", 26: "data-type", 27: "context", 28: "features",
    29: "metadata", 30: "producers", 31: "sequences", 48: "notes",
  ]
}

/// The owner of an attribute. The raw values are part of the log format and never change.
enum AttributeRole: UInt8, CaseIterable {
  case context = 0
  case features = 1
  case metadata = 2
  case data = 3
}

/// The type of an attribute's value. The raw values are part of the log format and never change.
enum ValueType: UInt8, CaseIterable {
  /// Floating-point numbers.
  case number = 1
  /// Integers.
  case integer = 2
  /// Codes of values.
  case text = 3
  /// 0 false, 1 true.
  case flag = 4
}
