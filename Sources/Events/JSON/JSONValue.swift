/// Any JSON value, as used in configurations, snapshots and metadata.
///
/// Values are compared semantically: numbers by their value (`1` and `1.0`), objects by their members in any order; a
/// truth value never equals a number, and texts are compared by their UTF-8 bytes.
///
/// Values may be nested arbitrarily deep: comparing, hashing, writing and deallocating them takes no additional stack.
/// Values that can be read back from text are nested at most 64 deep.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number without decimal point and exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number; finite.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array(JSONArray)
  /// An object.
  case object(JSONObject)
}

extension JSONValue {
  /// Creates a list of the values.
  public static func array(_ values: [JSONValue]) -> JSONValue { .array(JSONArray(values)) }

  /// The text; nil for any other value.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number, integer or not; nil for any other value.
  public var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// The integer, also if it has a decimal point (`3.0`); nil for any other value.
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

  /// The member with the given name; nil if this is not an object or has no such member.
  public subscript(name: String) -> JSONValue? { object?[name] }

  /// The kind of the value for messages: `a text`, `a number`, ...
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
  /// Creates a text from a literal.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates a number from an integer literal.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Creates a number from a literal.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Creates a truth value from a literal.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// Creates a list from a literal.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates an object from a literal. Of two members with the same name, the later one is kept.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) }))
  }
}
