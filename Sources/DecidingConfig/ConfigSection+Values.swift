internal import DecidingCore
public import Events

// Each form of the original has a twin with a default. Foundation's URL is not known here, so a URL is a text.

extension ConfigSection {
  /// The text; nil for any other value, a number too.
  public func stringForKey(_ key: String) -> String? { self[key]?.string }

  /// The text, or the default for any other value.
  public func stringForKey(_ key: String, default: String) -> String {
    stringForKey(key) ?? `default`
  }

  /// The list; nil for any other value.
  public func arrayForKey(_ key: String) -> [JSONValue]? { self[key]?.array }

  /// The list, or the default for any other value.
  public func arrayForKey(_ key: String, default: [JSONValue]) -> [JSONValue] {
    arrayForKey(key) ?? `default`
  }

  /// The object; nil for any other value.
  public func dictionaryForKey(_ key: String) -> JSONObject? { self[key]?.object }

  /// The object, or the default for any other value.
  public func dictionaryForKey(_ key: String, default: JSONObject) -> JSONObject {
    dictionaryForKey(key) ?? `default`
  }

  /// The list of texts; nil for any other value, and for a list with anything else in it.
  public func stringArrayForKey(_ key: String) -> [String]? {
    guard let values = self[key]?.array else { return nil }
    let texts = values.compactMap(\.string)
    return texts.count == values.count ? texts : nil
  }

  /// The list of texts, or the default for any other value.
  public func stringArrayForKey(_ key: String, default: [String]) -> [String] {
    stringArrayForKey(key) ?? `default`
  }

  /// The text as a URL (RFC 3986): characters that may not stand there are percent-encoded, and escapes that
  /// stand there stay. Nil when there is no text, or when it is empty or cannot be a URL.
  public func urlForKey(_ key: String) -> String? {
    stringForKey(key).flatMap(PercentEncoding.url)
  }

  /// The text as a URL, or the default when there is none.
  public func urlForKey(_ key: String, default: String) -> String { urlForKey(key) ?? `default` }
}

extension ConfigSection {
  /// The whole number: a number is cut toward zero, a truth value is 1 or 0, a text counts by the digits that it
  /// begins with after blanks and one sign. What does not fit is the nearest `Int`; all else is 0.
  public func integerForKey(_ key: String) -> Int { integerForKey(key, default: 0) }

  /// The whole number, as ``integerForKey(_:)`` has it, or the default when there is nothing to make one of: no
  /// value, `null`, a list, an object, a text that begins with no digits.
  public func integerForKey(_ key: String, default: Int) -> Int {
    Coercion.integer(self[key]) ?? `default`
  }

  /// The number: a truth value is 1 or 0, a text counts by the longest decimal number that it begins with after
  /// blanks. What is too large is the greatest finite number; all else is 0.
  public func doubleForKey(_ key: String) -> Double { doubleForKey(key, default: 0) }

  /// The number, as ``doubleForKey(_:)`` has it, or the default when there is nothing to make one of.
  public func doubleForKey(_ key: String, default: Double) -> Double {
    Coercion.double(self[key]) ?? `default`
  }

  /// The number of single precision, as ``doubleForKey(_:)`` has it.
  public func floatForKey(_ key: String) -> Float { floatForKey(key, default: 0) }

  /// The number of single precision, or the default when there is nothing to make one of.
  public func floatForKey(_ key: String, default: Float) -> Float {
    Coercion.float(self[key]) ?? `default`
  }

  /// The truth value: a number other than 0 is true, and so is a text that after blanks, one sign and any zeros
  /// goes on with `Y`, `y`, `T`, `t` or a digit. All else is false.
  public func boolForKey(_ key: String) -> Bool { boolForKey(key, default: false) }

  /// The truth value, as ``boolForKey(_:)`` has it, or the default when there is no value, or `null`, a list or
  /// an object.
  public func boolForKey(_ key: String, default: Bool) -> Bool {
    Coercion.bool(self[key]) ?? `default`
  }
}

extension ConfigSection {
  /// The number when it is whole and fits an `Int`, also when it was written `10.0`; nil otherwise.
  public func int(_ key: String) -> Int? { self[key]?.integer.flatMap { Int(exactly: $0) } }

  /// The number; nil for any other value.
  public func double(_ key: String) -> Double? { self[key]?.number }

  /// The truth value; nil for any other value, a number too.
  public func bool(_ key: String) -> Bool? { self[key]?.boolean }
}
