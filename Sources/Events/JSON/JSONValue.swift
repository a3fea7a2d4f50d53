/// Any JSON value: what configurations, snapshots and metadata are made of.
///
/// Two values are equal when they mean the same: numbers by their value (`1` and `1.0`), objects by their
/// members in whatever order these stood, a truth value never equals a number, and texts are compared by
/// their UTF-8 bytes.
///
/// A value may be nested as deep as one likes: comparing, hashing, writing and letting go of it take no more stack
/// for that. What can be read back from text is nested at most 64 deep.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number written without point and exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number; finite.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array(JSONArray)
  /// Named values.
  case object(JSONObject)
}

extension JSONValue {
  /// A list of the values.
  public static func array(_ values: [JSONValue]) -> JSONValue { .array(JSONArray(values)) }

  /// The text; nil for any other value.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number, whole or not; nil for any other value.
  public var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// The whole number, also when it was written with a point (`3.0`); nil for any other value.
  public var integer: Int64? {
    switch self {
    case .integer(let integer): integer
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The truth value; nil for any other value.
  public var boolean: Bool? {
    guard case .boolean(let flag) = self else { return nil }
    return flag
  }

  /// The list; nil for any other value.
  public var array: [JSONValue]? {
    guard case .array(let values) = self else { return nil }
    return values.elements
  }

  /// The object; nil for any other value.
  public var object: JSONObject? {
    guard case .object(let object) = self else { return nil }
    return object
  }

  /// The member of that name; nil when this is no object or has no such member.
  public subscript(name: String) -> JSONValue? { object?[name] }

  /// What a message calls the value: `a text`, `a number`, ...
  public var kindName: String {
    switch self {
    case .null: "null"
    case .boolean: "a truth value"
    case .integer, .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A text written in the source.
  public init(stringLiteral value: String) { self = .string(value) }

  /// A whole number written in the source.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// A number written in the source.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// A truth value written in the source.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// A list written in the source.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// An object written in the source. Of two members with the same name the later one holds.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) }))
  }
}
