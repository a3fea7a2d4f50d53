/// Why a record is refused; what a reader of one record throws.
public struct Rejection: Error, Hashable, Sendable {
  /// The kind of reason, for counting.
  public var category: RejectionCategory
  /// The reason, with the values that gave it.
  public var reason: String
  /// The offset of the offending byte from the start of the record.
  public var offset: Int

  /// Makes a rejection.
  public init(_ category: RejectionCategory, _ reason: String, at offset: Int = 0) {
    self.category = category
    self.reason = reason
    self.offset = offset
  }
}

/// A record that was refused, and why.
public struct RejectedRecord: Hashable, Sendable {
  /// The number of its first line, counted from 1.
  public var line: Int
  /// The place of the byte in the uncompressed input that gave offence, or of the record's start.
  public var byteOffset: Int64
  /// The kind of reason, for counting.
  public var category: RejectionCategory
  /// The reason, with the values that gave it.
  public var reason: String
  /// The record as it was given, without its line end.
  public var bytes: [UInt8]

  /// Makes a refusal.
  public init(
    line: Int, byteOffset: Int64, category: RejectionCategory, reason: String, bytes: [UInt8]
  ) {
    self.line = line
    self.byteOffset = byteOffset
    self.category = category
    self.reason = reason
    self.bytes = bytes
  }
}

/// A kind of reason for which records are refused, in the words in which it is counted.
///
/// There should be few of them, and the same for every format; a format of another package can add its own.
public struct RejectionCategory: RawRepresentable, Hashable, Comparable, Sendable {
  /// The words, such as `bad time`.
  public let rawValue: String

  /// Makes a kind of reason from its words.
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
  /// The line is not a JSON object that stands for an event.
  public static let json = RejectionCategory(rawValue: "malformed JSON")
  /// A field that must be a number is none.
  public static let number = RejectionCategory(rawValue: "bad number")
  /// Quotes are not as CSV wants them.
  public static let quoting = RejectionCategory(rawValue: "malformed CSV")
  /// The time cannot be read.
  public static let time = RejectionCategory(rawValue: "bad time")

  /// Orders by the words.
  public static func < (a: RejectionCategory, b: RejectionCategory) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }
}
