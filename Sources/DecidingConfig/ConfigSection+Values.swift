internal import DecidingCore
public import Events

// Each accessor of the original has an overload with a default. Foundation is not used here, so a URL is a
// text.

extension ConfigSection {
  /// Returns the text; nil for any other value, including numbers.
  public func stringForKey(_ key: String) -> String? { self[key]?.string }

  /// Returns the text, or the default for any other value.
  public func stringForKey(_ key: String, default: String) -> String {
    stringForKey(key) ?? `default`
  }

  /// Returns the list; nil for any other value.
  public func arrayForKey(_ key: String) -> [JSONValue]? { self[key]?.array }

  /// Returns the list, or the default for any other value.
  public func arrayForKey(_ key: String, default: [JSONValue]) -> [JSONValue] {
    arrayForKey(key) ?? `default`
  }

  /// Returns the object; nil for any other value.
  public func dictionaryForKey(_ key: String) -> JSONObject? { self[key]?.object }

  /// Returns the object, or the default for any other value.
  public func dictionaryForKey(_ key: String, default: JSONObject) -> JSONObject {
    dictionaryForKey(key) ?? `default`
  }

  /// Returns the list of texts; nil for any other value, and for a list with other elements.
  public func stringArrayForKey(_ key: String) -> [String]? {
    guard let values = self[key]?.array else { return nil }
    let texts = values.compactMap(\.string)
    return texts.count == values.count ? texts : nil
  }

  /// Returns the list of texts, or the default for any other value.
  public func stringArrayForKey(_ key: String, default: [String]) -> [String] {
    stringArrayForKey(key) ?? `default`
  }

  /// Returns the text as a URL (RFC 3986): invalid characters are percent-encoded, and existing escapes are
  /// kept. Nil when there is no text, or when it is empty or cannot be a URL.
  public func urlForKey(_ key: String) -> String? {
    stringForKey(key).flatMap(URLText.url)
  }

  /// Returns the text as a URL, or the default when there is none.
  public func urlForKey(_ key: String, default: String) -> String { urlForKey(key) ?? `default` }
}

extension ConfigSection {
  /// Returns the value as an integer: numbers are truncated toward zero, Booleans are 1 or 0, and of a text
  /// the digits after blanks and an optional sign are read. Values out of range are clamped to `Int`; all
  /// else is 0.
  public func integerForKey(_ key: String) -> Int { integerForKey(key, default: 0) }

  /// Returns the value as an integer, as ``integerForKey(_:)`` does, or the default when it cannot be
  /// converted: no value, `null`, a list, an object, a text that does not start with digits.
  public func integerForKey(_ key: String, default: Int) -> Int {
    Coercion.integer(self[key]) ?? `default`
  }

  /// Returns the value as a number: Booleans are 1 or 0, and of a text the longest decimal number after
  /// blanks is read. A number that overflows becomes the greatest finite one; all else is 0.
  public func doubleForKey(_ key: String) -> Double { doubleForKey(key, default: 0) }

  /// Returns the value as a number, as ``doubleForKey(_:)`` does, or the default when it cannot be converted.
  public func doubleForKey(_ key: String, default: Double) -> Double {
    Coercion.double(self[key]) ?? `default`
  }

  /// Returns the value as a single-precision number, as ``doubleForKey(_:)`` does.
  public func floatForKey(_ key: String) -> Float { floatForKey(key, default: 0) }

  /// Returns the value as a single-precision number, or the default when it cannot be converted.
  public func floatForKey(_ key: String, default: Float) -> Float {
    Coercion.float(self[key]) ?? `default`
  }

  /// Returns the value as a Boolean: a number other than 0 is true, and so is a text that continues after
  /// blanks, one sign and any zeros with `Y`, `y`, `T`, `t` or a digit. All else is false.
  public func boolForKey(_ key: String) -> Bool { boolForKey(key, default: false) }

  /// Returns the value as a Boolean, as ``boolForKey(_:)`` does, or the default when there is no value, or
  /// `null`, a list or an object.
  public func boolForKey(_ key: String, default: Bool) -> Bool {
    Coercion.bool(self[key]) ?? `default`
  }
}

extension ConfigSection {
  /// Returns the number when it is an integer in the range of `Int`, even if written `10.0`; nil otherwise.
  public func int(_ key: String) -> Int? { self[key]?.integer.flatMap { Int(exactly: $0) } }

  /// Returns the number; nil for any other value.
  public func double(_ key: String) -> Double? { self[key]?.number }

  /// Returns the Boolean; nil for any other value, including numbers.
  public func bool(_ key: String) -> Bool? { self[key]?.boolean }
}
