public import Events

/// A variable of a flag's variation, which an app reads instead of a constant.
public struct FlagVariable: Hashable, Sendable {
  /// The type of a variable.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A Boolean; reads as `Bool`.
    case boolean = "BOOLEAN"
    /// A text; reads as `String`.
    case string = "STRING"
    /// A number; an integer reads as `Int` or `Double`, any other only as `Double`.
    case number = "NUMBER"
    /// Any JSON value; reads as `JSONValue`.
    case json = "JSON"
    /// A script; reads as `String`.
    case js = "JS"
    /// A style sheet; reads as `String`.
    case css = "CSS"

    /// Returns whether the value is valid for a variable of this type.
    func admits(_ value: JSONValue) -> Bool {
      switch self {
      case .boolean: value.boolean != nil
      case .string, .js, .css: value.string != nil
      case .number: value.number != nil
      case .json: true
      }
    }
  }

  /// The name of the variable.
  public var key: String
  /// The type of the variable.
  public var kind: Kind
  /// The value.
  public var value: JSONValue

  /// Returns the value as a `Bool`, `String`, `Int`, `Double` or `JSONValue`.
  ///
  /// - Throws: ``ExperimentError/variableTypeMismatch(_:)`` when the variable has another type.
  public func read<Value: FlagVariableValue>(
    as type: Value.Type = Value.self
  ) throws(ExperimentError) -> Value {
    guard let value = Value.read(self) else {
      throw .variableTypeMismatch(
        "the variable \"\(key)\" is of type \(kind.rawValue) with the value \(value), which does not read "
          + "as \(type)")
    }
    return value
  }
}

/// A type that a variable of a flag can be read as.
public protocol FlagVariableValue: Sendable {
  /// Returns the value of the variable; nil when it has another type.
  static func read(_ variable: FlagVariable) -> Self?
}

extension Bool: FlagVariableValue {
  /// Returns the value of a Boolean variable.
  public static func read(_ variable: FlagVariable) -> Bool? {
    variable.kind == .boolean ? variable.value.boolean : nil
  }
}

extension String: FlagVariableValue {
  /// Returns the value of a text, script or style sheet variable.
  public static func read(_ variable: FlagVariable) -> String? {
    [.string, .js, .css].contains(variable.kind) ? variable.value.string : nil
  }
}

extension Int: FlagVariableValue {
  /// Returns the value of a number that is an integer.
  public static func read(_ variable: FlagVariable) -> Int? {
    guard variable.kind == .number, let integer = variable.value.integer else { return nil }
    return Int(exactly: integer)
  }
}

extension Double: FlagVariableValue {
  /// Returns the value of a number.
  public static func read(_ variable: FlagVariable) -> Double? {
    variable.kind == .number ? variable.value.number : nil
  }
}

extension JSONValue: FlagVariableValue {
  /// Returns the value of a JSON variable.
  public static func read(_ variable: FlagVariable) -> JSONValue? {
    variable.kind == .json ? variable.value : nil
  }
}
