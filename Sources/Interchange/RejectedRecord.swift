import Events

/// The reason for rejecting a record, thrown by readers of records.
public struct Rejection: Error, Hashable, Sendable {
  /// The category of the reason, for counting.
  public var category: RejectionCategory
  /// The reason, with the offending values.
  public var reason: String
  /// The offset of the offending byte from the start of the record.
  public var offset: Int
  /// The text in place of a unit, of a ``RejectionCategory/placeholder``; empty if there is none.
  package var unit = ""

  /// Creates a rejection.
  public init(_ category: RejectionCategory, _ reason: String, at offset: Int = 0) {
    self.category = category
    self.reason = reason
    self.offset = offset
  }

  /// Creates a rejection of an event that is not valid.
  init(_ problem: EventProblem) {
    self.init(problem.lacksUnit ? .placeholder : .event, problem.description)
  }

  /// Creates a rejection of a line that is not an event.
  init(_ error: JSONLineError) {
    self.init(error.lacksUnit ? .placeholder : .json, error.reason, at: error.offset)
  }
}

/// A rejected record, and the reason.
public struct RejectedRecord: Hashable, Sendable {
  /// The number of its first line, counted from 1.
  public var line: Int
  /// The offset of the offending byte, or of the record's start, in the uncompressed input.
  public var byteOffset: Int64
  /// The category of the reason, for counting.
  public var category: RejectionCategory
  /// The reason, with the offending values.
  public var reason: String
  /// The raw record, without its line end.
  public var bytes: [UInt8]
  /// The text in place of a unit, of a ``RejectionCategory/placeholder``; empty if there is none.
  package var unit = ""

  /// Creates a rejected record.
  public init(
    line: Int, byteOffset: Int64, category: RejectionCategory, reason: String, bytes: [UInt8]
  ) {
    self.line = line
    self.byteOffset = byteOffset
    self.category = category
    self.reason = reason
    self.bytes = bytes
  }

  /// Creates a rejected record from the reason, its line and offset, and its text.
  package init(_ rejection: Rejection, line: Int, byteOffset: Int64, bytes: [UInt8]) {
    self.init(
      line: line, byteOffset: byteOffset, category: rejection.category, reason: rejection.reason,
      bytes: bytes)
    unit = rejection.unit
  }
}

/// A category of reasons for rejecting records, in the words under which it is counted.
///
/// There should be few of them, shared by all formats; a format of another package can add its own.
public struct RejectionCategory: RawRepresentable, Hashable, Comparable, Sendable {
  /// The words, such as `bad time`.
  public let rawValue: String

  /// Creates a category from its words.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The click is neither 0 nor 1.
  public static let click = RejectionCategory(rawValue: "bad click")
  /// The record has more or fewer fields than the header.
  public static let columnCount = RejectionCategory(rawValue: "wrong column count")
  /// The bytes are not UTF-8.
  public static let encoding = RejectionCategory(rawValue: "not UTF-8")
  /// The event lacks something, or has something that does not fit.
  public static let event = RejectionCategory(rawValue: "bad event")
  /// The item is not one of the choices.
  public static let item = RejectionCategory(rawValue: "bad item")
  /// The line is not a JSON object that represents an event.
  public static let json = RejectionCategory(rawValue: "malformed JSON")
  /// A field that must be a number is not one.
  public static let number = RejectionCategory(rawValue: "bad number")
  /// The unit is empty, or a text that stands for a missing one, such as `NULL`.
  public static let placeholder = RejectionCategory(rawValue: "missing unit")
  /// The quotes are not valid CSV.
  public static let quoting = RejectionCategory(rawValue: "malformed CSV")
  /// The time is invalid.
  public static let time = RejectionCategory(rawValue: "bad time")

  /// Whether the records never stop an import, and are always written to the rejects.
  package var isExpected: Bool { self == .placeholder }

  public static func < (a: RejectionCategory, b: RejectionCategory) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }
}
